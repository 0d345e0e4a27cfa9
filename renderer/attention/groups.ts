import type { OperationView } from '../../shared/till/views.ts';
import { mendOf } from '../operation/next-step.ts';
import { type RefusalReason, refusalReason } from '../operation/outcome.ts';

/**
 * Why a person has to look: refused with a reason, recorded by the service as failed, not known for long, or found at the
 * service though the till had said otherwise.
 */
export type Cause = RefusalReason | 'not_applied' | 'unknown' | FoundCause;
type FoundCause = 'stands' | 'earlier_version';

/** What a person may do about an operation that does not go on by itself. */
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

/** The largest group first: what concerns many is most often one thing to repair. What may still end by itself comes last. */
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

function rank({ cause, operations }: Group): number {
  return cause === 'unknown' ? 0 : operations.length;
}

/** What repairs it, as the cashier was advised right after the sale. */
export function mendAtTill(cause: Cause): ReturnType<typeof mendOf> {
  return cause === 'not_applied' || cause === 'unknown' || isFound(cause) ? null : mendOf(cause);
}

/** It stands at the service: there is nothing to send. */
export function isFound(cause: Cause): cause is FoundCause {
  return cause === 'stands' || cause === 'earlier_version';
}

/**
 * Whether alike ones may be sent again in one go: not what would only be refused again, and not what somebody has to
 * compare with its receipt first, one by one.
 */
export function isSentTogether(cause: Cause): boolean {
  return cause !== 'card_choice_needed' && cause !== 'unknown' && cause !== 'changed_on_disk' && !isFound(cause);
}

/** What may be done about it, what most often helps first. A failure has used its reference up. */
export function actionsOf(operation: OperationView): readonly AttentionAction[] {
  if (operation.found !== null)
    return operation.one_shot || operation.intent === 'reverse' ? ['keep'] : ['keep', 'take_back'];
  // A redemption has its two ways out instead.
  if (operation.state === 'unknown')
    return operation.intent === 'earn' || operation.intent === 'reverse' ? ['ask', 'write_off'] : [];
  if (operation.state === 'failed') return operation.intent === 'earn' ? ['replace', 'write_off'] : ['write_off'];
  if (operation.intent !== 'earn') return ['resend', 'write_off'];
  const mend = mendAtTill(causeOf(operation));
  if (mend === 'receipt') return ['replace', 'resend', 'write_off'];
  return mend === 'other_card' || mend === 'amount'
    ? ['correct', 'resend', 'write_off']
    : ['resend', 'correct', 'write_off'];
}
