// The least work of a program that answers "identify" as the specification says: it looks at the key, checks the request
// against the contract, finds the customer by the card's number, and reads the customer, all cards and what is held of them
// from the sandbox's own tables. From these come the balances, the rewards and what each card allows. The answer has an id
// and the time, and the call is remembered for whoever asks what was called. The sandbox is measured beside it.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { systemClock } from '../../../app/machine/clock.ts';
import { createTimeOrderedUuids } from '../../../app/machine/ids.ts';
import {
  allowedOperations,
  availableRewards,
  type Holds,
  type StoredBalances,
  shownBalances,
} from '../../../app/service/rules/mechanics.ts';
import { findTemplate } from '../../../app/service/rules/templates.ts';
import { openServiceDatabase } from '../../../app/service/store/open.ts';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import { contenderInput } from '../contender.ts';

const input = contenderInput(z.object({ apiKey: z.string(), loyaltyId: z.string(), answer: z.string() }));
const { cards, ...customer } = endpoints.identify.answers[200].parse(JSON.parse(input.answer));
const template = 'tpl_reward';
const currency = 'KWD';
const keptCalls = 1_000;

const database = openServiceDatabase({ kind: 'memory' });
database
  .prepare('INSERT INTO customers VALUES (?, 1, ?, ?, ?, ?, 0, NULL)')
  .run(customer.customer_id, customer.name, customer.phone, customer.email, Number(customer.verified));
for (const [index, { card_id, balances }] of cards.entries())
  database
    .prepare('INSERT INTO cards VALUES (?, ?, ?, ?, ?, 0, ?, NULL, NULL, NULL, NULL, NULL)')
    .run(
      index + 1,
      card_id,
      customer.customer_id,
      template,
      index === 0 ? input.loyaltyId : card_id,
      (balances.points ?? 0) * 1_000,
    );

interface CustomerRow {
  readonly customer_id: string;
  readonly name: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly verified: number;
}
interface CardRow extends StoredBalances {
  readonly card_id: string;
  readonly template_id: string;
  readonly suspended: number;
  readonly currency: string | null;
}
const byNumber = database.prepare<[string], { customerId: string }>(
  'SELECT customer_id AS customerId FROM cards WHERE loyalty_id = +?',
);
const byId = database.prepare<[string], CustomerRow>(
  'SELECT customer_id, name, phone, email, verified FROM customers WHERE customer_id = +?',
);
const cardsOf = database.prepare<[string], CardRow>(`
  SELECT card_id, template_id, suspended, currency, points, cashback_minor, stamps, visits, rewards_available FROM cards
  WHERE customer_id = +? ORDER BY position`);
const heldOn = database.prepare<[string, number], Holds>(`
  SELECT coalesce(sum(points), 0) AS points, coalesce(sum(amount_minor), 0) AS cashback_minor FROM reservations
  WHERE card_id = +? AND state = 'reserved' AND expires_at_ms > +?`);
const newId = createTimeOrderedUuids(systemClock(), () => randomUUID());
const calls: object[] = [];
let called = 0;

function profileOf(loyaltyId: string, nowMs: number): object | null {
  const row = byId.get(byNumber.get(loyaltyId)?.customerId ?? '');
  if (row === undefined) return null;
  return {
    ...row,
    verified: row.verified === 1,
    balances_as_of: new Date(nowMs).toISOString(),
    cards: cardsOf.all(row.customer_id).map((card) => entryOf(card, nowMs)),
  };
}

function entryOf(row: CardRow, nowMs: number): object {
  const found = findTemplate(row.template_id);
  const mechanics = found?.mechanics ?? null;
  const holds = mechanics?.rewardPrice?.from === 'points' ? (heldOn.get(row.card_id, nowMs) ?? {}) : {};
  const card = { balances: row, suspended: row.suspended === 1, currency: row.currency, holds };
  return {
    card_id: row.card_id,
    template_name: found?.name,
    card_type: found?.card_type,
    balances: shownBalances(mechanics, card),
    available_rewards: availableRewards(mechanics, card, currency),
    allowed_operations: allowedOperations(mechanics, card),
  };
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const isKnown = request.headers.authorization === `Bearer ${input.apiKey}`;
    const asked = endpoints.identify.body.safeParse(JSON.parse(Buffer.concat(chunks).toString()));
    const loyaltyId = asked.success && 'loyalty_id' in asked.data ? asked.data.loyalty_id : undefined;
    const nowMs = Date.now();
    const profile = isKnown && loyaltyId !== undefined ? profileOf(loyaltyId, nowMs) : null;
    const answered = JSON.stringify(profile);
    const status = profile === null ? 404 : 200;
    const requestId = `req_${newId()}`;
    const { method, url: path } = request;
    calls[called % keptCalls] = { timeMs: nowMs, method, path, status, requestId, body: chunks, answered };
    called += 1;
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'X-Request-Id': requestId,
      'Content-Length': Buffer.byteLength(answered),
    });
    response.end(answered);
  });
});
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
