import type { RandomSource } from '../../shared/lib/random.ts';
import { Activity } from './activity.ts';
import { finishCarrying, lastRecovery, type Recovery } from './carrying.ts';
import { DayStore } from './day-store.ts';
import { fileGuard } from './file-guard.ts';
import { HoldStore } from './hold-store.ts';
import { HourCounter } from './hour-counts.ts';
import { type DatabaseIdentity, readIdentity } from './identity.ts';
import { ImmediateStore } from './immediate-store.ts';
import { KeptProfileStore } from './kept-profile-store.ts';
import { asStoreError, openDatabase } from './open.ts';
import { OperationStore } from './operation-store.ts';
import { PeopleStore } from './people-store.ts';
import { placeOf } from './place.ts';
import { RetentionStore } from './retention-store.ts';
import { Writer, type WriterSchedule } from './writer.ts';

/** The agent's database, open and proven durable. */
export interface Store {
  readonly operations: OperationStore;
  readonly immediate: ImmediateStore;
  readonly holds: HoldStore;
  readonly activity: Activity;
  readonly keptProfiles: KeptProfileStore;
  readonly retention: RetentionStore;
  readonly people: PeopleStore;
  readonly hourlyCounts: HourCounter;
  readonly days: DayStore;
  readonly writer: Writer;
  readonly identity: DatabaseIdentity;
  /** The last time that this database took another's place; null when it never did. */
  readonly recovery: Recovery | null;
  /** Notes the key of this run. @returns whether the run before had another one */
  useKey(fingerprint: string): boolean;
  /** Commits what is pending and closes the file. */
  close(): void;
}

export interface StoreOptions {
  readonly random: RandomSource;
  readonly schedule?: WriterSchedule;
  /** With it, operations that another database was found to hold are taken in (see carrying.ts). */
  readonly nowMs?: number;
}

/** @throws StoreError when the file is damaged, too new, or out of reach */
export function openStore(path: string, options: StoreOptions): Store {
  const database = openDatabase(path);
  try {
    if (options.nowMs !== undefined) finishCarrying(database, path, options.nowMs);
    const operations = new OperationStore(database);
    const writer = new Writer(database, options.schedule, operations.counts, fileGuard(path));
    return {
      operations,
      immediate: new ImmediateStore(database, operations),
      holds: new HoldStore(database),
      activity: new Activity(database),
      keptProfiles: new KeptProfileStore(database),
      retention: new RetentionStore(database),
      people: new PeopleStore(database),
      hourlyCounts: new HourCounter(database),
      days: new DayStore(database),
      writer,
      identity: readIdentity(database, placeOf(path), options.random),
      recovery: lastRecovery(database),
      useKey(fingerprint) {
        const before = database.prepare<[], { value: string }>(`SELECT value FROM meta WHERE key = 'last_key'`).get();
        if (before?.value === fingerprint) return false;
        database
          .prepare(
            `INSERT INTO meta (key, value) VALUES ('last_key', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
          )
          .run(fingerprint);
        return before !== undefined;
      },
      close() {
        writer.flush();
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw asStoreError(error, path);
  }
}
