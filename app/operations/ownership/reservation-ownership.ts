import { isDeepStrictEqual } from 'node:util';
import { differingFields, fieldOf, isOtherThanHeld } from '../../../shared/contract/differing-fields.ts';
import { endpoints, fillPath } from '../../../shared/contract/endpoints.ts';
import type { Reservation } from '../../../shared/contract/reservation.ts';
import type { Done } from '../../client/outcome.ts';
import type { WriteAnswer } from '../../line/call-of-path.ts';
import { identifierOf, requestOf } from '../requests/row-request.ts';
import type { KnownOriginals } from './known-originals.ts';
import { runsOutAtAnotherTime } from './reservation-time.ts';
import { isReplay, type OwnedRow, ours, type Verdict, verdictOf } from './verdict.ts';
import type { WhoseCustomer } from './whose-customer.ts';

/** Whose a reservation is, which names a card and no customer. @param nowMs by the service's clock */
export async function ofReservation(
  row: OwnedRow,
  { done, nowMs }: { readonly done: Done<WriteAnswer>; readonly nowMs: number },
  reservation: Reservation,
  { knownOriginals, whose }: { readonly knownOriginals: KnownOriginals; readonly whose: WhoseCustomer },
): Promise<Verdict> {
  const request = requestOf(row);
  // It names no reference; but one that an earlier request of ours has made is that request's.
  const path = fillPath(endpoints.commit.path, { reservation_id: reservation.reservation_id });
  const earlier = knownOriginals.reservationOf(path);
  const earlierRef = earlier?.externalRef ?? null;
  const isEarliers = earlierRef !== null && earlierRef !== fieldOf(request, 'external_ref');
  // Without the service's time the till's clock may say anything.
  const isTimed = !isReplay(row, done) && done.facts.serviceDateMs !== null;
  const fields = [
    ...(isEarliers ? ['external_ref'] : []),
    ...differingFields(request, reservation, isOtherThanHeld),
    ...(isTimed && runsOutAtAnotherTime(request, reservation, nowMs) ? ['expires_at'] : []),
  ];
  const identifier = identifierOf(request);
  if (fields.length > 0 || identifier === null) return verdictOf(fields);
  // An equal request of ours has made it: whoever asks again is told so, also while the customer cannot be asked for.
  if (earlierRef !== null && isDeepStrictEqual(earlier?.identifier, identifier)) return ours;
  return whose.judge(identifier, {
    field: 'identifier',
    isTheirs: ({ cards }) => cards.some(({ card_id }) => card_id === reservation.card_id),
    isSurelyNew: isReplay(row, done) && !row.maybeSent,
    isWaitedFor: true,
  });
}
