import { ServiceClient } from '../client/client.ts';
import { keyFingerprint } from '../client/key-fingerprint.ts';
import { KeptProfiles } from '../customers/kept-profiles.ts';
import { ProfileSeal } from '../customers/profile-seal.ts';
import { Line } from '../line/line.ts';
import { databasePath } from '../machine/data-files.ts';
import { businessCalendar } from '../operations/requests/business-date.ts';
import { HourTotals, LimitWatch, nothingTaken } from '../operations/requests/value-limits.ts';
import { People } from '../people/people.ts';
import { tillManagers } from '../people/till-managers.ts';
import type { AgentCore } from './agent-core.ts';
import { ChangeFeed } from './change-feed.ts';
import { coreApi } from './core-api.ts';
import { CoreEvents } from './core-events.ts';
import { type CoreOptions, completed } from './core-options.ts';
import { createCarriers } from './create-carriers.ts';
import { Health } from './health.ts';
import { openCoreStore } from './open-core-store.ts';
import { StoreEvents } from './store-events.ts';

/**
 * Puts the agent together on the database of its mode in `dataDir`.
 *
 * @throws StoreError when the database cannot be used
 */
export function createCore(asked: CoreOptions): AgentCore {
  const options = completed(asked);
  const { clock, machineClock, random, log, settings, service, pacing, schedule, isTestClock, audit } = options;
  const { peopleSealing } = options;
  const openedAtMs = clock.now();
  const ownKeyFingerprint = keyFingerprint(service.apiKey ?? '');
  const path = databasePath(options.dataDir, settings.mode);
  const storeEvents = new StoreEvents();
  const store = openCoreStore(options, { path, openedAtMs, events: storeEvents });
  const { operations, writer } = store;
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
    freeBytesAt: options.freeBytesAt,
    checkFilesEveryMs: options.checkFilesEveryMs,
    onChanged: () => feed.changed(),
  });
  storeEvents.connect(health);
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

  return coreApi(options, {
    path,
    store,
    feed,
    health,
    seal,
    people,
    customers,
    line,
    events,
    calendar,
    hourTotals,
    carriers,
    keyFingerprint: ownKeyFingerprint,
    started,
  });
}
