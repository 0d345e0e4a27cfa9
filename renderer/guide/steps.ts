import type { OperationView, TillState } from '../../shared/till/views.ts';

/** The steps of a practice shift, in their order: what a cashier should do once before serving a queue. */
export const shiftSteps = ['find', 'sell', 'cut', 'sell_offline', 'mend', 'lose', 'ask', 'settle', 'undo'] as const;
export type ShiftStep = (typeof shiftSteps)[number];

/** What the till shows now, and the last news of an operation. */
interface Shown {
  readonly hasCustomer: boolean;
  readonly till: Pick<TillState, 'connection' | 'lab' | 'operations'>;
  readonly operation: Pick<OperationView, 'intent' | 'state'> | null;
}

/** Whether the till shows what the step asks for. A step is ticked only by doing it. */
export function isStepDone(step: ShiftStep, { hasCustomer, till, operation }: Shown): boolean {
  const isOnline = till.connection.state === 'online';
  const faults = till.lab?.active_faults ?? [];
  const { queued, sending, unknown } = till.operations;
  const hasArrived = queued + sending + unknown === 0;
  const isSale = operation !== null && operation.intent === 'earn';
  switch (step) {
    case 'find':
      return hasCustomer;
    case 'sell':
      return isSale && (operation.state === 'accepted' || operation.state === 'applied');
    case 'cut':
      return till.connection.state === 'offline';
    case 'sell_offline':
      return isSale && !isOnline && operation.state === 'queued';
    case 'mend':
      return isOnline && hasArrived;
    case 'lose':
      return faults.includes('drop_response');
    case 'ask':
      return operation !== null && operation.state === 'unknown';
    case 'settle':
      return faults.length === 0 && isOnline && hasArrived;
    case 'undo':
      return operation !== null && (operation.state === 'reversed' || operation.state === 'cancelled');
  }
}
