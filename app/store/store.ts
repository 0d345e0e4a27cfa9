import type { Database } from 'better-sqlite3';
import type { RandomSource } from '../../shared/lib/random.ts';
import type { Recovery } from './carrying/carrying.ts';
import { suspectCopied } from './carrying/copied-till.ts';
import { watchPutBack } from './carrying/put-back.ts';
import { openReady, type RecoverOptions } from './carrying/recover-database.ts';
import { commitTrial } from './database/commit-trial.ts';
import { asStoreError } from './database/open.ts';
import { placeOf } from './database/place.ts';
import { type CommitGuard, Writer, type WriterSchedule } from './database/writer.ts';
import { noteCopied, noteIdentity } from './files/known-databases.ts';
import type { PeopleProof } from './people/people-roll.ts';
import { PeopleStore } from './people/people-store.ts';
import { StoreFiles } from './store-files.ts';
import { Activity } from './tables/activity.ts';
import { CustomerRows } from './tables/customer-rows.ts';
import { DayStore } from './tables/day-store.ts';
import { HoldStore } from './tables/hold-store.ts';
import { HourCounter } from './tables/hour-counts.ts';
import { cameFromElsewhere, type DatabaseIdentity, type Elsewhere, readIdentity } from './tables/identity.ts';
import { KeptProfileStore } from './tables/kept-profile-store.ts';
import { OperationStore } from './tables/operation-store.ts';
import type { OperationStores } from './tables/operation-stores.ts';
import { PersonStore } from './tables/person-store.ts';
import { type ReferencePrefixes, useReferencePrefix } from './tables/reference-prefixes.ts';
import { RetentionStore } from './tables/retention-store.ts';
import { RewardPriceStore } from './tables/reward-price-store.ts';
import { RowStore } from './tables/row-store.ts';
import { VerifyStore } from './tables/verify-store.ts';
import { readMeta, writeMeta } from './versions/meta.ts';

/** The agent's database, open and proven durable. */
export interface Store extends OperationStores {
  readonly holds: HoldStore;
  readonly activity: Activity;
  readonly customerRows: CustomerRows;
  readonly keptProfiles: KeptProfileStore;
  readonly retention: RetentionStore;
  readonly person: PersonStore;
  readonly people: PeopleStore;
  readonly hourlyCounts: HourCounter;
  readonly days: DayStore;
  readonly verify: VerifyStore;
  readonly rewardPrices: RewardPriceStore;
  readonly writer: Writer;
  readonly identity: DatabaseIdentity;
  /** The last time that this database took another's place; null when it never did. */
  readonly recovery: Recovery | null;
  /** The wall clock was set: the note of that moves along. Rejects with StoreError, SqliteError. */
  shiftRecovery(byMs: number): Promise<void>;
  /**
   * Looks whether the database's files are still in their place; what the open ones hold is saved to a new file
   * otherwise.
   *
   * @param look `quick` as before each commit; `close` where nothing waits for it
   * @throws StoreError when that is not possible: nothing can be saved then
   */
  checkFiles(look: 'quick' | 'close'): void;
  /**
   * Commits a small change at once, without waiting for another program.
   *
   * @throws StoreError, SqliteError
   */
  trySaving(): void;
  /** See SealStore. Nothing has been written through the Writer yet. */
  sealFirst(): number;
  /** See PeopleStore.sealFirst. Nothing has been written through the Writer yet. @returns names */
  sealPeopleFirst(): readonly string[];
  /** Notes the key of this run. @returns whether the run before had another one */
  useKey(fingerprint: string): boolean;
  /** Notes the prefix of this run. @returns it, and those of the runs before */
  useReferencePrefix(current: string): ReferencePrefixes;
  /** Commits what is pending and closes the file. */
  close(): void;
}

export interface StoreOptions {
  readonly random: RandomSource;
  readonly schedule?: WriterSchedule;
  /** What the requests of operations are sealed with; without it nothing is sealed, and nothing looked at. */
  readonly sealKey?: Uint8Array;
  /** How people are proven; without it everybody on the list is believed. */
  readonly peopleProof?: PeopleProof;
  /** With it, operations that another database was found to hold are taken in (see carrying.ts). */
  readonly nowMs?: number;
  /** Tells when a database had to be moved. */
  readonly now?: () => number;
  /** Told when the files of the database were deleted, replaced or cut while it was open. */
  readonly onMoved?: (recovery: Recovery) => void;
  /** Told when the index of the log (`-shm`) was cut or replaced while the database was open, and nothing was lost. */
  readonly onIndexMadeAnew?: () => void;
  /** Told when what says how much the files hold cannot be written: the next start may not see what they have lost. */
  readonly onUnmarked?: () => void;
  readonly onForeign?: NonNullable<RecoverOptions['onForeign']>;
  readonly saving?: SavingObserver;
  /** Tells this machine from any other (machine-identity.ts). */
  readonly machine?: string | null;
  /** Told when the database was used last in another place, or on another machine: its references begin anew. */
  readonly onElsewhere?: (what: Elsewhere) => void;
}

/** Told of each commit whether it reached the disk. */
interface SavingObserver {
  saved(): void;
  failed(error: unknown): void;
}

/** @throws StoreError when the file is damaged, too new, or out of reach */
export function openStore(path: string, options: StoreOptions): Store {
  return storeOn(path, openReady(path, { nowMs: options.nowMs }), options);
}

/** @param opened by openReady */
export function storeOn(path: string, opened: Database, options: StoreOptions): Store {
  const identity = identify(path, opened, options);
  const files = new StoreFiles(path, opened, {
    deviceId: identity.deviceId,
    isDraft: options.nowMs === undefined,
    now: options.now ?? (() => options.nowMs ?? 0),
    operationCount: () => Object.values(operations.counts.read()).reduce((sum, count) => sum + count, 0),
    onMoved(recovery) {
      operations.counts.readAgain();
      options.onMoved?.(recovery);
    },
    onIndexMadeAnew: () => options.onIndexMadeAnew?.(),
    onUnmarked: () => options.onUnmarked?.(),
  });
  const { database } = files;
  let operations: OperationStore;
  try {
    operations = new OperationStore(database, options.sealKey ?? null);
    const guard: CommitGuard = {
      check: () => files.check(),
      committed() {
        files.committed();
        options.saving?.saved();
      },
      failed: (error) => options.saving?.failed(error),
    };
    const people = new PeopleStore(database, options.peopleProof ?? null);
    const days = new DayStore(database);
    const writer = new Writer(database, options.schedule, operations.counts, guard);
    return {
      operations,
      rows: new RowStore(database, { operations, days }),
      holds: new HoldStore(database),
      activity: new Activity(database),
      customerRows: new CustomerRows(database),
      keptProfiles: new KeptProfileStore(database),
      retention: new RetentionStore(database),
      person: new PersonStore(database),
      people,
      hourlyCounts: new HourCounter(database),
      days,
      verify: new VerifyStore(database),
      rewardPrices: new RewardPriceStore(database),
      writer,
      identity,
      get recovery() {
        return files.recovery;
      },
      shiftRecovery: (byMs) => writer.lazy(() => files.shiftRecovery(byMs)),
      checkFiles: (look) => (look === 'quick' ? files.check() : files.checkClosely()),
      trySaving() {
        files.check();
        commitTrial(database);
        files.committed();
      },
      sealFirst: () => database.transaction(() => operations.seals.sealFirst())(),
      sealPeopleFirst: () => database.transaction(() => people.sealFirst())(),
      useKey(fingerprint) {
        const before = readMeta(database, 'last_key');
        if (before === fingerprint) return false;
        writeMeta(database, 'last_key', fingerprint);
        return before !== null;
      },
      useReferencePrefix: (current) => useReferencePrefix(database, current),
      close() {
        // Should a page be lost until the next start, it is known how many there were. What hinders it loses nothing.
        if (operations.counts.areBehind) {
          writer.urgent(() => operations.counts.writeAll()).catch(() => undefined);
        }
        writer.flush();
        files.close();
      },
    };
  } catch (error) {
    files.abandon();
    throw asStoreError(error, path);
  }
}

function identify(
  path: string,
  opened: Database,
  { nowMs, random, machine = null, onElsewhere }: StoreOptions,
): DatabaseIdentity {
  try {
    const whereabouts = { place: placeOf(path), machine };
    const elsewhere = cameFromElsewhere(opened, whereabouts);
    // An older copy may have been put in its place by hand.
    if (nowMs !== undefined && elsewhere === 'place') watchPutBack(opened, nowMs);
    if (nowMs !== undefined && elsewhere === 'machine') suspectCopied(opened, nowMs);
    if (nowMs !== undefined && elsewhere !== null) onElsewhere?.(elsewhere);
    return readIdentity(opened, {
      whereabouts,
      random,
      // A draft is nobody's database yet.
      onKnown: nowMs === undefined ? () => undefined : (deviceId) => noteIdentity(path, deviceId),
      onCopied: (identities) => nowMs !== undefined && noteCopied(path, identities),
    });
  } catch (error) {
    opened.close();
    throw asStoreError(error, path);
  }
}
