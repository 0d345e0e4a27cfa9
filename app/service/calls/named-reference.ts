import { verifyRequestSchema } from '../../../shared/contract/enrollment.ts';
import type { Store } from '../store/store.ts';
import type { ReceivedCall } from './received-call.ts';
import { findEndpoint } from './routes.ts';

/**
 * The reference of what a call names by an id of the service: a transaction, a reservation, an enrollment. A tester who
 * names a sale by its reference means the calls about that sale, whichever way a client names it.
 *
 * @returns null where the call names none, or one that is not there
 */
export function namedReference(store: Store, call: ReceivedCall): string | null {
  if (!call.isForService) return null;
  const route = findEndpoint(call.incoming.method, call.path);
  if (route.kind !== 'found') return null;
  if (route.target === 'verify') {
    const body = call.json();
    const asked = body.kind === 'read' ? verifyRequestSchema.safeParse(body.value).data : undefined;
    return asked === undefined ? null : (store.enrollments.byId(asked.enrollment_id)?.externalRef ?? null);
  }
  const { transaction_id: transactionId, reservation_id: reservationId } = route.params;
  if (transactionId !== undefined) return store.transactions.byId(transactionId)?.externalRef ?? null;
  return reservationId === undefined ? null : (store.reservations.byId(reservationId)?.externalRef ?? null);
}
