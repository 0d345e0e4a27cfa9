import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { Mode } from '../../shared/till/modes.ts';
import type { Notice } from '../../shared/till/views.ts';
import { readLastBackup } from '../backups/last-backup.ts';
import { ClockJump } from '../machine/clock-jump.ts';
import { DiskWatch, leastFreeBytes } from '../machine/disk-watch.ts';
import type { Log } from '../machine/log.ts';
import type { Recovery } from '../store/carrying/carrying.ts';
import { doubtDatabase, isDamage } from '../store/database/open.ts';
import type { Store } from '../store/store.ts';
import { noticesOf } from './notices.ts';
import { type NotSaving, SavingWatch } from './saving-watch.ts';

/** Watches what the agent stands on: the disk and the database. */
export class Health {
  readonly #options: ConstructorParameters<typeof Health>[0];
  readonly #disk: DiskWatch;
  readonly #saving: SavingWatch;
  readonly #jump: ClockJump;
  #isDamaged = false;
  #cancelWatch: CancelTimer = () => undefined;

  constructor(options: {
    readonly dataDir: string;
    readonly databasePath: string;
    readonly mode: Mode;
    readonly store: Pick<Store, 'recovery' | 'shiftRecovery' | 'checkFiles' | 'trySaving'>;
    /** The run before had another API key. */
    readonly hasOtherKey: boolean;
    readonly openedAtMs: number;
    readonly clock: Clock;
    readonly log: Log;
    readonly freeBytesAt: (path: string) => number | null;
    readonly checkFilesEveryMs: number;
    readonly onChanged: () => void;
  }) {
    this.#options = options;
    const { dataDir, store, openedAtMs, clock, log } = options;
    this.#jump = new ClockJump(clock);
    this.#disk = new DiskWatch({
      path: dataDir,
      clock,
      freeBytesAt: options.freeBytesAt,
      onLook: (before, now) => this.#looked(before, now),
    });
    this.#watchFiles();
    this.#saving = new SavingWatch({
      clock,
      trySaving: () => store.trySaving(),
      onChanged: (trouble) => this.#savingChanged(trouble),
    });
    if (store.recovery?.atMs === openedAtMs) {
      log.error({ ...store.recovery }, 'The database was replaced; what could be read of the old one was carried over');
    }
  }

  /** Each commit of the database is told to it. */
  get saving(): Pick<SavingWatch, 'saved' | 'failed' | 'refused'> {
    return this.#saving;
  }

  /** An error of the database: one that says that a page is damaged has the next start look at all of it. */
  observe(error: unknown): void {
    if (this.#isDamaged || !isDamage(error)) return;
    const { databasePath, log, onChanged } = this.#options;
    this.#isDamaged = true;
    doubtDatabase(databasePath);
    log.error({ error }, 'The database is damaged; it is repaired at the next start of the agent');
    onChanged();
  }

  /** What `read` gives, or `otherwise` when a damaged page is in its way: a look must not end the till. */
  orWithout<Value>(read: () => Value, otherwise: Value): Value {
    try {
      return read();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.observe(error);
      return otherwise;
    }
  }

  notices(queue: { readonly waitingCount: number; readonly maxQueue: number }): readonly Notice[] {
    const { clock, store, dataDir, mode } = this.#options;
    return noticesOf({
      nowMs: clock.now(),
      freeBytes: this.#disk.freeBytes,
      ...queue,
      notSaving: this.#saving.trouble,
      recovery: store.recovery,
      // Read only where it is told.
      lastBackupAtMs: store.recovery === null ? null : (readLastBackup(dataDir, mode)?.made_at_ms ?? null),
      isDamaged: this.#isDamaged,
      hasOtherKey: this.#options.hasOtherKey,
    });
  }

  /** No later start could know that somebody has set the clock. */
  close(): void {
    this.#followTheClock();
    this.#cancelWatch();
    this.#disk.close();
    this.#saving.close();
  }

  /** The files of the database were deleted, replaced or cut under it. */
  moved(recovery: Recovery): void {
    const { log, onChanged } = this.#options;
    log.error({ ...recovery }, 'The files of the database were deleted, replaced or cut; it goes on in a new one');
    onChanged();
  }

  /** The index of the log was cut or replaced under the database. */
  indexMadeAnew(): void {
    const file = `${this.#options.databasePath}-shm`;
    this.#options.log.warn({ file }, 'The index of the log was cut or replaced; it is made again and nothing is lost');
  }

  #savingChanged(trouble: NotSaving | null): void {
    const { log, onChanged } = this.#options;
    if (trouble === null) log.info({}, 'The database takes changes again');
    else log.error({ why: trouble.why, reason: trouble.reason }, 'Nothing can be saved: sales are refused');
    onChanged();
  }

  /** What was cut is saved from memory, which holds it only for a time: nobody may sell meanwhile. */
  #watchFiles(): void {
    this.#cancelWatch = this.#options.clock.setTimer(() => {
      this.#watchFiles();
      this.#followTheClock();
      try {
        this.#options.store.checkFiles('quick');
      } catch (error) {
        this.#saving.failed(error);
      }
    }, this.#options.checkFilesEveryMs);
  }

  /** That a database was replaced is told for some days from then on, also where the clock was wrong by then. */
  #followTheClock(): void {
    const { store } = this.#options;
    const { byMs } = this.#jump;
    if (byMs === 0) return;
    this.#jump.followed(byMs);
    if (store.recovery === null) return;
    store.shiftRecovery(byMs).catch(() => this.#jump.followed(-byMs));
  }

  #looked(before: number | null, now: number | null): void {
    const { log, onChanged, store } = this.#options;
    try {
      store.checkFiles('close');
    } catch (error) {
      this.#saving.failed(error);
      log.error({ error }, 'The files of the database are gone, and it cannot be saved to new ones');
    }
    const wasLow = isLow(before);
    if (isLow(now) && !wasLow) log.warn({ free_bytes: now }, 'The disk is nearly full; sales stop when it is');
    if (isLow(now) || wasLow) onChanged();
  }
}

function isLow(freeBytes: number | null): boolean {
  return freeBytes !== null && freeBytes < leastFreeBytes;
}
