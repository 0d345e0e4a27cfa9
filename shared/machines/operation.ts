import type { Machine } from './machine.ts';

/** The life of one write, as the agent knows it. Saved is not sent, sent is not applied, unknown is unknown. */
export const operationStates = [
  /** Saved; no byte of it was ever sent. */
  'queued',
  /** Marked durably before the first byte of an attempt. */
  'sending',
  /** Bytes went out and no valid answer came: the service may or may not hold it. */
  'unknown',
  /** The service took it and will apply it. */
  'accepted',
  /** The service applied it. */
  'applied',
  /** The service answered with a reason and recorded nothing. Needs attention. */
  'refused',
  /** The service recorded it as failed: its reference is used up. Needs attention. */
  'failed',
  /** Taken back, and proven never recorded at the service. */
  'cancelled',
  /** Undone at the service. */
  'reversed',
  /** Written off by a manager, with a reason. */
  'written_off',
] as const;
export type OperationState = (typeof operationStates)[number];

export const operationEvents = [
  /** An attempt is about to start. */
  'mark',
  /** The attempt is proven to have recorded nothing, and so was every attempt before it. */
  'not_sent',
  /** The attempt's outcome did not come, or an earlier one's is still not known. */
  'lose',
  'accept',
  'apply',
  'refuse',
  'fail',
  /** The service no longer knows a transaction that it had accepted, or had applied before it lost it. */
  'miss',
  /** A read has proven that the service does not hold it. */
  'prove_absent',
  'cancel',
  /** Whoever asked was told that it was refused, or wanted it undone: there is nothing left to decide. */
  'dismiss',
  'reverse',
  /** A person sends it again, corrected or as it is. */
  'resend',
  'write_off',
] as const;
export type OperationEvent = (typeof operationEvents)[number];

/**
 * The one table of what may happen to an operation. A late success is never ignored: every state in which the agent
 * believed that the service holds nothing takes `accept` and `apply`. So does `failed`: one answer that says so may be wrong.
 */
export const operationMachine: Machine<OperationState, OperationEvent> = {
  queued: { mark: 'sending', cancel: 'cancelled', accept: 'accepted', apply: 'applied' },
  sending: {
    not_sent: 'queued',
    lose: 'unknown',
    accept: 'accepted',
    apply: 'applied',
    refuse: 'refused',
    fail: 'failed',
    reverse: 'reversed',
  },
  unknown: {
    mark: 'sending',
    prove_absent: 'queued',
    accept: 'accepted',
    apply: 'applied',
    fail: 'failed',
    reverse: 'reversed',
    write_off: 'written_off',
  },
  accepted: { apply: 'applied', fail: 'failed', miss: 'unknown', reverse: 'reversed' },
  applied: { reverse: 'reversed', miss: 'unknown' },
  refused: {
    resend: 'queued',
    dismiss: 'cancelled',
    write_off: 'written_off',
    accept: 'accepted',
    apply: 'applied',
  },
  failed: { write_off: 'written_off', accept: 'accepted', apply: 'applied', reverse: 'reversed' },
  cancelled: { resend: 'queued', accept: 'accepted', apply: 'applied' },
  reversed: { miss: 'unknown' },
  written_off: { accept: 'accepted', apply: 'applied' },
};

/** States in which an operation still has a way to go without a person. */
export const waitingStates = ['queued', 'sending', 'unknown', 'accepted'] as const satisfies readonly OperationState[];

/** How many operations still have a way to go. */
export function sumWaiting(counts: Readonly<Record<(typeof waitingStates)[number], number>>): number {
  return waitingStates.reduce((sum, state) => sum + counts[state], 0);
}

/** States that wait for a person. */
export const attentionStates = ['refused', 'failed'] as const satisfies readonly OperationState[];

/** States that have not come to an end: in the database each has an index of its own. */
export const openStates = [...waitingStates, ...attentionStates] as const;
