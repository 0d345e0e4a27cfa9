import { askedReference } from '../operations/requests/immediate-write.ts';
import type { Differences } from '../operations/requests/same-request.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { Failure } from './answers.ts';

/**
 * The failure of a reference that another request has: which fields differ, and the first request's day when it was
 * another one.
 */
export function referenceTaken(operation: Operation, { differingFields, firstBusinessDate }: Differences): Failure {
  const day =
    firstBusinessDate === null
      ? ''
      : ` The first one is of ${firstBusinessDate}: put the date and the till into each reference.`;
  const fields = differingFields.filter((field) => field !== 'unreadable');
  const isReadable = fields.length === differingFields.length;
  const known = isReadable
    ? 'already stands for another request'
    : 'is known here, and its request cannot be read any more';
  const differing = fields.length === 0 ? 'Its values are the same.' : `Differing: ${fields.join(', ')}.`;
  return {
    status: 409,
    code: 'DUPLICATE_TRANSACTION',
    message: `external_ref ${askedReference(operation)} ${known}; nothing was done. ${differing}${day}`,
    details: [...differingFields, ...(firstBusinessDate === null ? [] : [{ first_business_date: firstBusinessDate }])],
  };
}
