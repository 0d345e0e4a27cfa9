import { differingFields, fieldOf, isOther, type ToldValues } from '../../../shared/contract/differing-fields.ts';
import { isOnItsWay } from '../../../shared/contract/transaction.ts';
import { intentInBooks } from '../../../shared/machines/operation-intents.ts';
import type { SendableOperation } from '../../store/rows/delivery.ts';
import { requestOf } from '../requests/row-request.ts';
import { sameSaleMs } from '../requests/same-request.ts';

/** What is compared of a row. The body is null once it was erased after the retention time. */
export type ComparedRow = Pick<SendableOperation, 'intent' | 'externalRef'> & { readonly body: string | null };

/** What the service told of a record: all of it, or as much as a replay has. */
export type ToldRecord = ToldValues & {
  readonly external_ref?: string | undefined;
  readonly intent?: string | undefined;
  readonly occurred_at?: string | undefined;
  readonly completed_at?: string | null | undefined;
  readonly status?: string | undefined;
};

/** A service may keep its times in whole seconds. */
const mostRoundingMs = 1_000;

/**
 * The fields in which a record in the service's books differs from a row. When there are any, the record is of another
 * sale, whatever its id is.
 *
 * @param reservation what a commit spends, when that is known
 */
export function differingFromRow(
  row: ComparedRow,
  record: ToldRecord,
  reservation: ToldValues | null = null,
): readonly string[] {
  const request = requestOf(row);
  return [
    ...(isOther(intentInBooks[row.intent], record.intent) ? ['intent'] : []),
    ...(isOfReference(row, request, record) ? [] : ['external_ref']),
    ...differingValues(row, request, { record, reservation }),
  ];
}

/** When a row was sent, by one clock, in milliseconds since 1970. */
interface SendTime {
  /** Its first send; where that is not known, the earliest time at which it can have been. */
  readonly firstSentAtMs: number;
  /** Each time at which bytes of the row may have arrived; null where these times are not known. */
  readonly possibleMs: readonly number[] | null;
  /** By so much these may be off, where somebody has set the clock by that. */
  readonly rangeMs: number;
  readonly nowMs: number;
}

/** When a row was asked for and sent. */
export interface SentTimes {
  /** The time that the request says; null where it says none. Only earns say one. */
  readonly occurredAtMs: number | null;
  /** By each clock that may have dated the record: the dates of the service's answers may be wrong, and its books right. */
  readonly sends: readonly SendTime[];
  /** The record is the first answer to this row: as far as the till knows, no earlier send can have been recorded. */
  readonly isFirstAnswer: boolean;
}

/**
 * Whether a record that agrees with a row in everything else is of another time. Then it is of another sale, because
 * receipt numbers may start again.
 *
 * - The record of a sale usually notes the time that the request says.
 * - A service may not take that time, because the sale is too old. Then it notes the time at which the request arrived,
 *   or the oldest time that it takes (spec "POST /transactions/earn": bounded by a tenant setting).
 * - Neither of these is later than the arrival. With the oldest time, `completed_at` tells when the request arrived.
 * - A row that was sent several times may have been recorded at any of these sends, and never before the first one.
 * - A request that says no time is recorded with the time of its arrival, however late it arrives.
 *
 * Example: a sale of 10:00 was sent at 10:02 and at 14:00. Records of 10:01 and of 14:03 are this sale's. A record of
 * 12:00 is this sale's when it was completed at 14:01, and another till's when it was completed at 12:01.
 */
export function isOfAnotherTime(record: ToldRecord, { occurredAtMs, sends, isFirstAnswer }: SentTimes): boolean {
  if (record.occurred_at === undefined) return false;
  const notedMs = Date.parse(record.occurred_at);
  const apartMs = occurredAtMs === null ? null : Math.abs(notedMs - occurredAtMs);
  // Recorded and reversed before this row had any answer: another till did that. If this row were called reversed, too,
  // nobody would see to it. But a sale that its POS program gave to another till as well says the very same time.
  if (isFirstAnswer && record.status === 'reversed') return apartMs === null || apartMs >= mostRoundingMs;
  if (apartMs !== null && apartMs <= sameSaleMs) return false;
  // The first answer to a request that says a time has that time: this record has another one.
  if (isFirstAnswer && occurredAtMs !== null) return true;
  const isBroughtForward = occurredAtMs !== null && notedMs > occurredAtMs && record.completed_at != null;
  const recordedAtMs = isBroughtForward ? Math.max(notedMs, Date.parse(record.completed_at)) : notedMs;
  return !sends.some(({ firstSentAtMs, possibleMs, rangeMs, nowMs }) => {
    if (recordedAtMs < firstSentAtMs - sameSaleMs) return false;
    if (isFirstAnswer) return recordedAtMs <= nowMs + sameSaleMs;
    if (occurredAtMs === null || possibleMs === null) return true;
    const withinMs = sameSaleMs + rangeMs;
    return possibleMs.some((atMs) => notedMs <= atMs + withinMs && recordedAtMs >= atMs - withinMs);
  });
}

/**
 * Whether a record that seems to be of another time may still be this sale, noted with the oldest time that the service
 * takes. While the service works on it, it has no `completed_at` which would tell.
 */
export function mayBeBroughtForward(record: ToldRecord, { occurredAtMs, isFirstAnswer }: SentTimes): boolean {
  if (isFirstAnswer || occurredAtMs === null || record.occurred_at === undefined) return false;
  return isOnItsWay(record.status) && record.completed_at == null && Date.parse(record.occurred_at) > occurredAtMs;
}

/** How far a record's time is from the time that the request says, in milliseconds; null where either has none. */
export function msFromItsTime(row: ComparedRow, record: ToldRecord): number | null {
  const sent = fieldOf(requestOf(row), 'occurred_at');
  if (typeof sent !== 'string' || record.occurred_at === undefined) return null;
  return Math.abs(Date.parse(sent) - Date.parse(record.occurred_at));
}

/**
 * Whether a record has the very time that the request says; null where either has none. Such a record is this sale's
 * without any other proof. One of another time may be another till's sale, or noted with the time of its arrival.
 */
export function isOfItsVeryTime(row: ComparedRow, record: ToldRecord): boolean | null {
  const apartMs = msFromItsTime(row, record);
  return apartMs === null ? null : apartMs < mostRoundingMs;
}

/**
 * Whether a record has a reference that this row's record may have. A service may record a reversal under the reversal's
 * own reference or its original's. Where the request names no reference, because the original is named by its id, any
 * reference may be right.
 */
function isOfReference(row: ComparedRow, request: unknown, record: ToldRecord): boolean {
  if (!isOther(row.externalRef, record.external_ref)) return true;
  return row.intent === 'reverse' && !isOther(fieldOf(request, 'external_ref'), record.external_ref);
}

function differingValues(
  row: ComparedRow,
  request: unknown,
  { record, reservation }: { readonly record: ToldRecord; readonly reservation: ToldValues | null },
): readonly string[] {
  switch (row.intent) {
    case 'earn':
    case 'redeem':
      return request === null ? [] : differingFields(request, record);
    case 'commit':
      // A commit's request has no values. Its record may have none, or what the order spent of the reservation.
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
