import { z } from 'zod';
import { endpoints, fillPath } from '../../../shared/contract/endpoints.ts';
import type { OperationChange } from '../../store/rows/delivery.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import { stepWithoutSend } from '../settlement/settlement.ts';

const heldSchema = z.lazy(() => z.object({ reservation_id: z.string(), state: z.literal('reserved') }));

/**
 * Ends an earlier release of a hold when the cart is held again. The service answers with the hold that it has, so the
 * release, whose answer was lost, has not arrived. Sent again it would release what the customer wants to spend now.
 * Inside a transaction of the Writer.
 *
 * @param change what has become of a row
 * @param answer the service's to it
 * @returns the releases that end as never recorded
 */
export function endEarlierReleases(
  { operations, rows }: OperationStores,
  { rowId: heldRowId, event, atMs }: OperationChange,
  answer: unknown,
): readonly number[] {
  const held = event === 'apply' ? heldSchema.safeParse(answer) : null;
  if (held?.success !== true) return [];
  const path = fillPath(endpoints.release.path, { reservation_id: held.data.reservation_id });
  return rows.unknownReleasesBefore(heldRowId, path).map(({ rowId, attempts }) => {
    const step = stepWithoutSend({ rowId, attempts, maybeSent: false }, atMs);
    operations.change({ ...step, event: 'prove_absent' });
    operations.change({ ...step, event: 'cancel' });
    rows.annotate(rowId, { reason: 'the cart was held again', person: null });
    return rowId;
  });
}
