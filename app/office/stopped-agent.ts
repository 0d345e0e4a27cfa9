import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../shared/lib/clock.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import type { Audit } from '../audit/audit-events.ts';
import type { Settings } from '../config/settings.ts';
import { beginPeople, type PeopleSealing } from '../core/begin-seals.ts';
import { eraseBesideToo } from '../customers/erase-profiles.ts';
import { ProfileSeal } from '../customers/profile-seal.ts';
import { createTimeOrderedUuids, uuidFrom } from '../machine/ids.ts';
import { Attention } from '../operations/attention.ts';
import { DayBooks } from '../operations/days/day-books.ts';
import { holdRowsMs, openHolds } from '../operations/days/holds.ts';
import { personData } from '../operations/personal-data/person-data.ts';
import { businessCalendar } from '../operations/requests/business-date.ts';
import { NewRows } from '../operations/requests/new-rows.ts';
import { People } from '../people/people.ts';
import { openStore, type Store } from '../store/store.ts';
import type { OfficeSource } from './office-call.ts';

/**
 * The database of an agent that does not run. What may be at the service stays undecided: nobody can look there now.
 *
 * @param path the database of one mode, in a data folder that the caller holds
 * @throws StoreError
 */
export function openStoppedAgent(
  path: string,
  options: {
    readonly clock: Clock;
    readonly random: RandomSource;
    readonly profileKey: Uint8Array;
    readonly tillKey: Uint8Array;
    /** Tells this machine from any other (machine-identity.ts). */
    readonly machine: string | null;
    readonly peopleSealing: PeopleSealing;
    readonly audit: Audit;
    readonly settings: Pick<Settings, 'mode' | 'time_zone' | 'day_starts_at' | 'currency'>;
  },
): { readonly source: OfficeSource; readonly store: Store; close(): void } {
  const { clock, random, profileKey, tillKey, peopleSealing, audit, settings } = options;
  const randomBytes = (length: number) => random.bytes(length);
  const seal = new ProfileSeal(profileKey, randomBytes);
  const store = openStore(path, {
    random,
    nowMs: clock.now(),
    sealKey: tillKey,
    peopleProof: peopleSealing.own,
    machine: options.machine,
    onElsewhere: (why) => audit.note({ event: 'epoch_begun', mode: settings.mode, why }),
  });
  beginPeople(store, peopleSealing, audit);
  const { operations, rows, activity, keptProfiles, writer } = store;
  const calendar = businessCalendar({ timeZone: settings.time_zone, startsAt: settings.day_starts_at });
  const attention = new Attention({
    operations,
    rows,
    writer,
    clock,
    newRows: new NewRows({
      operations,
      clock,
      skew: { skewMs: null },
      calendar,
      newOperationId: createTimeOrderedUuids(clock, () => uuidFrom(random)),
    }),
    // Nobody can read the service's books now.
    desk: { lookUp: async () => 'unsure' },
    correction: null,
    holdsAnyVersion: async () => null,
    audit,
    // No command corrects a sale: there is nothing to be counted.
    limits: null,
    onChanged: () => undefined,
  });
  return {
    store,
    source: {
      activity: (filter, page) => activity.look(filter, page, operations.counts.read()),
      operationsByReference: (externalRef) => operations.operationsByReference(externalRef),
      sentRequest: (rowId) => activity.sentRequest(rowId),
      triesBefore: (rowId) => activity.triesBefore(rowId),
      history: (rowId) => operations.history(rowId),
      counts: () => operations.counts.read(),
      resend: (operationId, decider) => attention.resend(operationId, decider),
      settings,
      persons: personData({ ...store, seal, audit, pause: () => nextTurn(), currency: settings.currency }),
      days: new DayBooks({
        store: store.days,
        writer,
        clock,
        calendar,
        // Nothing is heard of the service.
        skew: { skewMs: null },
        audit,
        holds: () => openHolds(store.holds.since(clock.now() - holdRowsMs), clock.now()),
        pause: nextTurn,
      }),
      people: new People({
        store: store.people,
        writer,
        clock,
        lockClock: clock,
        audit,
        randomBytes,
        badgeHash: (badge) => seal.hashOf('badge', badge),
        onVersion: peopleSealing.onVersion,
      }),
      async eraseKeptProfiles(by) {
        const erased = await writer.urgent(() => keptProfiles.eraseAll());
        const notReached = keptProfiles.wipe() ? [] : [keptProfiles.logName];
        return eraseBesideToo({ erased, notReached }, { path, audit, by });
      },
      writeOff: (operationId, decider) => attention.writeOff(operationId, decider),
      keep: (operationId, decider) => attention.keep(operationId, decider),
      verify: async () => ({ kind: 'out_of_reach' }),
      tryLine: async () => null,
      takeBack: (operationId, decider) => attention.takeBack(operationId, decider),
    },
    close: () => store.close(),
  };
}
