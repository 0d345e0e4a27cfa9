import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import type { OperationValues } from '../../../app/store/schema/operation.ts';

const jsonText = z.string().transform((text): unknown => JSON.parse(text));
const requestText = jsonText.pipe(
  z.object({ employee_ref: z.string().optional(), reason: z.string().optional() }).catch({}),
);
const deltasText = jsonText.pipe(z.record(z.string(), z.number()));

const transactionRow = z.object({
  transaction_id: z.string(),
  source: z.string(),
  intent: z.enum(['earn', 'redeem', 'reverse', 'enroll', 'adjust']),
  status: z.enum(['pending', 'processing', 'success', 'failed', 'reversed']),
  external_ref: z.string(),
  customer_id: z.string().nullable(),
  card_id: z.string().nullable(),
  amount_minor: z.number().nullable(),
  currency: z.string().nullable(),
  points: z.number().nullable(),
  stamps: z.number().nullable(),
  visits: z.number().nullable(),
  reverses_transaction_id: z.string().nullable(),
  request: requestText,
  occurred_at_ms: z.number(),
  deltas: deltasText.nullable(),
});

const cardRow = z.object({
  card_id: z.string(),
  loyalty_id: z.string(),
  template_id: z.string(),
  customer_id: z.string(),
  points: z.number().nullable(),
  cashback_minor: z.number().nullable(),
  stamps: z.number().nullable(),
  visits: z.number().nullable(),
  rewards_available: z.number().nullable(),
});

const reservationRow = z.object({
  reservation_id: z.string(),
  external_ref: z.string(),
  state: z.enum(['reserved', 'committed', 'released', 'expired']),
  card_id: z.string(),
  points: z.number().nullable(),
  committed_transaction_id: z.string().nullable(),
});

const enrollmentRow = z.object({
  enrollment_id: z.string(),
  external_ref: z.string(),
  state: z.enum(['awaiting_otp', 'enrolled']),
  phone: z.string(),
  customer_id: z.string().nullable(),
});

/** A transaction as it stands in the service's books. */
export interface HeldTransaction {
  readonly transactionId: string;
  readonly source: string;
  readonly intent: z.output<typeof transactionRow>['intent'];
  readonly status: z.output<typeof transactionRow>['status'];
  readonly ref: string;
  readonly customerId: string | null;
  readonly cardId: string | null;
  /** Points as points. */
  readonly values: OperationValues;
  readonly reverses: string | null;
  /** Whose request it was; null for one that carries no such mark. */
  readonly tag: string | null;
  readonly occurredAtMs: number;
  /** What it changed on its card, in the books' own units. */
  readonly deltas: Readonly<Record<string, number>> | null;
}

export type HeldCard = z.output<typeof cardRow>;
type HeldReservation = z.output<typeof reservationRow>;
export type HeldEnrollment = z.output<typeof enrollmentRow>;

/** The service's own books, as they stand. */
export interface Books {
  readonly transactions: readonly HeldTransaction[];
  readonly cards: readonly HeldCard[];
  readonly reservations: readonly HeldReservation[];
  readonly enrollments: readonly HeldEnrollment[];
}

/** Points are kept in thousandths. */
export const pointsUnit = 1_000;

export function readBooks(path: string): Books {
  const database = new BetterSqlite3(path, { readonly: true });
  try {
    const all = <Row>(sql: string, schema: z.ZodType<Row>): readonly Row[] =>
      database
        .prepare(sql)
        .all()
        .map((row) => schema.parse(row));
    return {
      transactions: all('SELECT * FROM transactions ORDER BY position', transactionRow).map(toTransaction),
      cards: all('SELECT * FROM cards ORDER BY position', cardRow),
      reservations: all('SELECT * FROM reservations ORDER BY position', reservationRow),
      enrollments: all('SELECT * FROM enrollments ORDER BY position', enrollmentRow),
    };
  } finally {
    database.close();
  }
}

function toTransaction(row: z.output<typeof transactionRow>): HeldTransaction {
  return {
    transactionId: row.transaction_id,
    source: row.source,
    intent: row.intent,
    status: row.status,
    ref: row.external_ref,
    customerId: row.customer_id,
    cardId: row.card_id,
    values: {
      amountMinor: row.amount_minor,
      currency: row.currency,
      points: row.points === null ? null : row.points / pointsUnit,
      stamps: row.stamps,
      visits: row.visits,
    },
    reverses: row.reverses_transaction_id,
    tag: row.request.employee_ref ?? row.request.reason ?? null,
    occurredAtMs: row.occurred_at_ms,
    deltas: row.deltas,
  };
}

export function stands(transaction: HeldTransaction | undefined): boolean {
  return transaction?.status === 'success';
}

/** Whether two say the same; the currency is only compared where both name one. */
export function isSameValue(one: OperationValues, other: OperationValues): boolean {
  return (
    one.amountMinor === other.amountMinor &&
    one.points === other.points &&
    one.stamps === other.stamps &&
    one.visits === other.visits
  );
}

/** For a verdict's text. */
export function inWords(transaction: HeldTransaction | undefined): string {
  if (transaction === undefined) return 'nothing';
  const { status, ref, tag, values, cardId } = transaction;
  return `${transaction.intent} ${ref} ${status} by ${tag} of …${cardId?.slice(-2)} ${valuesInWords(values)}`;
}

export function valuesInWords({ amountMinor, points, stamps, visits }: OperationValues): string {
  const named = { amount: amountMinor, points, stamps, visits };
  const said = Object.entries(named).filter(([, value]) => value !== null);
  return said.map(([name, value]) => `${name}=${value}`).join(' ');
}
