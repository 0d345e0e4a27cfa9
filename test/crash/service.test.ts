import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Agent } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { seededRandom } from '../../app/random.ts';
import { type Program, type SandboxReady, startSandboxProgram } from '../support/program.ts';

// CRASH_KILLS and CRASH_SEED repeat or lengthen a run.
const kills = Number(process.env.CRASH_KILLS ?? (process.env.LONG_TESTS === '1' ? 60 : 8));
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
const clientCount = 6;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-service-crash-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bodySchema = z.looseObject({
  transaction_id: z.string().optional(),
  reservation_id: z.string().optional(),
  enrollment_id: z.string().optional(),
  otp: z.string().optional(),
  duplicate: z.boolean().optional(),
});
interface Answer {
  readonly status: number;
  readonly body: z.infer<typeof bodySchema>;
}

/** What was sent, and what was answered before the kill; null when it came to nobody. */
interface Sent {
  readonly path: string;
  readonly body: object | null;
  readonly answer: Answer | null;
}

/** A client that sells, redeems, holds, pays, takes back and enrolls until the line dies. */
async function trade(program: Program<SandboxReady>, name: string, random: () => number): Promise<Sent[]> {
  const agent = new Agent({ connections: 1 });
  const sent: Sent[] = [];
  const call = async (base: string, method: 'GET' | 'POST', path: string, body: object | null): Promise<Answer> => {
    const { origin, pathname } = new URL(base);
    const answer = await agent.request({
      origin,
      method,
      path: pathname + path,
      headers: { authorization: `Bearer ${program.ready.api_key}`, 'content-type': 'application/json' },
      body: body === null ? null : JSON.stringify(body),
    });
    return { status: answer.statusCode, body: bodySchema.parse(await answer.body.json()) };
  };
  const write = async (path: string, body: object | null): Promise<Answer['body']> => {
    const index = sent.push({ path, body, answer: null }) - 1;
    const answer = await call(program.ready.base_url, 'POST', path, body);
    sent[index] = { path, body, answer };
    return answer.body;
  };
  const identifier = { loyalty_id: 'LC-1001' };
  try {
    for (let number = 0; ; number += 1) {
      const ref = `${name}-${number}`;
      switch (Math.floor(random() * 6)) {
        case 0:
          await write('/transactions/earn', { identifier, external_ref: ref, points: 2 });
          break;
        case 1:
          await write('/transactions/redeem', { identifier, external_ref: ref, points: 1 });
          break;
        case 2: {
          const { reservation_id } = await write('/redemptions/reserve', { identifier, external_ref: ref, points: 1 });
          if (reservation_id !== undefined)
            await write(`/redemptions/${reservation_id}/commit`, { external_ref: `${ref}-paid` });
          break;
        }
        case 3: {
          const { reservation_id } = await write('/redemptions/reserve', { identifier, external_ref: ref, points: 1 });
          if (reservation_id !== undefined) await write(`/redemptions/${reservation_id}/release`, null);
          break;
        }
        case 4:
          await write('/transactions/redeem', { identifier, external_ref: ref, points: 1 });
          await write('/transactions/reverse', { external_ref: ref, intent: 'redeem' });
          break;
        default: {
          const phone = `+9655${String(Math.floor(random() * 1e7)).padStart(7, '0')}`;
          const { enrollment_id } = await write('/customers/enroll', { external_ref: ref, phone });
          if (enrollment_id === undefined) break;
          const code = await call(program.ready.control_url, 'GET', `/otp/${enrollment_id}`, null);
          await write('/customers/enroll/verify', { enrollment_id, otp: code.body.otp });
        }
      }
    }
  } catch {
    return sent;
  } finally {
    await agent.destroy();
  }
}

type Row = Readonly<Record<string, unknown>>;

/** What must hold of the file at any moment; read as another program finds it right after the kill. */
function checkFile(path: string, openingPoints: ReadonlyMap<unknown, number>): { readonly transactions: number } {
  const database = new BetterSqlite3(path);
  const all = (sql: string): Row[] => database.prepare<[], Row>(sql).all();
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.pragma('foreign_key_check')).toEqual([]);
    const points = all(
      `SELECT c.card_id, c.points, coalesce(sum(json_extract(t.deltas, '$.points')), 0) AS moved
       FROM cards c LEFT JOIN transactions t ON t.card_id = c.card_id AND t.deltas IS NOT NULL
       WHERE c.points IS NOT NULL GROUP BY c.card_id`,
    );
    for (const row of points)
      expect({ card: row.card_id, points: row.points }).toEqual({
        card: row.card_id,
        points: (openingPoints.get(row.card_id) ?? 0) + Number(row.moved),
      });
    const broken: Readonly<Record<string, string>> = {
      'a redemption that was recorded and not booked': `SELECT 1 FROM transactions WHERE intent = 'redeem' AND (deltas IS NULL OR status NOT IN ('success', 'reversed'))`,
      'a reservation committed without its redemption': `SELECT 1 FROM reservations r LEFT JOIN transactions t ON t.transaction_id = r.committed_transaction_id
         WHERE r.state = 'committed' AND (t.intent IS NULL OR t.intent <> 'redeem' OR t.points <> r.points)`,
      'a paid order of no reservation': `SELECT 1 FROM transactions t WHERE t.external_ref LIKE '%-paid'
         AND NOT EXISTS (SELECT 1 FROM reservations r WHERE r.committed_transaction_id = t.transaction_id)`,
      'an enrollment that is half done': `SELECT 1 FROM enrollments e WHERE (e.state = 'enrolled') <> EXISTS (
         SELECT 1 FROM transactions t JOIN customers c USING (customer_id) JOIN cards k ON k.card_id = t.card_id
         WHERE t.intent = 'enroll' AND t.external_ref = e.external_ref)`,
      'a reversal that is half done': `SELECT 1 FROM transactions r JOIN transactions o ON o.transaction_id = r.reverses_transaction_id
         WHERE (r.status = 'success') <> (o.status = 'reversed')`,
    };
    for (const [what, sql] of Object.entries(broken)) expect(all(sql), what).toEqual([]);
    return { transactions: Number(all('SELECT count(*) AS count FROM transactions')[0]?.count) };
  } finally {
    database.close();
  }
}

test(`after ${kills} kills in the midst of writes no write is lost, none is half there, none acts twice (seed ${seed})`, async () => {
  const random = seededRandom(seed);
  const data = join(folder, 'service.sqlite');
  let openingPoints: ReadonlyMap<unknown, number> = new Map();
  const totals = { answered: 0, unanswered: 0, resent: 0 };
  let unanswered: Sent[] = [];
  for (let round = 0; round < kills; round += 1) {
    const program = await startSandboxProgram(['--data', data]);
    // What nobody answered before the kill is sent again: it acts now, or it did before.
    const agent = new Agent();
    const send = async (path: string, body: object | null) => {
      const answer = await agent.request({
        origin: new URL(program.ready.base_url).origin,
        method: 'POST',
        path: `/v1${path}`,
        headers: { authorization: `Bearer ${program.ready.api_key}`, 'content-type': 'application/json' },
        body: body === null ? null : JSON.stringify(body),
      });
      await answer.body.dump();
      return answer.statusCode;
    };
    for (const { path, body } of unanswered) {
      expect([200, 201, 202, 422], path).toContain(await send(path, body));
      totals.resent += 1;
    }
    const clients = Array.from({ length: clientCount }, (_, client) => {
      const own = seededRandom(seed + round * 100 + client);
      return trade(program, `k${round}-c${client}`, () => own.next());
    });
    if (round === 0) openingPoints = await pointsAtFirst(program, agent);
    await new Promise((resolve) => setTimeout(resolve, 60 + random.next() * 400));
    await program.kill();
    const sent = (await Promise.all(clients)).flat();
    await agent.destroy();
    unanswered = sent.filter(({ answer }) => answer === null);
    const answered = sent.filter(({ answer }) => answer !== null && answer.status < 300);
    totals.answered += answered.length;
    totals.unanswered += unanswered.length;
    checkFile(data, openingPoints);
    checkAnswered(data, answered);
  }
  console.log(`seed ${seed}:`, totals);
  expect(totals.answered).toBeGreaterThan(kills * 10);
  expect(totals.unanswered).toBeGreaterThan(0);
});

/** The demo cards' points as thousandths, from the only state that nothing has moved yet. */
async function pointsAtFirst(program: Program<SandboxReady>, agent: Agent): Promise<ReadonlyMap<unknown, number>> {
  const { origin, pathname } = new URL(program.ready.control_url);
  const headers = { authorization: `Bearer ${program.ready.api_key}` };
  const answer = await agent.request({ origin, method: 'GET', path: pathname, headers });
  const cardSchema = z.object({
    card_id: z.string(),
    loyalty_id: z.string(),
    balances: z.object({ points: z.number().nullable() }),
  });
  const { customers } = z
    .object({ customers: z.array(z.object({ cards: z.array(cardSchema) })) })
    .parse(await answer.body.json());
  // LC-1001 is being traded with already; the fixtures say where it starts.
  return new Map(
    customers
      .flatMap(({ cards }) => cards)
      .map(({ card_id, loyalty_id, balances }) => [
        card_id,
        loyalty_id === 'LC-1001' ? 245_500 : (balances.points ?? 0) * 1000,
      ]),
  );
}

/** Everything that was answered as done is in the file. */
function checkAnswered(path: string, answered: readonly Sent[]): void {
  const database = new BetterSqlite3(path);
  const transaction = database.prepare<[string], Row>('SELECT status FROM transactions WHERE transaction_id = ?');
  const reservation = database.prepare<[string], Row>('SELECT state FROM reservations WHERE reservation_id = ?');
  const enrollment = database.prepare<[string], Row>('SELECT state FROM enrollments WHERE enrollment_id = ?');
  try {
    for (const { path: call, answer } of answered) {
      const { transaction_id, reservation_id, enrollment_id } = answer?.body ?? {};
      if (transaction_id !== undefined) expect(transaction.get(transaction_id), call).toBeDefined();
      if (reservation_id !== undefined) expect(reservation.get(reservation_id), call).toBeDefined();
      if (enrollment_id !== undefined) expect(enrollment.get(enrollment_id), call).toBeDefined();
      if (call.endsWith('/release')) expect(reservation.get(reservation_id ?? '')?.state, call).toBe('released');
    }
  } finally {
    database.close();
  }
}
