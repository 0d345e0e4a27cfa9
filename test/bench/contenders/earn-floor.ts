// The least work of a program that takes earns as the service does: it looks at the key, checks the request against the
// contract, looks whether the reference is known already and whose card it is, keeps the earn so that each question
// of the specification finds it (by its id, by its reference, in its customer's history), and answers after the commit, which
// calls that arrive together share. A second later the earn is applied: its balance is told, and the card has it. The table
// is the service's own. It has no other kind of call, keeps no log of calls, makes no faults, and has one card.
import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { systemClock } from '../../../app/machine/clock.ts';
import { createTimeOrderedUuids } from '../../../app/machine/ids.ts';
import { openServiceDatabase } from '../../../app/service/store/open.ts';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import type { EarnRequest } from '../../../shared/contract/transaction.ts';
import { contenderInput } from '../contender.ts';

const input = contenderInput(z.object({ apiKey: z.string(), loyaltyId: z.string() }));
const applyDelayMs = 1_000;
const minorPerPoint = 1_000;
const source = 'bench';

const database = openServiceDatabase({ kind: 'memory' });
database.exec("INSERT INTO customers VALUES ('cus_1', 1, NULL, NULL, NULL, 0, 0, NULL)");
database
  .prepare(`INSERT INTO cards VALUES (1, 'card_1', 'cus_1', 'tpl_reward', ?, 0, 0, NULL, NULL, NULL, NULL, NULL)`)
  .run(input.loyaltyId);
const known = database.prepare<[string, string], { status: string }>(
  'SELECT transaction_id, status FROM transactions WHERE source = ? AND natural_key = ?',
);
const cardOf = database.prepare<[string], { cardId: string; customerId: string }>(
  'SELECT card_id AS cardId, customer_id AS customerId FROM cards WHERE loyalty_id = ?',
);
const insert = database.prepare(`
  INSERT INTO transactions (transaction_id, source, natural_key, intent, status, external_ref, customer_id, card_id,
    operation, amount_minor, currency, request, request_id, occurred_at_ms, created_at_ms, process_at_ms, apply_at_ms,
    previous_position)
  VALUES (?, ?, ?, 'earn', 'pending', ?, ?, ?, 'earn_amount', ?, ?, ?, ?, ?, ?, ?, ?,
    (SELECT last_position FROM customers WHERE customer_id = ?))`);
const link = database.prepare('UPDATE customers SET last_position = last_insert_rowid() WHERE customer_id = ?');
const apply = database.prepare(`
  UPDATE transactions SET status = 'success', completed_at_ms = ?, process_at_ms = NULL, apply_at_ms = NULL, deltas = ?,
    new_balances = ?
  WHERE position = ?`);
const due = database.prepare<[number], { position: number; cardId: string; amountMinor: number }>(`
  SELECT position, card_id AS cardId, amount_minor AS amountMinor FROM transactions WHERE apply_at_ms <= ?
  ORDER BY apply_at_ms, position LIMIT 250`);
const pointsOf = database.prepare<[string], { points: number }>('SELECT points FROM cards WHERE card_id = ?');
const setPoints = database.prepare('UPDATE cards SET points = ? WHERE card_id = ?');

const newId = createTimeOrderedUuids(systemClock(), () => randomUUID());

interface Earn {
  readonly request: EarnRequest;
  readonly response: ServerResponse;
}
let waiting: Earn[] = [];
let isApplying = false;

function keep({ request }: Earn): string {
  const naturalKey = `earn:${request.external_ref}`;
  if (known.get(source, naturalKey) !== undefined) throw new Error('A reference came twice');
  const { identifier } = request;
  const card = 'loyalty_id' in identifier ? cardOf.get(identifier.loyalty_id ?? '') : undefined;
  if (card === undefined) throw new Error('Nobody has this card');
  const transactionId = `txn_${newId()}`;
  const nowMs = Date.now();
  const whose = [transactionId, source, naturalKey, request.external_ref, card.customerId, card.cardId];
  const what = [request.amount_minor, request.currency, JSON.stringify(request), `req_${newId()}`];
  insert.run(...whose, ...what, nowMs, nowMs, nowMs + 0.8 * applyDelayMs, nowMs + applyDelayMs, card.customerId);
  link.run(card.customerId);
  return transactionId;
}

/** Of one card, whose balance is read and written once for all of them. */
function applyDue(): void {
  const nowMs = Date.now();
  const batch = due.all(nowMs);
  const [first] = batch;
  if (first === undefined) return;
  let points = pointsOf.get(first.cardId)?.points ?? 0;
  for (const { position, amountMinor } of batch) {
    const given = 1_000 * Math.floor(amountMinor / minorPerPoint);
    points += given;
    const shown = { points: points / 1_000, cashback_minor: null, stamps: null, visits: null };
    apply.run(nowMs, JSON.stringify({ points: given }), JSON.stringify({ ...shown, rewards_available: 0 }), position);
  }
  setPoints.run(points, first.cardId);
}

const commit = database.transaction((group: readonly Earn[]) => {
  applyDue();
  return group.map(keep);
});

function answerGroup(): void {
  const group = waiting;
  waiting = [];
  const ids = commit(group);
  for (const [index, { response }] of group.entries()) {
    const answered = JSON.stringify({ transaction_id: ids[index], status: 'pending', duplicate: false });
    response.writeHead(202, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(answered) });
    response.end(answered);
  }
  if (!isApplying) applyLater();
}

/** For those that no other earn comes after. */
function applyLater(): void {
  isApplying = true;
  setTimeout(() => {
    isApplying = false;
    commit([]);
  }, applyDelayMs).unref();
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const isKnown = request.headers.authorization === `Bearer ${input.apiKey}`;
    const asked = endpoints.earn.body.safeParse(JSON.parse(Buffer.concat(chunks).toString()));
    if (!isKnown || !asked.success) throw new Error('Not an earn of ours');
    waiting.push({ request: asked.data, response });
    if (waiting.length === 1) setImmediate(answerGroup);
  });
});
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
