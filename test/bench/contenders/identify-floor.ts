// The least work of a program that answers "identify": it looks at the key, checks the request against the contract, finds
// the customer by the card's number, and reads the customer and all cards from SQLite. The sandbox is measured beside it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import { contenderInput } from '../contender.ts';

const input = contenderInput(z.object({ apiKey: z.string(), loyaltyId: z.string(), answer: z.string() }));
const { cards, ...customer } = endpoints.identify.answers[200].parse(JSON.parse(input.answer));

const database = new BetterSqlite3(':memory:');
database.exec(`
  CREATE TABLE customers (customer_id TEXT PRIMARY KEY, name TEXT, phone TEXT, email TEXT, verified INTEGER) STRICT;
  CREATE TABLE cards (card_id TEXT PRIMARY KEY, customer_id TEXT, loyalty_id TEXT, card TEXT) STRICT;
  CREATE UNIQUE INDEX cards_by_number ON cards (loyalty_id);
  CREATE INDEX cards_of_customer ON cards (customer_id);`);
database
  .prepare('INSERT INTO customers VALUES (?, ?, ?, ?, ?)')
  .run(customer.customer_id, customer.name, customer.phone, customer.email, Number(customer.verified));
for (const [index, card] of cards.entries())
  database
    .prepare('INSERT INTO cards VALUES (?, ?, ?, ?)')
    .run(card.card_id, customer.customer_id, index === 0 ? input.loyaltyId : null, JSON.stringify(card));

interface CustomerRow {
  readonly customer_id: string;
  readonly name: string | null;
  readonly verified: number;
}
const byNumber = database.prepare<[string], { customerId: string }>(
  'SELECT customer_id AS customerId FROM cards WHERE loyalty_id = ?',
);
const byId = database.prepare<[string], CustomerRow>('SELECT * FROM customers WHERE customer_id = ?');
const cardsOf = database.prepare<[string], { card: string }>('SELECT card FROM cards WHERE customer_id = ?');

function profileOf(loyaltyId: string): object | null {
  const row = byId.get(byNumber.get(loyaltyId)?.customerId ?? '');
  if (row === undefined) return null;
  const held = cardsOf.all(row.customer_id).map(({ card }): unknown => JSON.parse(card));
  return { ...row, verified: row.verified === 1, balances_as_of: new Date().toISOString(), cards: held };
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const isKnown = request.headers.authorization === `Bearer ${input.apiKey}`;
    const asked = endpoints.identify.body.safeParse(JSON.parse(Buffer.concat(chunks).toString()));
    const loyaltyId = asked.success && 'loyalty_id' in asked.data ? asked.data.loyalty_id : undefined;
    const profile = isKnown && loyaltyId !== undefined ? profileOf(loyaltyId) : null;
    const answered = JSON.stringify(profile);
    response.writeHead(profile === null ? 404 : 200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(answered),
    });
    response.end(answered);
  });
});
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
