import type BetterSqlite3 from 'better-sqlite3';
import { expect } from 'vitest';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { damageIn, type Row } from './service-file.ts';
import type { Answer, Sent, Trace } from './service-trade.ts';

type Database = BetterSqlite3.Database;

const dimensions = ['points', 'cashback_minor', 'stamps', 'visits', 'rewards_available'] as const;

/** Balances by card, in stored units. */
export type Opening = ReadonlyMap<string, Row>;

function rows(database: Database, sql: string): readonly Row[] {
  return database.prepare<[], Row>(sql).all();
}

/** The books before anything was moved. */
export function readOpening(database: Database): Opening {
  return new Map(rows(database, 'SELECT * FROM cards').map((card) => [String(card.card_id), card]));
}

/** What must never be found, as queries that find it. */
const halfDone: Readonly<Record<string, string>> = {
  'a redemption that was recorded and not booked': `
    SELECT * FROM transactions
    WHERE intent = 'redeem' AND (deltas IS NULL OR new_balances IS NULL OR status NOT IN ('success', 'reversed'))`,
  'an earn or a reversal whose ledger and status differ': `
    SELECT * FROM transactions
    WHERE intent IN ('earn', 'reverse') AND (deltas IS NOT NULL) <> (status IN ('success', 'reversed'))`,
  'a reservation that was committed without its redemption': `
    SELECT * FROM reservations r LEFT JOIN transactions t ON t.transaction_id = r.committed_transaction_id
    WHERE r.state = 'committed' AND (t.intent IS NOT 'redeem' OR t.card_id <> r.card_id
      OR t.points IS NOT r.points OR t.amount_minor IS NOT r.amount_minor)`,
  'a paid order whose reservation was not committed': `
    SELECT * FROM transactions t WHERE t.external_ref LIKE '%-paid'
      AND (SELECT count(*) FROM reservations r WHERE r.committed_transaction_id = t.transaction_id) <> 1`,
  'an enrollment without its customer, its card or its transaction': `
    SELECT * FROM enrollments e WHERE e.state = 'enrolled' AND NOT EXISTS (
      SELECT 1 FROM customers c JOIN cards k ON k.customer_id = c.customer_id
        JOIN transactions t ON t.customer_id = c.customer_id AND t.card_id = k.card_id
      WHERE c.customer_id = e.customer_id AND c.phone = e.phone AND k.card_id = e.card_id AND t.intent = 'enroll'
        AND t.external_ref = e.external_ref AND t.status = 'success')`,
  'a transaction of an enrollment that is not done': `
    SELECT * FROM transactions t WHERE t.intent = 'enroll' AND NOT EXISTS (
      SELECT 1 FROM enrollments e WHERE e.external_ref = t.external_ref AND e.state = 'enrolled'
        AND e.customer_id = t.customer_id AND e.card_id = t.card_id)`,
  'a reversal that has succeeded while its original stands, or the other way round': `
    SELECT * FROM transactions r JOIN transactions o ON o.transaction_id = r.reverses_transaction_id
    WHERE (r.status = 'success') <> (o.status = 'reversed')`,
  'a reversed transaction with no reversal, or two': `
    SELECT * FROM transactions o WHERE o.status = 'reversed' AND 1 <> (
      SELECT count(*) FROM transactions r WHERE r.reverses_transaction_id = o.transaction_id AND r.status = 'success')`,
  'two reversals of one transaction': `
    SELECT reverses_transaction_id FROM transactions
    WHERE reverses_transaction_id IS NOT NULL AND status <> 'failed' GROUP BY 1 HAVING count(*) > 1`,
  'two transactions of one reference and intent': `
    SELECT external_ref FROM transactions GROUP BY source, intent, external_ref HAVING count(*) > 1`,
};

/** What must hold of the books at every moment. They are a copy: it gets indexes for these questions. */
export function checkBooks(database: Database, opening: Opening): void {
  expect(damageIn(database)).toEqual([]);
  database.exec('CREATE INDEX by_commit ON reservations (committed_transaction_id)');
  database.exec('CREATE INDEX by_reference ON enrollments (external_ref)');
  database.exec('CREATE INDEX by_card ON transactions (card_id)');
  database.exec('CREATE INDEX by_original ON transactions (reverses_transaction_id)');
  for (const [what, sql] of Object.entries(halfDone)) expect(rows(database, sql), what).toEqual([]);
  const sums = dimensions.map((name) => `coalesce(sum(json_extract(t.deltas, '$.${name}')), 0) AS moved_${name}`);
  const cards = rows(
    database,
    `SELECT c.*, ${sums.join(', ')} FROM cards c LEFT JOIN transactions t ON t.card_id = c.card_id GROUP BY c.card_id`,
  );
  for (const card of cards) {
    const cardId = String(card.card_id);
    for (const dimension of dimensions) {
      if (card[dimension] === null) continue;
      // A card that was issued since has begun at zero.
      const expected = Number(opening.get(cardId)?.[dimension] ?? 0) + Number(card[`moved_${dimension}`]);
      expect({ cardId, dimension, balance: card[dimension] }).toEqual({ cardId, dimension, balance: expected });
    }
  }
  const issued = cards.filter(({ card_id }) => !opening.has(String(card_id))).length;
  expect(issued).toBe(rows(database, "SELECT 1 FROM enrollments WHERE state = 'enrolled'").length);
}

/** Tells what the books hold of a write, in the words of its answer; null when nothing. */
type Held = (trace: Trace) => Answer['body'] | null;

/** All of the books at once: they are asked about every write that was ever answered. */
export function readHeld(database: Database): Held {
  const held = new Map<string, Row>();
  const add = (sql: string) => {
    for (const { key, ...words } of rows(database, sql)) {
      expect(held.has(String(key)), String(key)).toBe(false);
      held.set(String(key), words);
    }
  };
  add("SELECT intent || ' ' || external_ref AS key, transaction_id FROM transactions");
  add(`SELECT 'commit ' || r.reservation_id || ' ' || t.external_ref AS key, t.transaction_id FROM reservations r
       JOIN transactions t ON t.transaction_id = r.committed_transaction_id WHERE r.state = 'committed'`);
  add("SELECT 'reservation ' || external_ref AS key, reservation_id FROM reservations");
  add("SELECT 'release ' || reservation_id AS key, reservation_id FROM reservations WHERE state = 'released'");
  add("SELECT 'enrollment ' || external_ref AS key, enrollment_id FROM enrollments");
  add(`SELECT 'enrolled ' || enrollment_id AS key, customer_id, card_id FROM enrollments WHERE state = 'enrolled'`);
  return (trace) => held.get(keyOf(trace)) ?? null;
}

function keyOf(trace: Trace): string {
  switch (trace.kind) {
    case 'transaction':
      return `${trace.intent} ${trace.externalRef}`;
    case 'commit':
      return `commit ${trace.reservationId} ${trace.externalRef}`;
    case 'reservation':
    case 'enrollment':
      return `${trace.kind} ${trace.externalRef}`;
    case 'release':
      return `release ${trace.reservationId}`;
    case 'enrolled':
      return `enrolled ${trace.enrollmentId}`;
    default:
      return assertNever(trace);
  }
}

/** Everything that was answered is in the books, under the ids that the answer gave. */
export function checkAnswered(held: Held, sent: readonly Sent[]): void {
  const lost = sent.flatMap((one) => {
    if (one.answer === null) return [];
    const found = held(one.trace);
    const isThere = found !== null && Object.entries(found).every(([word, id]) => one.answer?.body[word] === id);
    return isThere ? [] : [{ ...one, found }];
  });
  expect(lost).toEqual([]);
}

/** The statuses of a write's first answer and of its replay (specification "Endpoints"). */
function statusesOf(trace: Trace): { readonly first: number; readonly replay: readonly number[] } {
  switch (trace.kind) {
    case 'transaction':
      if (trace.intent === 'earn') return { first: 202, replay: [200, 202] };
      return trace.intent === 'redeem' ? { first: 200, replay: [200] } : { first: 202, replay: [200] };
    case 'commit':
    case 'release':
      return { first: 200, replay: [200] };
    case 'reservation':
      return { first: 201, replay: [200] };
    case 'enrollment':
      return { first: 202, replay: [202] };
    case 'enrolled':
      return { first: 201, replay: [200] };
    default:
      return assertNever(trace);
  }
}

/** A write without an answer is sent again: it acts now when the books do not hold it, else it is told what it did. */
export function checkResent(sent: Sent, held: Answer['body'] | null, answer: Answer): void {
  const { first, replay } = statusesOf(sent.trace);
  const where = `${sent.path} ${JSON.stringify(sent.body)}`;
  expect(held === null ? [first] : replay, where).toContain(answer.status);
  if (answer.body.duplicate !== undefined) expect(answer.body.duplicate, where).toBe(held !== null);
  if (held !== null) expect(answer.body, where).toMatchObject(held);
}
