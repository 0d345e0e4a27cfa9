// The least service that an outbox can send to: answers in the specification's shape and does nothing else.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { contenderInput } from '../contender.ts';

const { delayMs, applyAfterMs, hidesTime } = contenderInput(
  z.object({
    /** Each answer takes so long. */
    delayMs: z.number().default(0),
    /** An earn is applied after so long; it stays pending when absent. */
    applyAfterMs: z.number().default(Number.POSITIVE_INFINITY),
    /** Says nothing of its clock, for an agent on a clock that is moved: a sale is applied at the time that it tells itself. */
    hidesTime: z.boolean().default(false),
  }),
);

const earnSchema = z.object({
  external_ref: z.string(),
  amount_minor: z.int(),
  currency: z.string(),
  occurred_at: z.string(),
});

/** As it came: it is read when somebody asks what became of it. */
interface Kept {
  readonly body: string;
  readonly acceptedAtMs: number;
}

/** The oldest are forgotten: nobody asks for them any more. */
const mostKept = 100_000;
const kept = new Map<string, Kept>();
let accepted = 0;

function keep(id: string, earn: Kept): void {
  kept.set(id, earn);
  if (kept.size <= mostKept) return;
  const [oldest] = kept.keys();
  if (oldest !== undefined) kept.delete(oldest);
}

function send(response: ServerResponse, status: number, body: string): void {
  response.sendDate = !hidesTime;
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function transactionOf({ body, acceptedAtMs }: Kept, id: string): string {
  const { external_ref, amount_minor, currency, occurred_at } = earnSchema.parse(JSON.parse(body));
  const appliedAtMs = acceptedAtMs + applyAfterMs;
  const isApplied = Date.now() >= appliedAtMs;
  return JSON.stringify({
    transaction_id: id,
    intent: 'earn',
    status: isApplied ? 'success' : 'pending',
    external_ref,
    customer_id: isApplied ? 'cus_1' : null,
    card_id: isApplied ? 'card_1' : null,
    amount_minor,
    currency,
    points: null,
    stamps: null,
    visits: null,
    new_balances: isApplied ? { points: 120 } : null,
    error: null,
    occurred_at,
    completed_at: isApplied ? (hidesTime ? occurred_at : new Date(appliedAtMs).toISOString()) : null,
  });
}

const notFound = JSON.stringify({ error: { code: 'NOT_FOUND', message: 'Not here.', request_id: 'req_1' } });

function answer(method: string | undefined, url: string, body: string): { status: number; text: string } {
  if (method === 'POST') {
    accepted += 1;
    const id = `txn_${accepted}`;
    keep(id, { body, acceptedAtMs: Date.now() });
    return { status: 202, text: `{"transaction_id":"${id}","status":"pending","duplicate":false}` };
  }
  const id = /^\/v1\/transactions\/([^?]+)$/.exec(url)?.[1];
  if (id === undefined) return { status: 200, text: '{"data":[]}' };
  const earn = kept.get(id);
  return earn === undefined ? { status: 404, text: notFound } : { status: 200, text: transactionOf(earn, id) };
}

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    const { status, text } = answer(request.method, request.url ?? '', body);
    if (delayMs === 0) send(response, status, text);
    else setTimeout(() => send(response, status, text), delayMs);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}/v1\n`);
});
