import type { Clock } from '../../shared/lib/clock.ts';
import { dayMs } from '../../shared/lib/durations.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import type { Audit } from '../audit/audit-events.ts';
import type { Settings } from '../config/settings.ts';
import type { KeptProfiles } from '../customers/kept-profiles.ts';
import type { Line } from '../line/line.ts';
import { createTimeOrderedUuids, uuidFrom } from '../machine/ids.ts';
import { Attention } from '../operations/attention.ts';
import { ClockCorrection } from '../operations/delivery/clock-correction.ts';
import { CrashRecovery } from '../operations/delivery/crash-recovery.ts';
import { Poller } from '../operations/delivery/poller.ts';
import { Sender } from '../operations/delivery/sender.ts';
import { Settler } from '../operations/delivery/settler.ts';
import { TillRush } from '../operations/delivery/till-rush.ts';
import { Desk } from '../operations/immediate/desk.ts';
import { Resolver } from '../operations/immediate/resolver.ts';
import { Intake } from '../operations/intake/intake.ts';
import { KnownOriginals } from '../operations/ownership/known-originals.ts';
import { Ownership } from '../operations/ownership/ownership.ts';
import { Retention } from '../operations/personal-data/retention.ts';
import type { BusinessCalendar } from '../operations/requests/business-date.ts';
import { NewRows } from '../operations/requests/new-rows.ts';
import type { LimitWatch } from '../operations/requests/value-limits.ts';
import { Reversals } from '../operations/reversals/reversals.ts';
import { evenClock } from '../operations/settlement/even-clock.ts';
import { Verifier } from '../operations/watch/verifier.ts';
import { Watcher } from '../operations/watch/watcher.ts';
import type { Store } from '../store/store.ts';
import type { CoreEvents } from './core-events.ts';

/** All who carry operations through their life, in the order of a sale's way. */
export interface Carriers {
  readonly intake: Intake;
  readonly sender: Sender;
  readonly settler: Settler;
  readonly poller: Poller;
  readonly crashRecovery: CrashRecovery;
  readonly desk: Desk;
  readonly resolver: Resolver;
  readonly watcher: Watcher;
  readonly verifier: Verifier;
  readonly reversals: Reversals;
  readonly attention: Attention;
  readonly retention: Retention;
  readonly ownership: Ownership;
}

/** The parts list: what each of them is made of. What follows from what they do stands in CoreEvents. */
export function createCarriers(options: {
  readonly store: Store;
  readonly line: Line;
  readonly events: CoreEvents;
  readonly audit: Audit;
  readonly limits: LimitWatch;
  readonly customers: KeptProfiles;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly settings: Settings;
  /** Of the API key of this run. */
  readonly keyFingerprint: string;
  readonly calendar: BusinessCalendar;
  readonly maxInFlight: number;
  /** Whether `clock` is one that a tester moves and holds. */
  readonly isTestClock: boolean;
}): Carriers {
  const { line, events, audit, limits, customers, clock, random, settings, keyFingerprint, calendar } = options;
  const { maxInFlight, isTestClock } = options;
  const { operations, rows, writer, verify, retention, identity } = options.store;
  const { skew } = line;
  const onWriteFailed = events.writeFailed;
  const stores = { operations, rows };
  const newOperationId = createTimeOrderedUuids(clock, () => uuidFrom(random));
  const newRows = new NewRows({ operations, clock, skew, calendar, newOperationId });
  const knownOriginals = new KnownOriginals({ operations, rows, clock, skew, isTestClock });
  const ownership = new Ownership({ line, customers, rows, seals: operations.seals, knownOriginals, keyFingerprint });
  const rush = new TillRush(clock);
  const waits = evenClock(clock);
  const correction = new ClockCorrection({ operations, rows, clock, calendar, skew, isTestClock });

  const intake = new Intake({
    ...stores,
    writer,
    clock,
    limits,
    audit,
    identity,
    calendar,
    newRows,
    settings: {
      referencePrefix: settings.reference_prefix ?? '',
      branchRef: settings.branch_ref,
      deviceRef: settings.device_ref,
      currency: settings.currency,
      maxQueue: settings.limits.max_queue,
    },
  });
  const settler = new Settler({ ...stores, writer, clock, waits, rush, onChanged: events.settled, onWriteFailed });
  const sender = new Sender({
    ...stores,
    writer,
    settler,
    ownership,
    line,
    correction,
    rush,
    clock,
    waits,
    random,
    keyFingerprint,
    maxInFlight,
    onMarked: events.marked,
    onRefused: events.refused,
    onOwnTime: events.ownTime,
    onChangedOnDisk: ({ rowId }) =>
      audit.note({
        event: 'operation_changed',
        operation_id: operations.operation(rowId)?.operationId ?? String(rowId),
      }),
    onWriteFailed,
  });
  const poller = new Poller({
    operations,
    settler,
    ownership,
    line,
    sender,
    clock,
    waits,
    maxInFlight,
    onReadFailed: onWriteFailed,
  });
  const crashRecovery = new CrashRecovery({
    operations,
    writer,
    clock,
    keyFingerprint,
    onChanged: events.recovered,
    onWriteFailed,
  });

  const onChanged = events.served;
  const desk = new Desk({
    ...stores,
    writer,
    clock,
    waits,
    line,
    ownership,
    newRows,
    limits,
    audit,
    crashRecovery,
    keyFingerprint,
    answerWithinMs: settings.bridge.answer_within_ms,
    calendar,
    onChanged,
    onWriteFailed,
  });
  const watcher = new Watcher({
    stores,
    writer,
    clock,
    line,
    ownership,
    sender,
    desk,
    newRows,
    retentionMs: settings.retention_days * dayMs,
    onChanged,
    onFound: events.found,
    onWriteFailed,
  });
  return {
    ownership,
    intake,
    sender,
    settler,
    poller,
    crashRecovery,
    desk,
    resolver: new Resolver({ rows, writer, desk, clock, waits, line, onWriteFailed }),
    watcher,
    verifier: new Verifier({ ...stores, verify, writer, clock, line, ownership, desk, onChanged }),
    reversals: new Reversals({ ...stores, writer, clock, newRows }),
    attention: new Attention({
      ...stores,
      writer,
      clock,
      newRows,
      desk,
      correction,
      audit,
      limits,
      holdsAnyVersion: (operation) => watcher.holdsAnyVersion(operation),
      onChanged,
    }),
    retention: new Retention({
      store: retention,
      writer,
      clock,
      sender,
      provenNowMs: () => line.provenNowMs(),
      retentionDays: settings.retention_days,
      onErased(count) {
        events.erased(count);
        audit.note({ event: 'erased', what: 'retention', count, by: null });
      },
      onFailed: events.eraseFailed,
    }),
  };
}

/** Lets what is in flight end. The line is stopped before, the database is closed after. */
export async function closeCarriers(carriers: Carriers): Promise<void> {
  carriers.retention.close();
  carriers.poller.close();
  await carriers.watcher.close();
  await carriers.resolver.close();
  await carriers.desk.close();
  await carriers.sender.close();
  await carriers.settler.close();
}
