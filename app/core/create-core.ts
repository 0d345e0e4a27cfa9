import type { Dispatcher } from 'undici';
import type { Clock } from '../../shared/lib/clock.ts';
import { minuteMs } from '../../shared/lib/durations.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import { sumWaiting } from '../../shared/machines/operation.ts';
import { repeatWindowMs } from '../../shared/till/limits.ts';
import type { RewardGoal } from '../../shared/till/progress.ts';
import type { Notice } from '../../shared/till/views.ts';
import { type Audit, noAudit } from '../audit/audit-events.ts';
import { ServiceClient } from '../client/client.ts';
import { keyFingerprint } from '../client/key-fingerprint.ts';
import { rewardGoalOf } from '../config/reward-goal.ts';
import type { Settings } from '../config/settings.ts';
import { eraseBesideToo } from '../customers/erase-profiles.ts';
import { KeptProfiles } from '../customers/kept-profiles.ts';
import { ProfileSeal } from '../customers/profile-seal.ts';
import { Line } from '../line/line.ts';
import type { Pacing } from '../line/pacing.ts';
import { databasePath } from '../machine/data-files.ts';
import { freeBytesAt } from '../machine/disk-watch.ts';
import { uuidFrom } from '../machine/ids.ts';
import type { Log } from '../machine/log.ts';
import { DayBooks } from '../operations/days/day-books.ts';
import { openHoldsNow } from '../operations/days/holds.ts';
import { findRepeat } from '../operations/intake/repeat.ts';
import { personData } from '../operations/personal-data/person-data.ts';
import { businessCalendar } from '../operations/requests/business-date.ts';
import { HourTotals, LimitWatch, nothingTaken } from '../operations/requests/value-limits.ts';
import { People } from '../people/people.ts';
import { tillManagers } from '../people/till-managers.ts';
import { systemSchedule, type WriterSchedule } from '../store/database/writer.ts';
import { openOrRecover } from '../store/open-or-recover.ts';
import { noDoubts } from '../store/people/people-roll.ts';
import { noneUnknown } from '../store/tables/row-store.ts';
import type { AgentCore } from './agent-core.ts';
import { statusOf } from './agent-status.ts';
import { beginPeople, beginSeals, type PeopleSealing, type SealOptions } from './begin-seals.ts';
import { ChangeFeed } from './change-feed.ts';
import { CoreEvents } from './core-events.ts';
import { readsOf } from './core-reads.ts';
import { writesOf } from './core-writes.ts';
import { closeCarriers, createCarriers } from './create-carriers.ts';
import { Health } from './health.ts';
import { ScreenSale } from './screen-sale.ts';
import { serviceReads } from './service-reads.ts';
import { StoreEvents } from './store-events.ts';
import { watchedCalls } from './watched-calls.ts';

export interface CoreOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  /**
   * This machine's own, which no tester moves: PINs and badges are locked by it, and whoever waits for an answer waits by
   * it. `clock` when absent.
   */
  readonly machineClock?: Pick<Clock, 'monotonicMs' | 'setTimer'>;
  readonly random: RandomSource;
  readonly log: Log;
  readonly settings: Settings;
  readonly service: {
    readonly baseUrl: string;
    /** Null: see ServiceClient. */
    readonly apiKey: string | null;
    readonly dispatcher: Dispatcher | Promise<Dispatcher>;
  };
  readonly pacing: Pacing;
  /** What profiles of customers are kept under (`keptProfileKey`): the same at each start. */
  readonly profileKey: Uint8Array;
  /** Who did what is told here. */
  readonly audit?: Audit;
  /** What the requests of operations are sealed with; null: nothing is sealed, which no till does. */
  readonly seal: SealOptions | null;
  /** How managers and cashiers are proven; without it everybody on the list is believed. */
  readonly peopleSealing?: PeopleSealing;
  /** Tells this machine from any other (machine-identity.ts); null or absent: it cannot be told. */
  readonly machine?: string | null;
  /** Whether `clock` is one that a tester moves and holds. */
  readonly isTestClock?: boolean;
  /** What else a person should know, beside what this core sees itself. */
  readonly moreNotices?: () => readonly Notice[];
  /** What rewards cost at the service, where that is known without asking. */
  readonly knownGoals?: () => readonly RewardGoal[];
  /** How soon what is written and told goes on; this machine's own when absent. */
  readonly schedule?: WriterSchedule;
  /** How much room a folder's disk has, in bytes; null when that is not known. This machine's own when absent. */
  readonly freeBytesAt?: (path: string) => number | null;
  /** How often the database's files are looked at while nothing is saved. */
  readonly checkFilesEveryMs?: number;
}

/** An outcome that is not known for so long should be seen by a person, though it may still come by itself. */
const unknownLongMs = 15 * minuteMs;

const unmarked =
  'What says how much the database holds cannot be written; what its files lose from here on may not be noticed';

/**
 * Puts the agent together on the database of its mode in `dataDir`.
 *
 * @throws StoreError when the database cannot be used
 */
export function createCore(options: CoreOptions): AgentCore {
  const { clock, random, log, settings, service, pacing, schedule = systemSchedule, isTestClock = false } = options;
  const { audit = noAudit } = options;
  const openedAtMs = clock.now();
  const ownKeyFingerprint = keyFingerprint(service.apiKey ?? '');
  const path = databasePath(options.dataDir, settings.mode);
  const storeEvents = new StoreEvents();
  const store = openOrRecover(path, {
    random,
    ...(options.seal === null ? {} : { sealKey: options.seal.key }),
    ...(options.peopleSealing === undefined ? {} : { peopleProof: options.peopleSealing.own }),
    nowMs: openedAtMs,
    now: () => clock.now(),
    onMoved: storeEvents.moved,
    onIndexMadeAnew: storeEvents.indexMadeAnew,
    onUnmarked: () => log.warn({ file: `${path}-open` }, unmarked),
    machine: options.machine ?? null,
    onElsewhere: (why) => audit.note({ event: 'epoch_begun', mode: settings.mode, why }),
    onForeign: (objects) => audit.note({ event: 'schema_foreign', mode: settings.mode, objects }),
    saving: storeEvents.saving,
    schedule,
  });
  const { operations, rows, writer } = store;
  beginSeals(store, options.seal);
  const { peopleSealing } = options;
  if (peopleSealing !== undefined) beginPeople(store, peopleSealing, audit);
  const feed = new ChangeFeed(operations, schedule);
  const health = new Health({
    dataDir: options.dataDir,
    databasePath: path,
    mode: settings.mode,
    store,
    hasOtherKey: service.apiKey !== null && store.useKey(ownKeyFingerprint),
    openedAtMs,
    clock,
    log,
    freeBytesAt: options.freeBytesAt ?? freeBytesAt,
    checkFilesEveryMs: options.checkFilesEveryMs ?? 10_000,
    onChanged: () => feed.changed(),
  });
  storeEvents.connect(health);
  const nextTurn = () => new Promise<void>((resolve) => schedule.soon(resolve));
  const machineClock = options.machineClock ?? clock;
  const randomBytes = (length: number) => random.bytes(length);
  const seal = new ProfileSeal(options.profileKey, randomBytes);
  const people = new People({
    store: store.people,
    writer,
    clock,
    lockClock: machineClock,
    audit,
    randomBytes,
    badgeHash: (badge) => seal.hashOf('badge', badge),
    tillManagers: tillManagers(
      { dataDir: options.dataDir, mode: settings.mode, otherProof: peopleSealing?.other ?? null },
      store.people,
    ),
    onChanged: () => feed.changed(),
    ...(peopleSealing === undefined ? {} : { onVersion: peopleSealing.onVersion }),
  });
  const customers = new KeptProfiles({
    store: store.keptProfiles,
    writer,
    seal,
    clock,
    // The line keeps in these profiles whom it sees, and they go by its time: neither asks the other before a later turn.
    time: () => line,
    onFailed: (error) => log.warn({ error }, 'A customer seen is not kept for the time without a line'),
  });
  const client = new ServiceClient({ ...service, clock, answerTimeoutMs: pacing.answerTimeoutMs });
  const lastToldMs = () => health.orWithout(() => store.retention.lookForToldMs(), null);
  const line = new Line({
    client,
    operations,
    customers,
    clock,
    machineClock,
    random,
    pacing,
    isTestClock,
    lastToldMs,
  });
  const events = new CoreEvents({ line, feed, health, clock, log });
  const calendar = businessCalendar({ timeZone: settings.time_zone, startsAt: settings.day_starts_at });
  const takenBefore = () => health.orWithout(() => store.hourlyCounts.takenInHourBefore(openedAtMs), nothingTaken);
  // A save that comes after the end is refused where it is written.
  const hourTotals = new HourTotals(machineClock, () => (operations.isOpen ? takenBefore() : nothingTaken));
  const limits = new LimitWatch(settings.limits, hourTotals, machineClock);
  const carriers = createCarriers({
    store,
    line,
    events,
    audit,
    limits,
    customers,
    clock,
    random,
    settings,
    keyFingerprint: ownKeyFingerprint,
    calendar,
    maxInFlight: pacing.maxInFlight,
    isTestClock,
  });
  events.connect(carriers);
  const started = carriers.crashRecovery.start().then(() => line.connectivity.start());

  const writes = writesOf({ carriers, store, events, clock, audit });
  const { settler, ownership } = carriers;
  const reads = serviceReads({ store, line, settler, ownership, customers, clock, keyFingerprint: ownKeyFingerprint });
  const screenSale = new ScreenSale({
    clock,
    newId: () => uuidFrom(random),
    onChanged: () => feed.changed(),
  });
  const holds = () => openHoldsNow({ store: store.holds, line, clock });
  const { knownGoals = () => [] } = options;
  const ownGoals = settings.reward_goals.map(rewardGoalOf);
  const watched = watchedCalls(
    { ...writes, ...reads },
    {
      store,
      health,
      clock,
      machineClock,
      knownGoals: () => [...ownGoals, ...knownGoals()],
      onLearned: () => feed.changed(),
    },
  );

  return {
    clock,
    machineClock,
    settings,
    calendar,
    firstUses: [() => hourTotals.readBefore()],
    referencePrefixes: store.useReferencePrefix(settings.reference_prefix ?? ''),
    ...readsOf(store),
    ...writes,
    ...reads,
    ...watched,
    holds,
    needingAttention: ({ limit, afterRowId }) =>
      rows.needingAttention({
        limit,
        afterRowId: afterRowId ?? 0,
        unknownSinceMs: clock.now() - unknownLongMs,
      }),
    findRepeat: (request) =>
      findRepeat({ operations, customers }, request, { nowMs: clock.now(), currency: settings.currency }),
    redemptionsToMind: () => operations.redemptionsToMind(clock.now() - repeatWindowMs),
    async eraseKeptProfiles(by) {
      return eraseBesideToo(await customers.erase(), { path, audit, by });
    },
    persons: personData({ ...store, seal, audit, pause: nextTurn, currency: settings.currency }),
    days: new DayBooks({
      store: store.days,
      writer,
      clock,
      calendar,
      skew: line.skew,
      audit,
      holds,
      pause: nextTurn,
    }),
    people,
    screenSale,
    async tryLine() {
      await line.connectivity.tryNow();
      return line.connection;
    },
    counts: () => operations.counts.read(),
    hourlyCounts: () => store.hourlyCounts.read(clock.now(), sumWaiting(operations.counts.read())),
    lineHistory: () => events.lineHistory,

    status: () =>
      statusOf({
        settings,
        line,
        health,
        counts: feed.counts,
        unknownCounts: health.orWithout(() => rows.unknownCounts(), noneUnknown),
        foundCount: health.orWithout(() => operations.watches.foundCount(), 0),
        oldestWaitingAtMs: health.orWithout(() => operations.oldestWaitingAtMs(), null),
        oldestUnsentAtMs: health.orWithout(() => operations.oldestUnsentAtMs(), null),
        nowMs: clock.now(),
        deviceId: store.identity.deviceId,
        serviceBaseUrl: service.baseUrl,
        peopleDoubts: health.orWithout(() => people.doubts(), noDoubts),
        moreNotices: options.moreNotices?.() ?? [],
      }),
    onChange: (listener) => feed.subscribe(listener),
    wake: events.woken,

    async close() {
      await carriers.crashRecovery.close();
      await started;
      line.connectivity.stop();
      screenSale.close();
      health.close();
      customers.close();
      await closeCarriers(carriers);
      feed.close();
      store.close();
    },
  };
}
