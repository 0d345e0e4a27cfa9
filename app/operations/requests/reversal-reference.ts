import { createHash } from 'node:crypto';
import { maxTextLength } from '../../../shared/contract/limits.ts';

/** A reversal's own reference: pressed twice, from the screen and by a POS program, it is one reversal. */
export function reversalRefOf(intent: 'earn' | 'redeem', externalRef: string): string {
  return referenceThatFits(`reverse-${intent}-`, externalRef);
}

/** The reference of a reversal by the service's id, of what this agent never carried. */
export function reversalRefOfId(serviceTransactionId: string): string {
  return referenceThatFits('reverse-', serviceTransactionId);
}

/** Too long a name of the original is told by its digest. */
function referenceThatFits(start: string, original: string): string {
  const reference = start + original;
  return reference.length <= maxTextLength ? reference : start + createHash('sha256').update(original).digest('hex');
}

/** What a reference of `reversalRefOf` begins with; after it stands the original's. */
export const madeReversalRefStart = /^reverse-(?:earn|redeem)-/;
