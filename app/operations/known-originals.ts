import { fieldOf } from '../../shared/contract/differing-fields.ts';
import { reservationSchema } from '../../shared/contract/reservation.ts';
import type { ImmediateStore } from '../store/immediate-store.ts';
import type { OperationStore } from '../store/operation-store.ts';
import { callOfPath } from './immediate-write.ts';
import type { KnownEnrollment, KnownReservation, OwnershipOptions } from './ownership.ts';
import { requestOf } from './row-request.ts';

const heldSchema = reservationSchema.pick({ card_id: true, points: true, amount_minor: true, currency: true });

/** What earlier writes of this agent say about later ones: a reservation about its commit, an enrollment about its code. */
export function knownOriginals(stores: {
  readonly store: OperationStore;
  readonly immediate: ImmediateStore;
}): Pick<OwnershipOptions, 'reservationOf' | 'enrollmentOf'> {
  const { store, immediate } = stores;

  function reservationOf(path: string): KnownReservation | null {
    const id = callOfPath(path).params.reservation_id;
    if (id === undefined) return null;
    const reserve = store.operationsByServiceTransactionId(id).find(({ intent }) => intent === 'reserve');
    const held = heldSchema.safeParse(reserve?.answer);
    if (reserve === undefined || !held.success) return null;
    const { identifier } = reserve;
    return { held: held.data, identifier: identifier === null ? null : { [identifier.kind]: identifier.value } };
  }

  function enrollmentOf(enrollmentId: string): KnownEnrollment | null {
    const enroll = store.operationsByServiceTransactionId(enrollmentId).find(({ intent }) => intent === 'enroll');
    const request = requestOf({ body: enroll === undefined ? null : (immediate.sent(enroll.rowId)?.body ?? null) });
    const externalRef = fieldOf(request, 'external_ref');
    return typeof externalRef === 'string' ? { externalRef, request } : null;
  }

  return { reservationOf, enrollmentOf };
}
