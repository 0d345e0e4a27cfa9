import type { Machine } from './machine.ts';

/**
 * The states of one write, as far as the agent knows. Saved does not mean sent, sent does not mean applied, and an
 * unknown outcome stays unknown until it is proven.
 */
export const operationStates = [
  /** Saved; no byte of it was ever sent. */
  'queued',
  /** The mark is on the disk before the first byte of an attempt is sent. */
  'sending',
  /** Bytes were sent and no valid answer came. The service may or may not have recorded it. */
  'unknown',
  /** The service has accepted it and will apply it. */
  'accepted',
  /** The service applied it. */
  'applied',
  /** The service answered with a reason and recorded nothing. Needs attention. */
  'refused',
  /** The service recorded it as failed, so its reference cannot be used again. Needs attention. */
  'failed',
  /** Cancelled, and proven never recorded at the service, or a spend that failed and leaves nothing to decide. */
  'cancelled',
  /** Reversed at the service. */
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
  /** No answer to the attempt came, or the outcome of an earlier attempt is still unknown. */
  'lose',
  'accept',
  'apply',
  'refuse',
  'fail',
  /** The service no longer has a transaction that it had accepted or applied. */
  'miss',
  /** A read has proven that the service has no record of it. */
  'prove_absent',
  'cancel',
  /** The person or program that asked knows that it was refused or cancelled, or has failed, so nobody has to decide. */
  'dismiss',
  'reverse',
  /** A person sends it again, corrected or as it is. */
  'resend',
  'write_off',
] as const;
export type OperationEvent = (typeof operationEvents)[number];

/**
 * The one table of what may happen to an operation. A late success is never ignored. Every state in which the agent
 * believed that the service has no record allows `accept` and `apply`. `failed` allows them too, because one answer
 * that says so may be wrong.
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
  failed: { dismiss: 'cancelled', write_off: 'written_off', accept: 'accepted', apply: 'applied', reverse: 'reversed' },
  cancelled: { resend: 'queued', accept: 'accepted', apply: 'applied' },
  reversed: { miss: 'unknown' },
  written_off: { accept: 'accepted', apply: 'applied' },
};

/** States in which an operation goes on without a person. */
export const waitingStates = ['queued', 'sending', 'unknown', 'accepted'] as const satisfies readonly OperationState[];

const waiting: ReadonlySet<OperationState> = new Set(waitingStates);

/** Whether an operation in this state goes on without a person: its outcome is not known yet. */
export function isWaiting(state: OperationState): boolean {
  return waiting.has(state);
}

/** The number of operations that go on without a person. */
export function sumWaiting(counts: Readonly<Record<(typeof waitingStates)[number], number>>): number {
  return waitingStates.reduce((sum, state) => sum + counts[state], 0);
}

/** States in which an operation was given up: the queue does not send it again, and a late success may still come of it. */
export const overStates = ['cancelled', 'written_off'] as const satisfies readonly OperationState[];

/** Whether an operation was given up. */
export function isOver(state: OperationState): boolean {
  return overStates.some((over) => over === state);
}

/** States in which neither the agent nor a person has anything left to do: all but the open ones. */
export const settledStates = ['applied', 'reversed', ...overStates] as const satisfies readonly OperationState[];

/** States in which a reversal takes nothing back, so that another one may be made. A refused one is decided first. */
export const endedReversalStates = ['failed', ...overStates] as const satisfies readonly OperationState[];

/** States in which a person has to decide. */
export const attentionStates = ['refused', 'failed'] as const satisfies readonly OperationState[];

/** Whether a person has to decide about an operation in this state. */
export function needsPerson(state: OperationState): boolean {
  return attentionStates.some((one) => one === state);
}

/** States in which the till has said that the service holds nothing of it. */
export const deadStates: ReadonlySet<OperationState> = new Set(['refused', ...overStates]);

/** States in which the service holds nothing of an operation that a reversal could take back, and never did. */
export const cameToNothing: ReadonlySet<OperationState> = new Set([...deadStates, 'failed']);

/** States that are not final. Each has an index of its own in the database. */
export const openStates = [...waitingStates, ...attentionStates] as const;
