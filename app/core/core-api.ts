import { minuteMs } from '../../shared/lib/durations.ts';
import { sumWaiting } from '../../shared/machines/operation.ts';
import { repeatWindowMs } from '../../shared/till/limits.ts';
import { rewardGoalOf } from '../config/reward-goal.ts';
import { eraseBesideToo } from '../customers/erase-profiles.ts';
import type { KeptProfiles } from '../customers/kept-profiles.ts';
import type { ProfileSeal } from '../customers/profile-seal.ts';
import type { Line } from '../line/line.ts';
import { uuidFrom } from '../machine/ids.ts';
import { DayBooks } from '../operations/days/day-books.ts';
import { openHoldsNow } from '../operations/days/holds.ts';
import { findRepeat } from '../operations/intake/repeat.ts';
import { personData } from '../operations/personal-data/person-data.ts';
import type { BusinessCalendar } from '../operations/requests/business-date.ts';
import type { HourTotals } from '../operations/requests/value-limits.ts';
import type { People } from '../people/people.ts';
import { noDoubts } from '../store/people/people-roll.ts';
import type { Store } from '../store/store.ts';
import { noneUnknown } from '../store/tables/row-store.ts';
import type { AgentCore } from './agent-core.ts';
import { statusOf } from './agent-status.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { CoreEvents } from './core-events.ts';
import type { CompleteCoreOptions } from './core-options.ts';
import { readsOf } from './core-reads.ts';
import { writesOf } from './core-writes.ts';
import { type Carriers, closeCarriers } from './create-carriers.ts';
import type { Health } from './health.ts';
import { ScreenSale } from './screen-sale.ts';
import { serviceReads } from './service-reads.ts';
import { watchedCalls } from './watched-calls.ts';

/** An outcome that is not known for so long should be seen by a person, though it may still come by itself. */
const unknownLongMs = 15 * minuteMs;

/** What createCore has put together. */
interface CoreParts {
  /** Of the database. */
  readonly path: string;
  readonly store: Store;
  readonly feed: ChangeFeed;
  readonly health: Health;
  readonly seal: ProfileSeal;
  readonly people: People;
  readonly customers: KeptProfiles;
  readonly line: Line;
  readonly events: CoreEvents;
  readonly calendar: BusinessCalendar;
  readonly hourTotals: HourTotals;
  readonly carriers: Carriers;
  /** Of the API key of this run. */
  readonly keyFingerprint: string;
  /** What a run before has left is in order, and the line was told to begin. */
  readonly started: Promise<void>;
}

/** What the doors may ask, answered by the parts. */
export function coreApi(options: CompleteCoreOptions, parts: CoreParts): AgentCore {
  const { clock, machineClock, random, settings, schedule, audit, knownGoals } = options;
  const { path, store, feed, health, seal, people, customers, line, events, calendar, hourTotals, carriers } = parts;
  const { operations, rows, writer } = store;
  const nextTurn = () => new Promise<void>((resolve) => schedule.soon(resolve));
  const writes = writesOf({ carriers, store, events, clock, audit });
  const { settler, ownership } = carriers;
  const { keyFingerprint } = parts;
  const reads = serviceReads({ store, line, settler, ownership, customers, clock, keyFingerprint });
  const screenSale = new ScreenSale({
    clock,
    newId: () => uuidFrom(random),
    onChanged: () => feed.changed(),
  });
  const holds = () => openHoldsNow({ store: store.holds, line, clock });
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
        serviceBaseUrl: options.service.baseUrl,
        peopleDoubts: health.orWithout(() => people.doubts(), noDoubts),
        moreNotices: options.moreNotices(),
      }),
    onChange: (listener) => feed.subscribe(listener),
    wake: events.woken,

    async close() {
      await carriers.crashRecovery.close();
      await parts.started;
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
