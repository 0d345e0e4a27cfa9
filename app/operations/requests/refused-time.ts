import type { ReceivedError } from '../../../shared/contract/errors.ts';

/**
 * Whether a refusal names the time. A service need not say what it refuses (spec "Errors"). A refusal without details may be
 * for something else, and nobody knows which of two times is right: the sale keeps the time that it has.
 */
export function namesTheTime(refusal: ReceivedError | null): boolean {
  return refusal?.code === 'VALIDATION_ERROR' && JSON.stringify(refusal.details ?? []).includes('occurred_at');
}
