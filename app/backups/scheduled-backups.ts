import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import { errorText } from '../../shared/lib/error-code.ts';
import type { Mode } from '../../shared/till/modes.ts';
import type { Notice } from '../../shared/till/views.ts';
import { databasePath, hasDatabase } from '../machine/data-files.ts';
import { lookAtFolder } from '../machine/folder-look.ts';
import type { Log } from '../machine/log.ts';
import { backUp } from '../store/copies/backup.ts';
import { formerDeviceIds } from '../store/files/known-databases.ts';
import { AfterBackup } from './after-backup.ts';
import { backupName, removeOldBackups } from './backup-files.ts';
import { isBackupDue, isBackupLate, isRetryDue } from './backup-plan.ts';
import { type LastBackup, noteLastBackup, readLastBackup } from './last-backup.ts';

const lookEveryMs = 60_000;
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
  /** Those that are being made. A share that dies meanwhile may keep them for ever. */
  #making: Promise<void> | null = null;
  #triedAtMs: number | null = null;
  /** Why the folder takes none, as of the last look. */
  #fault: string | null = null;
  /** Why the last try failed. */
  #failure: string | null = null;
  /** The till's own disk may be full. Without those that are not noted yet, one would be made at every try. */
  readonly #notes: AfterBackup<LastBackup>;
  /** No failed backup: what is kept too long is logged, and a disk that is full of it is told. */
  readonly #removals: AfterBackup<{ readonly newest: string; readonly deviceId: string | null }>;
  /** Each try opens every backup of the folder. */
  #triedToRemoveAtMs: number | null = null;
  readonly #ending = new AbortController();

  constructor(options: ScheduledBackupOptions) {
    const { dataDir, log, clock } = options;
    this.#options = options;
    this.#sinceMs = clock.now();
    this.#notes = new AfterBackup({
      act: (mode, backup) => noteLastBackup(dataDir, mode, backup),
      failed: 'A backup cannot be noted; that is tried again',
      log,
    });
    this.#removals = new AfterBackup({
      act: (mode, made) => this.#removeOld(mode, made),
      failed: 'An old backup cannot be removed; that is tried again',
      log,
    });
    void this.#lookAtFolder();
    this.#lookLater();
  }

  notices(): readonly Notice[] {
    const { clock } = this.#options;
    const nowMs = clock.now();
    const { failure: noteFailure } = this.#notes;
    const unnoted = noteFailure === null ? null : `It is made, and cannot be noted: ${noteFailure}`;
    const reason = this.#fault ?? this.#failure ?? unnoted;
    return this.#modes()
      .flatMap((mode): readonly Notice[] => {
        const lastAtMs = this.#lastAtMs(mode);
        // Once something is in its way there is no use in waiting until it is late.
        if (reason === null && !isBackupLate({ lastAtMs, sinceMs: this.#sinceMs, nowMs })) return [];
        return [{ code: 'backup_late', last_at: lastAtMs === null ? null : toInstant(lastAtMs), reason }];
      })
      .slice(0, 1);
  }

  /** Looks at the folder, and makes those that are due. @returns when they are made */
  async look(): Promise<void> {
    await this.#begin();
    await this.#making;
  }

  /** Gives up what is being made, and waits for that, but not for a share that hangs. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#cancel();
    await Promise.race([this.#making, setTimeout(longestEndMs, undefined, { ref: false })]);
  }

  #isClosed(): boolean {
    return this.#ending.signal.aborted;
  }

  #lookLater(): void {
    if (this.#isClosed()) return;
    this.#cancel = this.#options.clock.setTimer(() => {
      void this.#begin().finally(() => this.#lookLater());
    }, lookEveryMs);
  }

  /** While they are made it looks at the folder alone: none is made twice, and a folder that hangs meanwhile is told. */
  async #begin(): Promise<void> {
    await this.#lookAtFolder();
    if (this.#isClosed()) return;
    if (this.#notes.tryAgain()) this.#options.onChanged?.();
    if (this.#fault !== null || this.#making !== null) return;
    const triedAtMs = this.#triedToRemoveAtMs;
    if (isRetryDue({ triedAtMs, nowMs: this.#options.clock.now() })) this.#removals.tryAgain();
    this.#making = this.#makeDue().finally(() => {
      this.#making = null;
    });
  }

  async #makeDue(): Promise<void> {
    const { clock, hour, timeZone } = this.#options;
    const nowMs = clock.now();
    if (!isRetryDue({ triedAtMs: this.#triedAtMs, nowMs })) return;
    for (const mode of this.#modes()) {
      if (isBackupDue({ hour, timeZone }, { lastAtMs: this.#lastAtMs(mode), nowMs })) await this.#make(mode, nowMs);
    }
  }

  /** In the schedule's own folder: one that somebody makes elsewhere is no copy in its place. */
  #lastAtMs(mode: Mode): number | null {
    const { dataDir, folder } = this.#options;
    return (this.#notes.pending(mode) ?? readLastBackup(dataDir, mode, folder))?.made_at_ms ?? null;
  }

  async #lookAtFolder(): Promise<void> {
    const { folder, log, onChanged } = this.#options;
    const { fault } = await lookAtFolder(folder);
    if (fault === this.#fault || this.#isClosed()) return;
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
    const { dataDir, folder, deviceRef, tillKey, log, onChanged } = this.#options;
    try {
      const newest = backupName({ deviceRef, mode, atMs: nowMs });
      const file = join(folder, newest);
      // Not before it is needed: a start has no use for it.
      const { removeLeftDrafts } = await import('./left-drafts.ts');
      // Not in other folders: a share that is known from before may hang.
      removeLeftDrafts(dataDir, folder, log);
      const { signal } = this.#ending;
      const facts = { mode, nowMs, tillKey, signal };
      const { operationCount, deviceId } = await backUp(databasePath(dataDir, mode), file, facts);
      this.#triedAtMs = null;
      this.#failure = null;
      log.info({ file, operations: operationCount }, 'A backup was made');
      this.#notes.add(mode, { made_at_ms: nowMs, file, operations: operationCount });
      this.#removals.add(mode, { newest, deviceId });
    } catch (error) {
      if (this.#isClosed()) return;
      this.#triedAtMs = nowMs;
      const reason = errorText(error);
      if (reason !== this.#failure) log.warn({ reason }, 'A backup could not be made; it is tried again');
      this.#failure = reason;
    }
    onChanged?.();
  }

  #removeOld(mode: Mode, made: { readonly newest: string; readonly deviceId: string | null }): void {
    const { dataDir, folder, deviceRef, keep, clock, log } = this.#options;
    this.#triedToRemoveAtMs = clock.now();
    const former = formerDeviceIds(databasePath(dataDir, mode));
    const deviceIds = new Set([...former, ...(made.deviceId === null ? [] : [made.deviceId])]);
    const removed = removeOldBackups(folder, { deviceRef, deviceIds, mode, keep, newest: made.newest });
    if (removed.length > 0) log.info({ removed: removed.length }, 'Old backups were removed');
  }
}
