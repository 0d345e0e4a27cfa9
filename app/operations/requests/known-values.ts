import { z } from 'zod';
import { transactionSchema } from '../../../shared/contract/transaction.ts';
import type { Operation, OperationValues } from '../../store/schema/operation.ts';

const spentSchema = z.lazy(() =>
  transactionSchema
    .unwrap()
    .pick({ amount_minor: true, currency: true, points: true, stamps: true, visits: true })
    .partial(),
);

/**
 * What an operation has moved. A commit names only its order: what it has spent the service alone tells, and rows from
 * before that was kept beside them have it in the answer. A currency stands only beside an amount.
 */
export function knownValues(operation: Operation): OperationValues {
  const spent = operation.intent === 'commit' ? spentSchema.safeParse(operation.answer ?? {}) : null;
  const told = spent?.success === true ? spent.data : {};
  const amountMinor = operation.amountMinor ?? told.amount_minor ?? null;
  return {
    amountMinor,
    currency: amountMinor === null ? null : (operation.currency ?? told.currency ?? null),
    points: operation.points ?? told.points ?? null,
    stamps: operation.stamps ?? told.stamps ?? null,
    visits: operation.visits ?? told.visits ?? null,
  };
}
