import type { Dispatcher } from 'undici';
import type { Identifier } from '../../shared/contract/identifier.ts';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import { sumWaiting } from '../../shared/machines/operation.ts';
import type { Notice } from '../../shared/till/views.ts';
import { ServiceClient } from '../client/client.ts';
import { keyFingerprint } from '../client/key-fingerprint.ts';
import type { CallOutcome } from '../client/outcome.ts';
import type { Settings } from '../config/settings.ts';
import { KeptProfiles } from '../customers/kept-profiles.ts';
import { ProfileSeal } from '../customers/profile-seal.ts';
import { LineHistory } from '../line/line-history.ts';
import { lineChangedMessage } from '../line/line-messages.ts';
import { type Pacing, ServiceLine } from '../line/service-line.ts';
import { createTransmit } from '../line/transmit.ts';
import { databasePath } from '../machine/data-files.ts';
import { freeBytesAt } from '../machine/disk-watch.ts';
import { createTimeOrderedUuids, uuidFrom } from '../machine/ids.ts';
import type { Log } from '../machine/log.ts';
import type { AttentionOutcome } from '../operations/attention.ts';
import { businessDates } from '../operations/business-date.ts';
import { changeWithConsequences } from '../operations/consequences.ts';
import { DayBooks } from '../operations/day-books.ts';
import { holdRowsMs, openHolds } from '../operations/holds.ts';
import type { ImmediateWrite } from '../operations/immediate-write.ts';
import { Intake } from '../operations/intake.ts';
import { knownOriginals } from '../operations/known-originals.ts';
import { Ownership } from '../operations/ownership.ts';
import { findRepeat } from '../operations/repeat.ts';
import { Retention } from '../operations/retention.ts';
import type { ReversalRequest } from '../operations/reversal-row.ts';
import type { CancelOutcome, NewEarn } from '../operations/save-outcome.ts';
import { cancellation } from '../operations/settlement.ts';
import { HourTotals, LimitWatch } from '../operations/value-limits.ts';
import { People } from '../people/people.ts';
import { tillManagers } from '../people/till-managers.ts';
import type { Decision } from '../store/operation-values.ts';
import { eraseProfilesBeside } from '../store/other-databases.ts';
import { openOrRecover } from '../store/recover.ts';
import { systemSchedule, type WriterSchedule } from '../store/writer.ts';
import type { AgentCore } from './agent-core.ts';
import { statusOf } from './agent-status.ts';
import { ChangeFeed } from './change-feed.ts';
import { readsOf } from './core-reads.ts';
import { createDelivery } from './create-delivery.ts';
import { createDesk } from './create-desk.ts';
import { Health } from './health.ts';
import { serviceReads } from './service-reads.ts';

export interface CoreOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  /** This machine's own, which no tester moves: PINs and badges are locked by it. `clock` when absent. */
  readonly machineClock?: Pick<Clock, 'monotonicMs'>;
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
  /** What profiles of customers are kept under: profileKeyBytes of them, the same at each start. */
  readonly profileKey: Uint8Array;
  /** Whether `clock` is one that a tester moves and holds. */
  readonly isTestClock?: boolean;
  /** What else a person should know, beside what this core sees itself. */
  readonly moreNotices?: () => readonly Notice[];
  /** How soon what is written and told goes on; this machine's own when absent. */
  readonly schedule?: WriterSchedule;
  /** How much room a folder's disk has, in bytes; null when that is not known. This machine's own when absent. */
  readonly freeBytesAt?: (path: string) => number | null;
  /** How often the database's files are looked at while nothing is saved. */
  readonly checkFilesEveryMs?: number;
}

/** An outcome that is not known for so long should be seen by a person, though it may still come by itself. */
const unknownLongMs = 15 * 60_000;

/**
 * Puts the agent together on the database of its mode in `dataDir`.
 *
 * @throws StoreError when the database cannot be used
 */
export function createCore(options: CoreOptions): AgentCore {
  const { clock, random, log, settings, service, pacing, schedule = systemSchedule } = options;
  const openedAtMs = clock.now();
  const ownKeyFingerprint = keyFingerprint(service.apiKey ?? '');
  const path = databasePath(options.dataDir, settings.mode);
  const store = openOrRecover(path, {
    random,
    nowMs: openedAtMs,
    now: () => clock.now(),
    onMoved: (recovery) => health.moved(recovery),
    saving: { saved: () => health.saving.saved(), failed: (error) => health.saving.failed(error) },
    schedule,
  });
  const { operations, immediate, writer } = store;
  const client = new ServiceClient({ ...service, clock, answerTimeoutMs: pacing.answerTimeoutMs });
  const line = new ServiceLine({ client, clock, random, pacing });
  const randomBytes = (length: number) => random.bytes(length);
  const machineClock = options.machineClock ?? clock;
  const takenBefore = store.hourlyCounts.takenSince(openedAtMs - 3_600_000);
  const limits = new LimitWatch(settings.limits, new HourTotals(machineClock, takenBefore), machineClock);
  const seal = new ProfileSeal(options.profileKey, randomBytes);
  const people = new People({
    store: store.people,
    writer,
    clock,
    lockClock: machineClock,
    randomBytes,
    badgeHash: (badge) => seal.hashOf('badge', badge),
    tillManagers: tillManagers({ dataDir: options.dataDir, mode: settings.mode }, store.people),
    onChanged: () => feed.changed(),
  });
  const kept = new KeptProfiles({
    store: store.keptProfiles,
    writer,
    seal,
    clock,
    onFailed: (error) => log.warn({ error }, 'A customer seen is not kept for the time without a line'),
  });
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

  /** An answer that comes too late for the one who asked is kept all the same. */
  async function identify(identifier: Identifier): Promise<CallOutcome<CustomerProfile>> {
    const outcome = await client.call('identify', { body: JSON.stringify(identifier) });
    if (outcome.kind === 'done') kept.keep(identifier, outcome.answer);
    return outcome;
  }

  function onWriteFailed(error: unknown): void {
    health.observe(error);
    log.error({ error }, 'The database did not take a change; it is tried again');
  }

  const transmit = createTransmit({ client, operations });
  const heldUnder = (externalRef: string) =>
    line.observe(client.call('transactionsByReference', { query: { external_ref: externalRef } }));
  const ownership = new Ownership({
    identify: (identifier) => line.observe(identify(identifier)),
    keptProfile: (identifier) => kept.find(identifier),
    heldUnder,
    heldById: (id) => line.observe(client.call('transaction', { params: { transaction_id: id } })),
    repeatCommit(rowId) {
      const row = immediate.sent(rowId);
      return row === null ? null : line.observe(transmit('commit', row));
    },
    ...knownOriginals({ store: operations, immediate, clock, skew: line.skew }),
  });
  const { sender, poller, crashRecovery, settler } = createDelivery({
    store,
    client,
    transmit,
    heldUnder,
    ownership,
    line,
    clock,
    random,
    keyFingerprint: ownKeyFingerprint,
    maxInFlight: pacing.maxInFlight,
    isTestClock: options.isTestClock ?? false,
    onRecovered() {
      feed.changed();
      sender.wake();
      resolver.wake();
    },
    onSettled,
    onMarked: (rowIds) => feed.changed(rowIds),
    onRefused: ({ externalRef }, { code, message }) =>
      log.warn({ external_ref: externalRef, code, reason: message }, 'The service refused a sale; it needs a person'),
    onWriteFailed,
  });
  const businessDateOf = businessDates({ timeZone: settings.time_zone, startsAt: settings.day_starts_at });
  const { desk, resolver, watcher, verifier, reversals, attention } = createDesk({
    limits,
    store,
    client,
    transmit,
    ownership,
    line,
    clock,
    keyFingerprint: ownKeyFingerprint,
    newOperationId: createTimeOrderedUuids(clock, () => uuidFrom(random)),
    businessDateOf,
    retentionDays: settings.retention_days,
    isBusy: () => sender.isBusy,
    isLeftByCrash: (rowId) => crashRecovery.isLeft(rowId),
    onChanged: onServed,
    onFound: ({ externalRef, state, found }) =>
      log.warn({ external_ref: externalRef, state, found }, 'The service holds what was thought not to be there'),
    onWriteFailed,
  });
  const retention = new Retention({
    store: store.retention,
    writer,
    clock,
    retentionDays: settings.retention_days,
    isBusy: () => sender.isBusy,
    onErased: (count) => log.info({ count }, 'Customers were erased from operations after the retention time'),
    onFailed: (error) => log.warn({ error }, 'Customers could not be erased from old operations; it is tried again'),
  });
  const intake = new Intake({
    store: operations,
    immediate,
    writer,
    clock,
    settings: {
      referencePrefix: settings.reference_prefix ?? '',
      branchRef: settings.branch_ref,
      deviceRef: settings.device_ref,
      currency: settings.currency,
      maxQueue: settings.limits.max_queue,
    },
    limits,
    identity: store.identity,
    businessDateOf,
    clockSkewMs: () => line.skew.skewMs,
  });

  /** Something is to be sent again: what was refused before says nothing about it. */
  async function afterDecision(deciding: Promise<AttentionOutcome>): Promise<AttentionOutcome> {
    const outcome = await deciding;
    if (outcome.kind === 'done') {
      sender.forgetRefusals();
      line.connectivity.resume();
      sender.wake();
    }
    return outcome;
  }

  function onSettled(rowIds: readonly number[]): void {
    feed.changed(rowIds);
    poller.watch(rowIds);
    sender.wake();
    resolver.plan();
    watcher.plan();
  }

  function onServed(rowIds: readonly number[]): void {
    onSettled(rowIds);
    resolver.wake();
  }

  const lineHistory = new LineHistory();
  lineHistory.note(line.connection, openedAtMs);
  let toldConnection = line.connection.state;
  line.connectivity.onChange(() => {
    const { state, cause } = line.connection;
    lineHistory.note(line.connection, clock.now());
    if (state !== toldConnection) log.info({ state, cause }, lineChangedMessage);
    toldConnection = state;
    sender.wake();
    poller.wake();
    desk.wake();
    resolver.wake();
    watcher.wake();
    feed.changed();
  });
  const started = crashRecovery.start().then(() => line.connectivity.start());

  return {
    clock,
    settings,
    ...readsOf(store),
    businessDateOf,
    referencePrefixes: store.useReferencePrefix(settings.reference_prefix ?? ''),

    async saveEarn(earn: NewEarn) {
      const saving = intake.saveEarn(earn);
      sender.saleComing();
      const outcome = await saving;
      if (outcome.kind === 'saved' && !outcome.duplicate) {
        feed.changed([outcome.operation.rowId]);
        sender.wake();
      } else if (outcome.kind === 'not_saved') {
        health.saving.refused(outcome.message);
        log.error({ reason: outcome.message }, 'A sale could not be saved and was refused');
      }
      return outcome;
    },

    async cancel(operationId: string): Promise<CancelOutcome> {
      const found = operations.operationById(operationId);
      if (found === null) return { kind: 'not_found' };
      let changed: readonly number[];
      try {
        changed = await writer.urgent(() =>
          changeWithConsequences({ store: operations, immediate }, cancellation(found, clock.now())),
        );
      } catch (error) {
        return { kind: 'not_saved', message: error instanceof Error ? error.message : String(error) };
      }
      if (changed.length > 0) feed.changed(changed);
      const operation = operations.operationById(operationId) ?? found;
      return { kind: operation.state === 'cancelled' ? 'cancelled' : 'too_late', operation };
    },

    newReference: (receiptNumber) => intake.newReference(receiptNumber),
    async perform(write: ImmediateWrite, options: { readonly waitMs: number }) {
      const outcome = await desk.perform(write, options);
      resolver.wake();
      return outcome;
    },
    async decide(operationId: string, decision: Decision) {
      const outcome = await desk.decide(operationId, decision);
      resolver.wake();
      return outcome;
    },
    holds() {
      const nowMs = clock.now();
      return openHolds(store.holds.since(nowMs - holdRowsMs), nowMs + (line.skew.skewMs ?? 0));
    },
    async reverse(rowId: number, request: ReversalRequest) {
      const outcome = await reversals.reverse(rowId, request);
      if (outcome.kind === 'cancelled' || outcome.kind === 'saved') {
        feed.changed([rowId, outcome.reversal.rowId]);
        sender.wake();
      }
      return outcome;
    },
    needingAttention: ({ limit, afterRowId }) =>
      immediate.needingAttention({
        limit,
        afterRowId: afterRowId ?? 0,
        unknownSinceMs: clock.now() - unknownLongMs,
      }),
    resend: (operationId, decider) => afterDecision(attention.resend(operationId, decider)),
    correct: (operationId, correction, decider) => afterDecision(attention.correct(operationId, correction, decider)),
    replace: (operationId, decider) => afterDecision(attention.replace(operationId, decider)),
    writeOff: (operationId, decider) => attention.writeOff(operationId, decider),
    keep: (operationId, decider) => attention.keep(operationId, decider),
    verify: (request) => verifier.compare(request),
    takeBack: (operationId, decider) => afterDecision(attention.takeBack(operationId, decider)),
    findRepeat: (request) => findRepeat(operations, request, { nowMs: clock.now(), currency: settings.currency }),

    async identify(identifier: Identifier): Promise<CallOutcome<CustomerProfile>> {
      return line.ask(identify(identifier));
    },
    keptProfile: (identifier) => kept.find(identifier),
    async eraseKeptProfiles() {
      const [here, beside] = [await kept.erase(), eraseProfilesBeside(path)];
      return { erased: here.erased + beside.erased, notReached: [...here.notReached, ...beside.notReached] };
    },
    ...serviceReads({ store, client, line, settler, clock }),

    days: new DayBooks({
      store: store.days,
      writer,
      clock,
      businessDateOf,
      pause: () => new Promise((resolve) => schedule.soon(resolve)),
    }),
    people,
    counts: () => operations.counts.read(),
    hourlyCounts: () => store.hourlyCounts.read(clock.now(), sumWaiting(operations.counts.read())),
    lineHistory: () => lineHistory.all,

    status: () =>
      statusOf({
        settings,
        line,
        health,
        counts: feed.counts,
        foundCount: health.orWithout(() => operations.watches.foundCount(), 0),
        oldestWaitingAtMs: health.orWithout(() => operations.oldestWaitingAtMs(), null),
        nowMs: clock.now(),
        deviceId: store.identity.deviceId,
        serviceBaseUrl: service.baseUrl,
        moreNotices: options.moreNotices?.() ?? [],
      }),
    onChange: (listener) => feed.subscribe(listener),

    async close() {
      await crashRecovery.close();
      await started;
      line.connectivity.stop();
      health.close();
      retention.close();
      kept.close();
      poller.close();
      await watcher.close();
      await resolver.close();
      await desk.close();
      await sender.close();
      await settler.close();
      feed.close();
      store.close();
    },
  };
}
