import type { OperationView } from '../../shared/till/views.ts';
import { mendOf } from '../operation/next-step.ts';
import { type RefusalReason, refusalReason } from '../operation/outcome.ts';

/**
 * Why an operation needs attention: the service refused it, the service recorded it as failed, its outcome is unknown
 * for long, or the service has it although the till had said otherwise.
 */
export type Cause = RefusalReason | 'not_applied' | 'unknown' | FoundCause;
type FoundCause = 'stands' | 'earlier_version';

/** What a person may do about an operation that needs attention. */
export type AttentionAction = 'correct' | 'resend' | 'ask' | 'replace' | 'write_off' | 'keep' | 'take_back';

/** Operations that wait for the same reason, oldest first. */
export interface Group {
  readonly cause: Cause;
  readonly operations: readonly OperationView[];
}

export function causeOf({ state, error, found }: OperationView): Cause {
  if (found !== null) return found;
  if (state === 'failed') return 'not_applied';
  if (state === 'unknown') return 'unknown';
  return error === null ? 'other' : refusalReason(error);
}

/**
 * The groups, the largest first, because many operations most often need only one repair. Operations that may still end
 * by themselves come last.
 */
export function groupsOf(operations: readonly OperationView[]): readonly Group[] {
  const groups = new Map<Cause, OperationView[]>();
  for (const operation of operations) {
    const cause = causeOf(operation);
    const group = groups.get(cause);
    if (group === undefined) groups.set(cause, [operation]);
    else group.push(operation);
  }
  return [...groups]
    .map(([cause, alike]): Group => ({ cause, operations: alike }))
    .toSorted((left, right) => rank(right) - rank(left));
}

/** An operation with a decision that was saved since the list was read. */
export function withDecision(operation: OperationView, newest: OperationView | null): OperationView {
  return { ...operation, decision: operation.decision ?? newest?.decision ?? null };
}

function rank({ cause, operations }: Group): number {
  return cause === 'unknown' ? 0 : operations.length;
}

/** The repair that the cashier was advised right after the sale. */
export function mendAtTill(cause: Cause): ReturnType<typeof mendOf> {
  return cause === 'not_applied' || cause === 'unknown' || isFound(cause) ? null : mendOf(cause);
}

/** Whether the service has the operation already, so that nothing is to be sent. */
export function isFound(cause: Cause): cause is FoundCause {
  return cause === 'stands' || cause === 'earlier_version';
}

/**
 * Whether a group may be sent again together. It may not when the service would refuse it again, or when a person has
 * to compare each operation with its receipt first.
 */
export function isSentTogether(cause: Cause): boolean {
  return cause !== 'card_choice_needed' && cause !== 'unknown' && cause !== 'changed_on_disk' && !isFound(cause);
}

/** What may be done about an operation, the most helpful first. A failed operation cannot use its reference again. */
export function actionsOf(operation: OperationView): readonly AttentionAction[] {
  if (operation.found !== null)
    return operation.one_shot || operation.intent === 'reverse' ? ['keep'] : ['keep', 'take_back'];
  // For a redemption the cashier decides in another place.
  if (operation.state === 'unknown')
    return operation.intent === 'earn' || operation.intent === 'reverse' ? ['ask', 'write_off'] : [];
  if (operation.state === 'failed')
    return operation.intent === 'earn' ? ['replace', 'correct', 'write_off'] : ['write_off'];
  if (operation.intent !== 'earn') return ['resend', 'write_off'];
  const mend = mendAtTill(causeOf(operation));
  if (mend === 'receipt') return ['replace', 'resend', 'write_off'];
  return mend === 'other_card' || mend === 'amount'
    ? ['correct', 'resend', 'write_off']
    : ['resend', 'correct', 'write_off'];
}
