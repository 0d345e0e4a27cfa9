import { askedReference } from '../operations/requests/asked-reference.ts';
import type { Differences } from '../operations/requests/same-request.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { Failure } from './answers.ts';
import { statusOf } from './transaction-view.ts';

/** Fields of a reversal that say what it takes back. */
const namesOriginal: ReadonlySet<string> = new Set(['external_ref', 'intent', 'transaction_id']);

/**
 * The failure of a reference that another request has: what became of the first one, which fields differ, and the first
 * request's day when it was another one.
 *
 * @param standing what stands for the first one, where it was sent under another number
 */
export function referenceTaken(
  operation: Operation,
  { differingFields, firstBusinessDate }: Differences,
  standing: Operation = operation,
): Failure {
  const day =
    firstBusinessDate === null
      ? ''
      : ` The first one is of ${firstBusinessDate}: put the date and the till into each reference.`;
  const fields = differingFields.filter((field) => field !== 'unreadable');
  const isReadable = fields.length === differingFields.length;
  const known = isReadable
    ? 'already stands for another request'
    : 'is known here, and its request cannot be read any more';
  const names = fields.map((field) => (field === 'business_date' ? 'the day' : field));
  const differing = fields.length === 0 ? 'Its values are the same.' : `Differing: ${names.join(', ')}.`;
  const status = statusOf(standing);
  // An enrollment that was taken is no customer yet.
  const isBegun = standing.intent === 'enroll' && status === 'success' && standing.serviceCustomerId === null;
  const became = isBegun ? 'has begun, and its code completes it' : `is ${status}`;
  const first = `This request did nothing; the first one under this reference ${became}.`;
  const isReversal = operation.intent === 'reverse';
  const name = isReversal ? 'reversal_ref' : 'external_ref';
  // In the service's own word.
  const isReused = isReversal && differingFields.some((field) => namesOriginal.has(field));
  const details = isReused ? ['reversal_ref_reused'] : differingFields;
  return {
    status: 409,
    code: 'DUPLICATE_TRANSACTION',
    message: `${name} ${askedReference(operation)} ${known}. ${first} ${differing}${day}`,
    details: [...details, ...(firstBusinessDate === null ? [] : [{ first_business_date: firstBusinessDate }])],
  };
}
