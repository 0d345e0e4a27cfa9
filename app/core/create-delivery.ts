import type { TransactionList } from '../../shared/contract/transaction.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import type { ServiceClient } from '../client/client.ts';
import type { CallOutcome } from '../client/outcome.ts';
import type { ServiceLine } from '../line/service-line.ts';
import type { createTransmit } from '../line/transmit.ts';
import { ClockCorrection } from '../operations/clock-correction.ts';
import { CrashRecovery } from '../operations/crash-recovery.ts';
import type { Ownership } from '../operations/ownership.ts';
import { Poller } from '../operations/poller.ts';
import { Sender, type SenderOptions } from '../operations/sender.ts';
import { Settler } from '../operations/settler.ts';
import { TillRush } from '../operations/till-rush.ts';
import type { Store } from '../store/store.ts';

/** Puts together what delivers saved sales, also after a crash, and asks what became of them. */
export function createDelivery(
  options: {
    readonly store: Store;
    readonly client: ServiceClient;
    readonly transmit: ReturnType<typeof createTransmit>;
    /** What the service's books show under a reference. */
    readonly heldUnder: (externalRef: string) => Promise<CallOutcome<TransactionList>>;
    readonly ownership: Ownership;
    readonly line: ServiceLine;
    readonly clock: Clock;
    readonly random: RandomSource;
    /** Whether `clock` is one that a tester moves and holds. */
    readonly isTestClock: boolean;
    /** What a crash had left marked is found: it may be sent again. */
    readonly onRecovered: () => void;
    readonly onSettled: (rowIds: readonly number[]) => void;
  } & Pick<SenderOptions, 'keyFingerprint' | 'maxInFlight' | 'onMarked' | 'onRefused' | 'onWriteFailed'>,
): {
  readonly sender: Sender;
  readonly poller: Poller;
  readonly crashRecovery: CrashRecovery;
  readonly settler: Settler;
} {
  const { store, client, transmit, heldUnder, line, isTestClock, onRecovered, onSettled, ...rest } = options;
  const { operations, immediate, writer } = store;
  const { connectivity, skew } = line;
  const { clock, keyFingerprint, onWriteFailed } = rest;
  const rush = new TillRush(clock);
  const settler = new Settler({
    store: operations,
    immediate,
    writer,
    clock,
    rush,
    onChanged: onSettled,
    onWriteFailed,
  });
  const sender = new Sender({
    ...rest,
    store: operations,
    writer,
    settler,
    rush,
    line: connectivity,
    correction: new ClockCorrection({
      immediate,
      clock,
      skew,
      isTestClock,
    }),
    watchClock() {
      // A sale that is sent with a time from before the clock was set, or after, may be refused for it.
      if (!isTestClock && skew.takeJump()) connectivity.relook();
    },
    transmit: (row) => line.observe(transmit(row.intent === 'reverse' ? 'reverse' : 'earn', row)),
    lookUp: ({ externalRef }) => heldUnder(externalRef),
    nowMs: () => line.serviceNowMs(),
  });
  const poller = new Poller({
    store: operations,
    settler,
    clock,
    read: (id) => line.read(client.call('transaction', { params: { transaction_id: id } })),
    gate: () => connectivity.gate,
    isBusy: () => sender.isBusy,
    maxInFlight: rest.maxInFlight,
    ownership: rest.ownership,
    serviceNowMs: () => line.serviceNowMs(),
  });
  const crashRecovery = new CrashRecovery({
    store: operations,
    writer,
    clock,
    keyFingerprint,
    onChanged: onRecovered,
    onWriteFailed,
  });
  return { sender, poller, crashRecovery, settler };
}
