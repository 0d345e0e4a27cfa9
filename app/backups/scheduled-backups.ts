import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import type { Mode, Notice } from '../../shared/till/views.ts';
import { databasePath, hasDatabase } from '../machine/data-files.ts';
import { lookAtFolder } from '../machine/folder-look.ts';
import { rmSync } from '../machine/held-files.ts';
import type { Log } from '../machine/log.ts';
import { backUp } from '../store/copies/backup.ts';
import { formerDeviceIds } from '../store/files/known-databases.ts';
import { backupName, removeOldBackups } from './backup-files.ts';
import { isBackupDue, isBackupLate } from './backup-plan.ts';
import { type LastBackup, noteLastBackup, readLastBackup } from './last-backup.ts';

const lookEveryMs = 60_000;
/** A folder that could not be written is tried again after so long. */
const retryAfterMs = 10 * 60_000;
/** A backup that is being made when the agent ends gets so long: its share may hang. */
const longestEndMs = 5_000;

interface ScheduledBackupOptions {
  readonly dataDir: string;
  /** The mode of this run; production is backed up with it where there is one. */
  readonly mode: Mode;
  readonly folder: string;
  readonly hour: number;
  readonly keep: number;
  readonly timeZone: string;
  readonly deviceRef: string;
  /** What they are signed with. */
  readonly tillKey: Uint8Array;
  readonly clock: Clock;
  readonly log: Log;
  readonly onChanged?: () => void;
}

/** Backs up by itself, once a day, beside the sales. What hinders it stops no sale; it is told. */
export class ScheduledBackups {
  readonly #options: ScheduledBackupOptions;
  readonly #sinceMs: number;
  #cancel: CancelTimer = () => undefined;
  #running: Promise<void> = Promise.resolve();
  #triedAtMs: number | null = null;
  /** Why the folder takes none, as of the last look. */
  #fault: string | null = null;
  /** Why the last try failed. */
  #failure: string | null = null;
  /** Made, and not yet noted: the till's own disk may be full. Without them one would be made at every try. */
  readonly #unnoted = new Map<Mode, LastBackup>();
  #noteFailure: string | null = null;
  readonly #ending = new AbortController();

  constructor(options: ScheduledBackupOptions) {
    this.#options = options;
    this.#sinceMs = options.clock.now();
    this.#running = this.#lookAtFolder();
    this.#lookLater();
  }

  notices(): readonly Notice[] {
    const { clock } = this.#options;
    const nowMs = clock.now();
    const reason = this.#fault ?? this.#failure ?? this.#noteFailure;
    return this.#modes()
      .flatMap((mode): readonly Notice[] => {
        const lastAtMs = this.#lastAtMs(mode);
        // Once something is in its way there is no use in waiting until it is late.
        if (reason === null && !isBackupLate({ lastAtMs, sinceMs: this.#sinceMs, nowMs })) return [];
        return [{ code: 'backup_late', last_at: lastAtMs === null ? null : toInstant(lastAtMs), reason }];
      })
      .slice(0, 1);
  }

  /** Looks at the folder, and makes those that are due: after the look before, so that none is made twice. */
  look(): Promise<void> {
    this.#running = this.#running.then(() => this.#lookNow());
    return this.#running;
  }

  async #lookNow(): Promise<void> {
    const { clock, hour, timeZone } = this.#options;
    const nowMs = clock.now();
    await this.#lookAtFolder();
    this.#note();
    if (this.#fault !== null || this.#isClosed()) return;
    if (this.#triedAtMs !== null && nowMs - this.#triedAtMs < retryAfterMs && nowMs >= this.#triedAtMs) return;
    for (const mode of this.#modes()) {
      if (isBackupDue({ hour, timeZone }, { lastAtMs: this.#lastAtMs(mode), nowMs })) await this.#make(mode, nowMs);
    }
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.#cancel();
    await Promise.race([this.#running, setTimeout(longestEndMs, undefined, { ref: false })]);
  }

  #isClosed(): boolean {
    return this.#ending.signal.aborted;
  }

  /** In the schedule's own folder: one that somebody makes elsewhere is no copy in its place. */
  #lastAtMs(mode: Mode): number | null {
    const { dataDir, folder } = this.#options;
    return (this.#unnoted.get(mode) ?? readLastBackup(dataDir, mode, folder))?.made_at_ms ?? null;
  }

  async #lookAtFolder(): Promise<void> {
    const { folder, log, onChanged } = this.#options;
    const { fault } = await lookAtFolder(folder);
    if (fault === this.#fault) return;
    this.#fault = fault;
    if (fault !== null) log.warn({ reason: fault }, 'The folder for backups takes none now');
    onChanged?.();
  }

  #modes(): readonly Mode[] {
    const { mode, dataDir } = this.#options;
    const modes: readonly Mode[] = mode === 'production' ? ['production'] : ['production', mode];
    return modes.filter((one) => hasDatabase(dataDir, one));
  }

  async #make(mode: Mode, nowMs: number): Promise<void> {
    const { dataDir, folder, deviceRef, tillKey, keep, log, onChanged } = this.#options;
    try {
      const newest = backupName({ deviceRef, mode, atMs: nowMs });
      const file = join(folder, newest);
      // Not before it is needed: a start has no use for it.
      const { leftDrafts } = await import('./made-backups.ts');
      // What a run that was cut off has left holds customers, too.
      for (const draft of leftDrafts(dataDir, folder)) rmSync(draft, { force: true });
      const { signal } = this.#ending;
      const facts = { mode, nowMs, tillKey, signal };
      const { operationCount, deviceId } = await backUp(databasePath(dataDir, mode), file, facts);
      this.#unnoted.set(mode, { made_at_ms: nowMs, file, operations: operationCount });
      this.#note();
      const former = formerDeviceIds(databasePath(dataDir, mode));
      const deviceIds = new Set([...former, ...(deviceId === null ? [] : [deviceId])]);
      const removed = removeOldBackups(folder, { deviceRef, deviceIds, mode, keep, newest });
      this.#triedAtMs = null;
      this.#failure = null;
      log.info({ file, operations: operationCount, removed: removed.length }, 'A backup was made');
    } catch (error) {
      if (this.#isClosed()) return;
      this.#triedAtMs = nowMs;
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.#failure) log.warn({ reason }, 'A backup could not be made; it is tried again');
      this.#failure = reason;
    }
    onChanged?.();
  }

  #note(): void {
    const { dataDir, log, onChanged } = this.#options;
    let failure: string | null = null;
    for (const [mode, backup] of this.#unnoted) {
      try {
        noteLastBackup(dataDir, mode, backup);
        this.#unnoted.delete(mode);
      } catch (error) {
        failure = `It is made, and cannot be noted: ${error instanceof Error ? error.message : String(error)}`;
      }
    }
    if (failure === this.#noteFailure) return;
    if (failure !== null) log.warn({ reason: failure }, 'A backup cannot be noted; that is tried again');
    this.#noteFailure = failure;
    onChanged?.();
  }

  #lookLater(): void {
    if (this.#isClosed()) return;
    this.#cancel = this.#options.clock.setTimer(() => {
      void this.look().finally(() => this.#lookLater());
    }, lookEveryMs);
  }
}
