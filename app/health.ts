import type { Clock } from '../shared/lib/clock.ts';
import type { Notice } from '../shared/till/views.ts';
import { DiskWatch } from './disk-watch.ts';
import type { Log } from './log.ts';
import { leastFreeBytes, noticesOf } from './notices.ts';
import { doubtDatabase, isDamage } from './store/open.ts';
import type { Store } from './store/store.ts';

/** Watches what the agent stands on: the disk and the database. */
export class Health {
  readonly #options: ConstructorParameters<typeof Health>[0];
  readonly #disk: DiskWatch;
  #isDamaged = false;

  constructor(options: {
    readonly dataDir: string;
    readonly databasePath: string;
    readonly store: Pick<Store, 'recovery'>;
    /** The run before had another API key. */
    readonly hasOtherKey: boolean;
    readonly openedAtMs: number;
    readonly clock: Clock;
    readonly log: Log;
    readonly freeBytesAt: (path: string) => number | null;
    readonly onChanged: () => void;
  }) {
    this.#options = options;
    const { dataDir, store, openedAtMs, clock, log } = options;
    this.#disk = new DiskWatch({
      path: dataDir,
      clock,
      freeBytesAt: options.freeBytesAt,
      onLook: (before, now) => this.#looked(before, now),
    });
    if (store.recovery?.atMs === openedAtMs) {
      log.error({ ...store.recovery }, 'The database was replaced; what could be read of the old one was carried over');
    }
  }

  /** An error of the database: one that says that a page is damaged has the next start look at all of it. */
  observe(error: unknown): void {
    if (this.#isDamaged || !isDamage(error)) return;
    const { databasePath, log, onChanged } = this.#options;
    this.#isDamaged = true;
    doubtDatabase(databasePath);
    log.error({ error }, 'The database is damaged; it is mended at the next start of the agent');
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
    const { clock, store } = this.#options;
    return noticesOf({
      nowMs: clock.now(),
      freeBytes: this.#disk.freeBytes,
      ...queue,
      recovery: store.recovery,
      isDamaged: this.#isDamaged,
      hasOtherKey: this.#options.hasOtherKey,
    });
  }

  close(): void {
    this.#disk.close();
  }

  #looked(before: number | null, now: number | null): void {
    const { log, onChanged } = this.#options;
    const wasLow = isLow(before);
    if (isLow(now) && !wasLow) log.warn({ free_bytes: now }, 'The disk is nearly full; sales stop when it is');
    if (isLow(now) || wasLow) onChanged();
  }
}

function isLow(freeBytes: number | null): boolean {
  return freeBytes !== null && freeBytes < leastFreeBytes;
}
