import { differingFields, fieldOf, type HeldRecord, isOther } from '../../../shared/contract/differing-fields.ts';
import { intentInBooks } from '../../../shared/machines/operation-intents.ts';
import type { SendableOperation } from '../../store/rows/delivery.ts';
import { requestOf } from '../requests/row-request.ts';

/** What is compared of a row. The body is null once it was erased after the retention time. */
export type ComparedRow = Pick<SendableOperation, 'intent' | 'externalRef'> & { readonly body: string | null };

/** What the service told of a record: all of it, or as much as a replay has. */
export type ToldRecord = HeldRecord & {
  readonly external_ref?: string | undefined;
  readonly intent?: string | undefined;
  readonly occurred_at?: string | undefined;
  readonly completed_at?: string | null | undefined;
  readonly status?: string | undefined;
};

/** Two sales of one customer, value and reference further apart than this are two (design "References"). */
export const sameSaleMs = 5 * 60_000;

/** A service may keep whole seconds. */
const mostRoundingMs = 1_000;

/**
 * In which fields a record in the service's books is not this row's: then it is somebody else's, whatever its id.
 *
 * @param reservation what a commit spends, when that is known
 */
export function differingFromRow(
  row: ComparedRow,
  record: ToldRecord,
  reservation: HeldRecord | null = null,
): readonly string[] {
  const request = requestOf(row);
  return [
    ...(isOther(intentInBooks[row.intent], record.intent) ? ['intent'] : []),
    ...(isOfReference(row, request, record) ? [] : ['external_ref']),
    ...differingValues(row, request, { record, reservation }),
  ];
}

/** From the first send of a row, or the earliest that it can have been, to now: by one clock, in milliseconds since 1970. */
interface SendTime {
  readonly firstSentAtMs: number;
  /** When bytes of it may have arrived; null where that is not known. */
  readonly possibleMs: readonly number[] | null;
  readonly nowMs: number;
}

/** When a row was asked for and sent. */
export interface SentTimes {
  /** What the request says; null where it says nothing, as all but an earn's. */
  readonly occurredAtMs: number | null;
  /** By each clock that the record's time may be of: the dates of the service's answers may be off, and its books right. */
  readonly sends: readonly SendTime[];
  /** Nothing of it can have been recorded before the answer that is judged, as far as this till was told. */
  readonly isFirstAnswer: boolean;
}

/**
 * Whether a record that agrees in everything is of another time all the same: a receipt's number that came back. What
 * was sent more than once may have been recorded at any send since the first, but never before it: a service that does
 * not take the sale's time notes the time of arrival, or the oldest one that it takes (spec "POST /transactions/earn":
 * bounded by a tenant setting). Of the latter its completion tells when it was recorded. Neither is later than the arrival, so
 * that a sale's record which was noted at none of its sends is another till's. What says no time of its own has that of its
 * arrival, however long that takes.
 */
export function isOfAnotherTime(record: ToldRecord, { occurredAtMs, sends, isFirstAnswer }: SentTimes): boolean {
  if (record.occurred_at === undefined) return false;
  const notedMs = Date.parse(record.occurred_at);
  const apartMs = occurredAtMs === null ? null : Math.abs(notedMs - occurredAtMs);
  // What was done and taken back before this row was answered at all, another till did: to call this one taken back, too, would
  // say that nobody has to do anything. A sale that its POS took to another till has its very time.
  if (isFirstAnswer && record.status === 'reversed') return apartMs === null || apartMs >= mostRoundingMs;
  if (apartMs !== null && apartMs <= sameSaleMs) return false;
  // The first answer to a request that says its time is of that time.
  if (isFirstAnswer && occurredAtMs !== null) return true;
  const isBroughtForward = occurredAtMs !== null && notedMs > occurredAtMs && record.completed_at != null;
  const recordedAtMs = isBroughtForward ? Math.max(notedMs, Date.parse(record.completed_at)) : notedMs;
  return !sends.some(({ firstSentAtMs, possibleMs, nowMs }) => {
    if (recordedAtMs < firstSentAtMs - sameSaleMs) return false;
    if (isFirstAnswer) return recordedAtMs <= nowMs + sameSaleMs;
    if (occurredAtMs === null || possibleMs === null) return true;
    return possibleMs.some((atMs) => notedMs <= atMs + sameSaleMs && recordedAtMs >= atMs - sameSaleMs);
  });
}

/**
 * Whether a record that seems to be of another time may be this sale with its time brought forward: one that is on its way
 * has no completion yet.
 */
export function mayBeBroughtForward(record: ToldRecord, { occurredAtMs, isFirstAnswer }: SentTimes): boolean {
  const isOnItsWay = record.status === 'pending' || record.status === 'processing';
  if (isFirstAnswer || occurredAtMs === null || record.occurred_at === undefined) return false;
  return isOnItsWay && record.completed_at == null && Date.parse(record.occurred_at) > occurredAtMs;
}

/** How far the time that a record notes is from the one that the request says; null where either says none. */
export function msFromItsTime(row: ComparedRow, record: ToldRecord): number | null {
  const sent = fieldOf(requestOf(row), 'occurred_at');
  if (typeof sent !== 'string' || record.occurred_at === undefined) return null;
  return Math.abs(Date.parse(sent) - Date.parse(record.occurred_at));
}

/**
 * Whether a record notes the time that the request says; null where either says none. One that does needs no other proof; a
 * record of another time may be of another till's sale, or the service notes the time of arrival.
 */
export function isOfItsVeryTime(row: ComparedRow, record: ToldRecord): boolean | null {
  const apartMs = msFromItsTime(row, record);
  return apartMs === null ? null : apartMs < mostRoundingMs;
}

/** A reversal may be filed under its own reference or its original's; by the id of another's original, under any. */
function isOfReference(row: ComparedRow, request: unknown, record: ToldRecord): boolean {
  if (!isOther(row.externalRef, record.external_ref)) return true;
  return row.intent === 'reverse' && !isOther(fieldOf(request, 'external_ref'), record.external_ref);
}

function differingValues(
  row: ComparedRow,
  request: unknown,
  { record, reservation }: { readonly record: ToldRecord; readonly reservation: HeldRecord | null },
): readonly string[] {
  switch (row.intent) {
    case 'earn':
    case 'redeem':
      return request === null ? [] : differingFields(request, record);
    case 'commit':
      // Its caller sends no values, so that its record may have none, or what the order spent in any of them.
      return reservation === null ? [] : differingFields(reservation, record, isOther);
    // A reversal's record has the values of its original, or none.
    case 'reverse':
    case 'enroll':
    case 'verify':
    case 'reserve':
    case 'release':
      return [];
  }
}
