import type { OperationView } from '../../../shared/till/views.ts';
import { type RefusalReason, refusalReason } from '../../sale/outcome.ts';

/** Why a person has to decide: refused with a reason, or recorded by the service as failed. */
export type Cause = RefusalReason | 'not_applied';

/** What a person may do about an operation that does not go on by itself. */
export type AttentionAction = 'correct' | 'resend' | 'replace' | 'write_off';

/** Operations that wait for the same reason, oldest first. */
export interface Group {
  readonly cause: Cause;
  readonly operations: readonly OperationView[];
}

export function causeOf({ state, error }: OperationView): Cause {
  if (state === 'failed') return 'not_applied';
  return error === null ? 'other' : refusalReason(error);
}

/** The largest group first: what concerns many is most often one thing to mend. */
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
    .toSorted((left, right) => right.operations.length - left.operations.length);
}

/** A card that has to be chosen, or another one, is what mends these. */
const mendedByCard: ReadonlySet<Cause> = new Set(['card_choice_needed', 'card_not_eligible', 'currency_mismatch']);

export function isMendedByCard(cause: Cause): boolean {
  return mendedByCard.has(cause);
}

/** What may be done about it, what most often helps first. A failure has used its reference up. */
export function actionsOf(operation: OperationView): readonly AttentionAction[] {
  if (operation.state === 'failed') return operation.intent === 'earn' ? ['replace', 'write_off'] : ['write_off'];
  if (operation.intent !== 'earn') return ['resend', 'write_off'];
  return isMendedByCard(causeOf(operation)) ? ['correct', 'resend', 'write_off'] : ['resend', 'correct', 'write_off'];
}
