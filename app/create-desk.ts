import type { Clock } from '../shared/lib/clock.ts';
import type { ServiceClient } from './client/client.ts';
import { Attention } from './operations/attention.ts';
import { Desk } from './operations/desk.ts';
import { endpointOfPath, immediateRow } from './operations/immediate-write.ts';
import { Resolver } from './operations/resolver.ts';
import { Reversals } from './operations/reversals.ts';
import type { ServiceLine } from './service-line.ts';
import type { Store } from './store/store.ts';

export interface DeskParts {
  readonly desk: Desk;
  readonly resolver: Resolver;
  readonly reversals: Reversals;
  readonly attention: Attention;
}

/** Puts together what serves those who wait: the desk, what finds out later, and what takes back. */
export function createDesk(options: {
  readonly store: Store;
  readonly client: ServiceClient;
  readonly line: ServiceLine;
  readonly clock: Clock;
  readonly keyFingerprint: string;
  readonly newOperationId: () => string;
  readonly businessDateOf: (epochMs: number) => string;
  readonly onChanged: (rowIds: readonly number[]) => void;
  readonly onWriteFailed: (error: unknown) => void;
}): DeskParts {
  const { store, client, line, clock, businessDateOf, onChanged, onWriteFailed } = options;
  const { operations, immediate, writer } = store;
  const clockSkewMs = () => line.skew.skewMs;
  const undoRow: ConstructorParameters<typeof Reversals>[0]['undoRow'] = (write) =>
    immediateRow(write, {
      rowId: operations.takeRowId(),
      clock,
      clockSkewMs: clockSkewMs(),
      businessDate: businessDateOf(clock.now()),
      delivery: 'deferred',
    });
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
    keyFingerprint: options.keyFingerprint,
    newOperationId: options.newOperationId,
    businessDateOf,
    clockSkewMs,
    transmit: (row) => line.read(client.send(endpointOfPath(row.path), row)),
    lookUp: (externalRef) =>
      line.read(client.call('transactionsByReference', { query: { external_ref: externalRef } })),
    undoRow,
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
      newOperationId: options.newOperationId,
      isHeld: (rowId) => desk.lookUp(rowId),
      onChanged,
    }),
    reversals: new Reversals({ store: operations, immediate, writer, clock, undoRow }),
  };
}
