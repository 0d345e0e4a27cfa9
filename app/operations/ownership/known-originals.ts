import { z } from 'zod';
import { fieldOf, type ToldValues } from '../../../shared/contract/differing-fields.ts';
import type { Identifier } from '../../../shared/contract/identifier.ts';
import { reservationSchema } from '../../../shared/contract/reservation.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { intentInBooks } from '../../../shared/machines/operation-intents.ts';
import { callOfPath } from '../../line/call-of-path.ts';
import type { ClockSkew } from '../../line/clock-skew.ts';
import { beginsRequest, linesOfRequest } from '../../store/rows/request-lines.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import { requestOf } from '../requests/row-request.ts';
import { asksForTheSame } from '../requests/same-request.ts';
import {
  byServiceMs,
  firstSendByService,
  firstSendByTill,
  knownRangeMs,
  type NotedTimes,
  noLaterThanNow,
  notedTimes,
  possibleSendsByTill,
  savedByServiceMs,
  sendsByTill,
} from './first-send.ts';
import type { ComparedRow } from './same-record.ts';
import type { OwnedRow } from './verdict.ts';

const heldSchema = z.lazy(() =>
  reservationSchema.unwrap().pick({ card_id: true, points: true, amount_minor: true, currency: true }),
);

/** What a reservation of ours holds, and for whom. */
interface KnownReservation {
  readonly held: ToldValues;
  readonly identifier: Identifier | null;
  /** Under which it was asked for; null once the request was erased after the retention time. */
  readonly externalRef: string | null;
}

interface KnownEnrollment {
  readonly externalRef: string;
  /** The parsed body. */
  readonly request: unknown;
}

interface SentOriginal extends Pick<Operation, 'externalRef' | 'serviceTransactionId'> {
  /** What the service's books call it; null where they do not show it. */
  readonly intent: string | null;
  /** Of the key under which it may be at the service; null before its first send. */
  readonly keyFingerprint: string | null;
}

interface SentAt {
  /** The first time, or the earliest that it can have been. */
  readonly firstMs: number;
  /** When bytes of it may have arrived, as far as it was told by now; null where the clock does not tell. */
  readonly possibleMs: readonly number[] | null;
  /** By so much these may be off. */
  readonly rangeMs: number;
  /** When what left the till of it, also what was refused, can have been noted; null where its lines do not tell. */
  readonly left: NotedTimes | null;
}

interface KnownOriginalsOptions extends OperationStores {
  readonly clock: Clock;
  readonly skew: Pick<ClockSkew, 'skewMs' | 'hasJumped' | 'setRangeMs'>;
  /** Whether `clock` is one that a tester moves and holds. */
  readonly isTestClock: boolean;
}

/** What earlier writes of this agent say about later ones: a reservation about its commit, an enrollment about its code. */
export class KnownOriginals {
  readonly #options: KnownOriginalsOptions;

  constructor(options: KnownOriginalsOptions) {
    this.#options = options;
  }

  /** The reservation that the path of a commit names; null when it is not known here. */
  reservationOf(path: string): KnownReservation | null {
    const { operations, rows } = this.#options;
    const id = callOfPath(path).params.reservation_id;
    if (id === undefined) return null;
    const reserve = operations.operationsByServiceTransactionId(id).find(({ intent }) => intent === 'reserve');
    const held = heldSchema.safeParse(reserve?.answer);
    if (reserve === undefined || !held.success) return null;
    const { identifier } = reserve;
    const externalRef = fieldOf(requestOf({ body: rows.sent(reserve.rowId)?.body ?? null }), 'external_ref');
    return {
      held: held.data,
      identifier: identifier === null ? null : { [identifier.kind]: identifier.value },
      externalRef: typeof externalRef === 'string' ? externalRef : null,
    };
  }

  /** The request that started an enrollment, by its id at the service; null when it is not known here. */
  enrollmentOf(enrollmentId: string): KnownEnrollment | null {
    const { operations, rows } = this.#options;
    const enroll = operations.operationsByServiceTransactionId(enrollmentId).find(({ intent }) => intent === 'enroll');
    const request = requestOf({ body: enroll === undefined ? null : (rows.sent(enroll.rowId)?.body ?? null) });
    const externalRef = fieldOf(request, 'external_ref');
    return typeof externalRef === 'string' ? { externalRef, request } : null;
  }

  /**
   * When a row was sent as one of the requests that have stood in it, by the service's clock; null when nothing tells. Another
   * request's sends say nothing of it.
   */
  sentAtMs(row: Pick<OwnedRow, 'rowId' | 'intent' | 'path' | 'body'>): SentAt | null {
    const { operations, rows, clock, skew, isTestClock } = this.#options;
    const { rowId, intent } = row;
    const saved = operations.operation(rowId);
    if (saved === null) return null;
    const atSave = rows.clockAtSave(rowId);
    const { savedAtMs } = saved;
    const whole = operations.history(rowId);
    const versions = operations.watches.versions(rowId);
    const history = linesOfRequest(whole, versions, (version) => asksForTheSame(version, row, intent));
    // The row has kept the clock's readings of its latest request alone.
    const isLatest = history.at(-1) === whole.at(-1);
    const tillTimeMs = (isLatest ? atSave?.tillTimeMs : history[0]?.atMs) ?? savedAtMs;
    const sent = {
      byTillMs: firstSendByTill(history, { savedAtMs, tillTimeMs }),
      savedMonotonicMs: atSave?.monotonicMs ?? 0,
      skewMs: atSave?.skewMs ?? null,
      isOfThisRun: atSave?.isOfThisRun ?? false,
    };
    const { skewMs, hasJumped } = skew;
    const areOfSaving = isLatest && !history.slice(1).some(beginsRequest);
    const olderByTillMs = (atSave?.tillTimeMs ?? savedAtMs) - (history[0]?.atMs ?? savedAtMs);
    // Lines from before that saving are older by what the wall clock says, and at most by how far it was ever set.
    const olderMs = areOfSaving ? 0 : Math.max(0, olderByTillMs) + skew.setRangeMs(Number.NEGATIVE_INFINITY);
    const oldestMonotonicMs = sent.isOfThisRun ? sent.savedMonotonicMs - olderMs : null;
    const setRangeMs = skew.setRangeMs(oldestMonotonicMs ?? Number.NEGATIVE_INFINITY);
    const byService = (atMs: number) => byServiceMs(atMs, sent, { skewMs });
    const now = { nowMs: clock.now(), monotonicMs: clock.monotonicMs(), skewMs, hasJumped };
    const notedFirstMs = isLatest ? firstSendByService(sent, now) : byService(sent.byTillMs) - setRangeMs;
    // A sale says its own time, and its record is found by that.
    const firstMs = intent === 'earn' ? notedFirstMs : noLaterThanNow(notedFirstMs, oldestMonotonicMs, now);
    const rangeMs = knownRangeMs(sent, { skewMs, setRangeMs });
    const left = sendsByTill(history, rangeMs ?? 0);
    const noted = {
      tillTimeMs,
      skewMs: isLatest ? sent.skewMs : null,
      // A clock that a tester holds is the service's as well: monotonic time runs on beside both.
      byServiceMs: isLatest ? (isTestClock ? tillTimeMs : savedByServiceMs(sent, now)) : null,
    };
    return {
      firstMs,
      possibleMs: rangeMs === null ? null : (possibleSendsByTill(history, rangeMs)?.map(byService) ?? null),
      rangeMs: rangeMs ?? 0,
      left: left === null ? null : notedTimes(left, noted, { skewMs, rangeMs }),
    };
  }

  /** The operation of ours that a reversal takes back; null when it is none, or erased. */
  originalOfReversal(rowId: number): ComparedRow | null {
    const { operations, rows } = this.#options;
    const originalRowId = operations.operation(rowId)?.reversesRowId ?? null;
    return originalRowId === null ? null : rows.sent(originalRowId);
  }

  /** What was sent of the operation of ours that a reversal takes back, also of one that is erased; null when it is none. */
  sentOriginal(rowId: number): SentOriginal | null {
    const { operations } = this.#options;
    const originalRowId = operations.operation(rowId)?.reversesRowId ?? null;
    const original = originalRowId === null ? null : operations.operation(originalRowId);
    if (original === null) return null;
    const { externalRef, serviceTransactionId } = original;
    const sent = operations.history(original.rowId).findLast(({ keyFingerprint }) => keyFingerprint !== null);
    const intent = intentInBooks[original.intent];
    return { externalRef, intent, serviceTransactionId, keyFingerprint: sent?.keyFingerprint ?? null };
  }
}
