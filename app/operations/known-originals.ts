import { fieldOf } from '../../shared/contract/differing-fields.ts';
import { reservationSchema } from '../../shared/contract/reservation.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { ImmediateStore } from '../store/immediate-store.ts';
import type { OperationStore } from '../store/operation-store.ts';
import { firstSendByService, type SkewNow } from './first-send.ts';
import { callOfPath } from './immediate-write.ts';
import type { KnownEnrollment, KnownReservation, OwnershipOptions } from './ownership.ts';
import { requestOf } from './row-request.ts';
import type { ComparedRow } from './same-record.ts';

const heldSchema = reservationSchema.pick({ card_id: true, points: true, amount_minor: true, currency: true });

/** What earlier writes of this agent say about later ones: a reservation about its commit, an enrollment about its code. */
export function knownOriginals({
  store,
  immediate,
  clock,
  skew,
}: {
  readonly store: OperationStore;
  readonly immediate: ImmediateStore;
  readonly clock: Clock;
  readonly skew: Pick<SkewNow, 'skewMs' | 'hasJumped'>;
}): Pick<OwnershipOptions, 'reservationOf' | 'enrollmentOf' | 'firstSentAtMs' | 'originalOfReversal'> {
  function reservationOf(path: string): KnownReservation | null {
    const id = callOfPath(path).params.reservation_id;
    if (id === undefined) return null;
    const reserve = store.operationsByServiceTransactionId(id).find(({ intent }) => intent === 'reserve');
    const held = heldSchema.safeParse(reserve?.answer);
    if (reserve === undefined || !held.success) return null;
    const { identifier } = reserve;
    const externalRef = fieldOf(requestOf({ body: immediate.sent(reserve.rowId)?.body ?? null }), 'external_ref');
    return {
      held: held.data,
      identifier: identifier === null ? null : { [identifier.kind]: identifier.value },
      externalRef: typeof externalRef === 'string' ? externalRef : null,
    };
  }

  function enrollmentOf(enrollmentId: string): KnownEnrollment | null {
    const enroll = store.operationsByServiceTransactionId(enrollmentId).find(({ intent }) => intent === 'enroll');
    const request = requestOf({ body: enroll === undefined ? null : (immediate.sent(enroll.rowId)?.body ?? null) });
    const externalRef = fieldOf(request, 'external_ref');
    return typeof externalRef === 'string' ? { externalRef, request } : null;
  }

  function firstSentAtMs(rowId: number): number | null {
    const saved = store.operation(rowId);
    if (saved === null) return null;
    // A row may have taken the place of another one: what was sent before it was saved was that one's.
    const first = store.history(rowId).find(({ to, atMs }) => to === 'sending' && atMs >= saved.savedAtMs);
    const atSave = immediate.clockAtSave(rowId);
    const sent = {
      byTillMs: first?.atMs ?? saved.savedAtMs,
      savedMonotonicMs: atSave?.monotonicMs ?? 0,
      skewMs: atSave?.skewMs ?? null,
      isOfThisRun: atSave?.isOfThisRun ?? false,
    };
    const { skewMs, hasJumped } = skew;
    return firstSendByService(sent, { nowMs: clock.now(), monotonicMs: clock.monotonicMs(), skewMs, hasJumped });
  }

  function originalOfReversal(rowId: number): ComparedRow | null {
    const originalRowId = store.operation(rowId)?.reversesRowId ?? null;
    return originalRowId === null ? null : immediate.sent(originalRowId);
  }

  return { reservationOf, enrollmentOf, firstSentAtMs, originalOfReversal };
}
