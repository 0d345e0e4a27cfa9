import type { Database } from 'better-sqlite3';

/** How long a write may wait for company. Batching the disk is not domain time: it does not follow the test clock. */
export interface WriterSchedule {
  soon(callback: () => void): void;
  later(callback: () => void, delayMs: number): () => void;
}

export const systemSchedule: WriterSchedule = {
  soon: (callback) => {
    setImmediate(callback);
  },
  later: (callback, delayMs) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/** What was not written is tried again after this long: a full disk may have room again. */
export const diskRetryMs = 2_000;

/** A lazy write waits at most this long, or until this many wait with it. */
const lazyDelayMs = 25;
const lazyBatchSize = 128;

/** Rides along with every commit: what is kept once for all that the commit changes. */
export interface CommitCompanion {
  /** Inside the transaction, after its last write. */
  beforeCommit(): void;
  afterCommit(): void;
  afterRollback(): void;
}

const noCompanion: CommitCompanion = { beforeCommit() {}, afterCommit() {}, afterRollback() {} };

/** Stands at both ends of each commit. */
export interface CommitGuard {
  /** Throws when what is written would not be found again. */
  check(): void;
  /** It is on the disk. */
  committed(): void;
  /** It is not on the disk, or was not begun. */
  failed(error: unknown): void;
}

const noGuard: CommitGuard = { check() {}, committed() {}, failed() {} };

interface PendingWrite {
  /** Runs inside the transaction. It may run again when a neighbour spoils the batch, so it changes nothing else. */
  readonly run: () => void;
  readonly committed: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * The one way to write: gathers what arrives while the last commit runs and makes it durable with one sync (group
 * commit). Each write stands alone: one that throws fails by itself and takes no neighbour with it.
 */
export class Writer {
  readonly #database: Database;
  readonly #schedule: WriterSchedule;
  readonly #companion: CommitCompanion;
  readonly #guard: CommitGuard;
  readonly #begin;
  readonly #commit;
  readonly #rollback;
  readonly #pending: PendingWrite[] = [];
  readonly #pendingLast: PendingWrite[] = [];
  #isSoonScheduled = false;
  #cancelLazy: (() => void) | null = null;
  /** The delay of the timer that is running. */
  #lazyDelayMs = Number.POSITIVE_INFINITY;

  constructor(
    database: Database,
    schedule: WriterSchedule = systemSchedule,
    companion: CommitCompanion = noCompanion,
    guard: CommitGuard = noGuard,
  ) {
    this.#database = database;
    this.#schedule = schedule;
    this.#companion = companion;
    this.#guard = guard;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#rollback = database.prepare('ROLLBACK');
  }

  /** Someone waits: committed as soon as the events that are already here have been taken in. */
  urgent<T>(run: () => T): Promise<T> {
    const result = this.#add(run);
    this.hurry();
    return result;
  }

  /** As `urgent`, behind everything else that is committed with it: it sees what the others have written. */
  urgentLast<T>(run: () => T): Promise<T> {
    const result = this.#add(run, this.#pendingLast);
    this.hurry();
    return result;
  }

  /** Losing it costs only a repetition: rides along with the next commit, within 25 ms unless it may wait longer. */
  lazy<T>(run: () => T, withinMs = lazyDelayMs): Promise<T> {
    const result = this.#add(run);
    if (this.#pending.length >= lazyBatchSize) this.hurry();
    else if (!this.#isSoonScheduled) this.#flushWithin(withinMs);
    return result;
  }

  /** Enough has gathered: what is pending is committed soon. */
  hurry(): void {
    if (this.#isSoonScheduled || this.#pending.length + this.#pendingLast.length === 0) return;
    this.#isSoonScheduled = true;
    this.#schedule.soon(() => this.flush());
  }

  /** Commits all that is pending, now. */
  flush(): void {
    this.#isSoonScheduled = false;
    this.#cancelLazy?.();
    this.#cancelLazy = null;
    this.#lazyDelayMs = Number.POSITIVE_INFINITY;
    const batch = [...this.#pending.splice(0), ...this.#pendingLast.splice(0)];
    if (batch.length === 0) return;
    try {
      this.#guard.check();
      this.#begin.run();
    } catch (error) {
      // Nothing ran: another program holds the file, or it is closed. One wait for that is enough for all of them.
      this.#guard.failed(error);
      for (const write of batch) write.failed(error);
      return;
    }
    try {
      this.#commitBegun(batch);
    } catch {
      // Each alone, the only one too: should the failed commit have reached the disk after all, the second run meets
      // its own row and so reads back what happened.
      for (const write of batch) this.#commitAlone(write);
      return;
    }
    for (const write of batch) write.committed();
  }

  #flushWithin(delayMs: number): void {
    if (this.#lazyDelayMs <= delayMs) return;
    this.#cancelLazy?.();
    this.#lazyDelayMs = delayMs;
    this.#cancelLazy = this.#schedule.later(() => this.flush(), delayMs);
  }

  #add<T>(run: () => T, pending = this.#pending): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let settle: () => void = () => reject(new Error('A write was committed without having run'));
      pending.push({
        run: () => {
          const value = run();
          settle = () => resolve(value);
        },
        committed: () => settle(),
        failed: reject,
      });
    });
  }

  #commitBegun(batch: readonly PendingWrite[]): void {
    try {
      for (const write of batch) write.run();
      this.#companion.beforeCommit();
      this.#commit.run();
    } catch (error) {
      if (this.#database.inTransaction) this.#rollback.run();
      this.#companion.afterRollback();
      throw error;
    }
    this.#guard.committed();
    this.#companion.afterCommit();
  }

  #commitAlone(write: PendingWrite): void {
    try {
      this.#begin.run();
      this.#commitBegun([write]);
    } catch (error) {
      this.#guard.failed(error);
      write.failed(error);
      return;
    }
    write.committed();
  }
}
