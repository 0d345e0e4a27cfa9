import { fieldOf } from '../../../shared/contract/differing-fields.ts';
import type { CustomerProfile } from '../../../shared/contract/profile.ts';
import { hourMs } from '../../../shared/lib/durations.ts';
import { type CallOutcome, unknownOutcome } from '../../client/outcome.ts';
import type { Line } from '../../line/line.ts';
import { requestOf } from '../requests/row-request.ts';
import { sameSaleMs } from '../requests/same-request.ts';
import type { NotedTimes } from './first-send.ts';
import type { KnownOriginals } from './known-originals.ts';
import { isOfAnotherTime, mayBeBroughtForward, type SentTimes, type ToldRecord } from './same-record.ts';
import { type OwnedRow, ours, type Verdict } from './verdict.ts';

interface RecordTimesOptions {
  readonly line: Line;
  readonly knownOriginals: KnownOriginals;
}

/**
 * Where the customer does not tell the time, the dates of the service's answers may be off by so much without a record that is
 * a row's by the till's clock being left unknown for good.
 */
const mostUntoldErrorMs = hourMs;

const anothers: Verdict = { kind: 'anothers', fields: ['occurred_at'] };

/**
 * Whether a record that agrees in all else is of a row's time. It may be noted by another clock than the one that dates
 * the service's answers; `nowMs` is the time by that one.
 */
export class RecordTimes {
  readonly #options: RecordTimesOptions;

  constructor(options: RecordTimesOptions) {
    this.#options = options;
  }

  /** Of the first answer to the row's own request: one of the two clocks has to agree, however far they are apart. */
  isOtherOfFirstAnswer(row: OwnedRow, record: ToldRecord, nowMs: number): boolean {
    const { byService, byTill } = this.#sendsOf(row, nowMs);
    return isOfAnotherTime(record, timesOf(row, [byService, byTill]));
  }

  /**
   * Of a record in the books. `unsure`: the two clocks are far apart, and by the till's alone it is the row's. `undecided`: its
   * completion will tell.
   */
  judge(row: OwnedRow, record: ToldRecord, nowMs: number): 'same' | 'other' | 'unsure' | 'undecided' {
    const { byService, byTill } = this.#sendsOf(row, nowMs);
    if (!isOfAnotherTime(record, timesOf(row, [byService]))) return 'same';
    const ofTill = timesOf(row, [byTill]);
    if (isOfAnotherTime(record, ofTill)) return mayBeBroughtForward(record, ofTill) ? 'undecided' : 'other';
    return Math.abs(nowMs - byTill.nowMs) <= sameSaleMs ? 'same' : 'unsure';
  }

  /**
   * The same, and where the clocks leave it open, what the service says of the time in what it tells of the customer
   * (spec "CustomerProfile"): that comes from where the books are, and the dates may be of something on the way.
   *
   * @param whoIs asks for the row's customer; null: the row names none
   */
  async settle(
    row: OwnedRow,
    record: ToldRecord,
    { nowMs, whoIs }: { readonly nowMs: number; readonly whoIs: (() => Promise<CallOutcome<CustomerProfile>>) | null },
  ): Promise<Verdict> {
    switch (this.judge(row, record, nowMs)) {
      case 'same':
        return ours;
      case 'other':
        return anothers;
      case 'undecided':
        return { kind: 'undecided' };
      case 'unsure': {
        const untold = Math.abs(nowMs - this.#tillNowMs()) <= mostUntoldErrorMs ? ours : unsure;
        // Of another system's hold no customer is known; its path names the hold, and the same request once more proves it.
        if (whoIs === null) return row.intent === 'commit' ? ours : untold;
        const customer = await whoIs();
        if (customer.kind === 'unknown') return { ...customer, recorded: 'maybe' };
        if (customer.kind === 'refused') return untold;
        const toldMs = Date.parse(customer.answer.balances_as_of);
        if (Math.abs(toldMs - this.#tillNowMs()) <= sameSaleMs) return ours;
        return Math.abs(toldMs - nowMs) <= sameSaleMs ? anothers : untold;
      }
    }
  }

  /** Whether a record was noted when bytes of the row left the till, by one of the two clocks; null where that is not known. */
  isOfOwnSend(row: OwnedRow, { occurred_at }: ToldRecord): boolean | null {
    const left = this.#options.knownOriginals.sentAtMs(row)?.left ?? null;
    if (left === null || occurred_at === undefined) return null;
    return isNotedAt(left.atMs, occurred_at, left) || (left.areAll ? false : null);
  }

  /** The same by the service's clock alone. */
  isSurelyOfOwnSend(row: OwnedRow, { occurred_at }: ToldRecord): boolean {
    const left = this.#options.knownOriginals.sentAtMs(row)?.left ?? null;
    return left !== null && occurred_at !== undefined && isNotedAt(left.byServiceMs, occurred_at, left);
  }

  #tillNowMs(): number {
    const { line } = this.#options;
    return line.serviceNowMs() - (line.skew.skewMs ?? 0);
  }

  /** From the first send of a row to now, by each of the two clocks. */
  #sendsOf(row: OwnedRow, nowMs: number) {
    const { knownOriginals, line } = this.#options;
    // Also of a row that was told to come later: its first send may have been recorded all the same.
    const sent = knownOriginals.sentAtMs(row);
    const known = sent?.firstMs ?? (row.maybeSent ? Number.NEGATIVE_INFINITY : nowMs);
    const { possibleMs = null, rangeMs = 0 } = sent ?? {};
    const skewMs = line.skew.skewMs ?? 0;
    const byTillMs = possibleMs?.map((atMs) => atMs - skewMs) ?? null;
    return {
      byService: { firstSentAtMs: Math.min(known, nowMs), possibleMs, rangeMs, nowMs },
      byTill: { firstSentAtMs: known - skewMs, possibleMs: byTillMs, rangeMs, nowMs: this.#tillNowMs() },
    };
  }
}

function isNotedAt(sendsMs: readonly number[], notedAt: string, { rangeMs }: NotedTimes): boolean {
  const notedMs = Date.parse(notedAt);
  return sendsMs.some((atMs) => Math.abs(notedMs - atMs) <= sameSaleMs + rangeMs);
}

function timesOf(row: OwnedRow, sends: SentTimes['sends']): SentTimes {
  const sent = row.intent === 'earn' ? fieldOf(requestOf(row), 'occurred_at') : null;
  return {
    occurredAtMs: typeof sent === 'string' ? Date.parse(sent) : null,
    sends,
    isFirstAnswer: !row.maybeSent,
  };
}

/** Neither clock is proven to be the books'. */
const unsure: Verdict = unknownOutcome(
  'service',
  "The dates of the service's answers and the till's clock are far apart: it is not known whose a record is",
);
