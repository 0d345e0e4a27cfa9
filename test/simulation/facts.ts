import type { OperationValues } from '../../app/store/schema/operation.ts';

/** The writes that somebody asks a till for. */
export type AskedKind = 'earn' | 'redeem' | 'reverse' | 'reserve' | 'commit' | 'release' | 'enroll' | 'verify';

/** What one request was about; a null is what the request did not say. */
export interface Subject {
  readonly ref: string;
  readonly loyaltyId: string | null;
  readonly values: OperationValues;
  /** What a reversal takes back. */
  readonly originalIntent: 'earn' | 'redeem' | null;
  readonly reservationId: string | null;
  readonly phone: string | null;
}

/** What somebody at a till, or a POS program, was told. */
export interface Told {
  readonly atMs: number;
  /**
   * done: it happened. promised: it will, or a person hears of it. refused: it did not, and will not. not_sent: the same,
   * since there was no line. unknown: ask again.
   */
  readonly verdict: 'done' | 'promised' | 'refused' | 'not_sent' | 'unknown';
  readonly status: number;
  readonly code: string | null;
  readonly details: string;
  readonly state: string | null;
  readonly transactionId: string | null;
  readonly reservationId: string | null;
  readonly enrollmentId: string | null;
  readonly customerId: string | null;
  readonly values: OperationValues | null;
  readonly isDuplicate: boolean;
}

/** One request with its repetitions. It has an identity of its own in the service's books: `tag`. */
export interface Asked extends Subject {
  readonly till: string;
  readonly step: number;
  readonly tag: string;
  readonly kind: AskedKind;
  readonly by: 'pos' | 'screen';
  /** When it was asked, again and again. */
  readonly askedAtMs: number[];
  /** Whether the till's clock was wrong at any asking, and the service's had not been heard since it was set. */
  wasClockUnheard: boolean;
  readonly told: Told[];
  /** Whether “Take full payment” was pressed: an agent that was killed right then may have kept it. */
  wasFullPaymentAsked: boolean;
  /** What was decided at the screen while its outcome was not known. */
  decision: 'take_full_payment' | 'give_it' | null;
}

export const noValues: OperationValues = {
  amountMinor: null,
  currency: null,
  points: null,
  stamps: null,
  visits: null,
};

/** What an answer that says nothing tells. */
export const nothingTold: Told = {
  atMs: 0,
  verdict: 'unknown',
  status: 0,
  code: null,
  details: '[]',
  state: null,
  transactionId: null,
  reservationId: null,
  enrollmentId: null,
  customerId: null,
  values: null,
  isDuplicate: false,
};

/** The last word about a request; null while the last asking has had no answer, or none that says anything. */
export function lastWord(asked: Asked): Told | null {
  const last = asked.told.at(-1);
  return last === undefined || asked.told.length < asked.askedAtMs.length ? null : last;
}

/** Whether anybody, at any time, was told that it happened or will. */
export function wasAcknowledged(asked: Asked): boolean {
  return asked.told.some(({ verdict }) => verdict === 'done' || verdict === 'promised');
}
