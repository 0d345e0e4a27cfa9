import type { Clock } from '../../shared/lib/clock.ts';
import type { ServiceClient } from '../client/client.ts';
import type { ServiceLine } from '../line/service-line.ts';
import type { Transmit } from '../line/transmit.ts';
import { Attention } from '../operations/attention.ts';
import { Desk } from '../operations/desk.ts';
import { endpointOfPath } from '../operations/immediate-write.ts';
import type { Ownership } from '../operations/ownership.ts';
import { Resolver } from '../operations/resolver.ts';
import { Reversals } from '../operations/reversals.ts';
import { undoRows } from '../operations/undo-rows.ts';
import type { LimitWatch } from '../operations/value-limits.ts';
import { Verifier } from '../operations/verifier.ts';
import { Watcher } from '../operations/watcher.ts';
import type { Operation } from '../store/operation.ts';
import type { Store } from '../store/store.ts';

export interface DeskParts {
  readonly desk: Desk;
  readonly resolver: Resolver;
  readonly reversals: Reversals;
  readonly attention: Attention;
  readonly watcher: Watcher;
  readonly verifier: Verifier;
}

/** Puts together what serves those who wait: the desk, what finds out later, and what takes back. */
export function createDesk(options: {
  readonly store: Store;
  readonly client: ServiceClient;
  readonly transmit: Transmit;
  readonly ownership: Ownership;
  readonly line: ServiceLine;
  readonly clock: Clock;
  readonly limits: LimitWatch;
  readonly keyFingerprint: string;
  readonly newOperationId: () => string;
  readonly businessDateOf: (epochMs: number) => string;
  readonly retentionDays: number;
  readonly isBusy: () => boolean;
  readonly isLeftByCrash: (rowId: number) => boolean;
  readonly onChanged: (rowIds: readonly number[]) => void;
  /** The books show an operation that was thought not to be there. */
  readonly onFound: (operation: Operation) => void;
  readonly onWriteFailed: (error: unknown) => void;
}): DeskParts {
  const { store, client, transmit, line, clock, businessDateOf, onChanged, onWriteFailed } = options;
  const { operations, immediate, writer } = store;
  const clockSkewMs = () => line.skew.skewMs;
  const undoRow = undoRows({ store: operations, clock, clockSkewMs, businessDateOf });
  const lookUp = (externalRef: string) =>
    line.read(client.call('transactionsByReference', { query: { external_ref: externalRef } }));
  const stores = { store: operations, immediate };
  const { newOperationId } = options;
  const desk = new Desk({
    store: operations,
    immediate,
    writer,
    clock,
    line: {
      get gate() {
        return line.connectivity.gate;
      },
      get downCause() {
        return line.downCause;
      },
    },
    limits: options.limits,
    keyFingerprint: options.keyFingerprint,
    newOperationId,
    businessDateOf,
    clockSkewMs,
    transmit: (row) => line.read(transmit(endpointOfPath(row.path), row)),
    lookUp,
    ownership: options.ownership,
    undoRow,
    isLeftByCrash: options.isLeftByCrash,
    onChanged,
    onWriteFailed,
  });
  const gate = () => line.connectivity.gate;
  return {
    desk,
    resolver: new Resolver({ immediate, writer, desk, clock, gate, onWriteFailed }),
    attention: new Attention({
      store: operations,
      immediate,
      writer,
      clock,
      newOperationId,
      undoRow,
      isHeld: (rowId) => desk.lookUp(rowId),
      onChanged,
    }),
    verifier: new Verifier({
      store: operations,
      immediate,
      verify: store.verify,
      writer,
      clock,
      lookUp,
      differing: (row, record) => options.ownership.differing(row, record, line.serviceNowMs()),
      onChanged,
    }),
    watcher: new Watcher({
      stores,
      undoRow,
      newOperationId,
      writer,
      clock,
      gate,
      isBusy: options.isBusy,
      isServing: (rowId) => desk.isServing(rowId),
      isUnderThisKey: (rowId) => desk.isUnderThisKey(rowId),
      retentionMs: options.retentionDays * 86_400_000,
      lookUp,
      ownership: options.ownership,
      serviceNowMs: () => line.serviceNowMs(),
      onChanged,
      onFound: options.onFound,
      onWriteFailed,
    }),
    reversals: new Reversals({ store: operations, immediate, writer, clock, undoRow }),
  };
}
