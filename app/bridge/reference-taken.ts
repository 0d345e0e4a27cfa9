import { askedReference } from '../operations/immediate-write.ts';
import type { Differences } from '../operations/same-request.ts';
import type { Operation } from '../store/operation.ts';
import type { Failure } from './answers.ts';

/** The reference stands for another request: which fields differ, and of another day which one the first was of. */
export function referenceTaken(operation: Operation, { differingFields, firstBusinessDate }: Differences): Failure {
  const day =
    firstBusinessDate === null
      ? ''
      : ` The first one is of ${firstBusinessDate}: put the date and the till into each reference.`;
  return {
    status: 409,
    code: 'DUPLICATE_TRANSACTION',
    message:
      `external_ref ${askedReference(operation)} already stands for another request; nothing was done. ` +
      `Differing: ${differingFields.join(', ')}.${day}`,
    details: [...differingFields, ...(firstBusinessDate === null ? [] : [{ first_business_date: firstBusinessDate }])],
  };
}
