import { join } from 'node:path';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import type { Mode, Notice } from '../../shared/till/views.ts';
import { databasePath, hasDatabase } from '../data-files.ts';
import { noteLastBackup, readLastBackup } from '../last-backup.ts';
import type { Log } from '../log.ts';
import { backUp } from '../store/backup.ts';
import { backupName, checkBackupFolder, removeOldBackups } from './backup-files.ts';
import { isBackupDue, isBackupLate } from './backup-plan.ts';

const lookEveryMs = 60_000;
/** A folder that could not be written is tried again after so long. */
const retryAfterMs = 10 * 60_000;

export interface ScheduledBackupOptions {
  readonly dataDir: string;
  /** The mode of this run; production is backed up with it where there is one. */
  readonly mode: Mode;
  readonly folder: string;
  readonly hour: number;
  readonly keep: number;
  readonly timeZone: string;
  readonly deviceRef: string;
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
  #reason: string | null = null;
  #isClosed = false;

  constructor(options: ScheduledBackupOptions) {
    this.#options = options;
    this.#sinceMs = options.clock.now();
    this.#lookLater();
  }

  notices(): readonly Notice[] {
    const { dataDir, clock } = this.#options;
    const nowMs = clock.now();
    return this.#modes()
      .flatMap((mode): readonly Notice[] => {
        const lastAtMs = readLastBackup(dataDir, mode)?.made_at_ms ?? null;
        // Once it has failed there is no use in waiting until it is late.
        if (this.#reason === null && !isBackupLate({ lastAtMs, sinceMs: this.#sinceMs, nowMs })) return [];
        return [{ code: 'backup_late', last_at: lastAtMs === null ? null : toInstant(lastAtMs), reason: this.#reason }];
      })
      .slice(0, 1);
  }

  /** Makes those that are due. */
  async look(): Promise<void> {
    const { dataDir, clock, hour, timeZone } = this.#options;
    const nowMs = clock.now();
    if (this.#triedAtMs !== null && nowMs - this.#triedAtMs < retryAfterMs && nowMs >= this.#triedAtMs) return;
    for (const mode of this.#modes()) {
      const lastAtMs = readLastBackup(dataDir, mode)?.made_at_ms ?? null;
      if (isBackupDue({ hour, timeZone }, { lastAtMs, nowMs })) await this.#make(mode, nowMs);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#running;
  }

  #modes(): readonly Mode[] {
    const { mode, dataDir } = this.#options;
    const modes: readonly Mode[] = mode === 'production' ? ['production'] : ['production', mode];
    return modes.filter((one) => hasDatabase(dataDir, one));
  }

  async #make(mode: Mode, nowMs: number): Promise<void> {
    const { dataDir, folder, deviceRef, keep, log, onChanged } = this.#options;
    try {
      checkBackupFolder(folder);
      const file = join(folder, backupName({ deviceRef, mode, atMs: nowMs }));
      const { operationCount, deviceId } = await backUp(databasePath(dataDir, mode), file, { mode, nowMs });
      noteLastBackup(dataDir, mode, { made_at_ms: nowMs, file, operations: operationCount });
      const removed = deviceId === null ? [] : removeOldBackups(folder, { deviceRef, deviceId, mode, keep });
      this.#triedAtMs = null;
      this.#reason = null;
      log.info({ file, operations: operationCount, removed: removed.length }, 'A backup was made');
    } catch (error) {
      this.#triedAtMs = nowMs;
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.#reason) log.warn({ reason }, 'A backup could not be made; it is tried again');
      this.#reason = reason;
    }
    onChanged?.();
  }

  #lookLater(): void {
    if (this.#isClosed) return;
    this.#cancel = this.#options.clock.setTimer(() => {
      this.#running = this.look().finally(() => this.#lookLater());
    }, lookEveryMs);
  }
}
