// The least service that an outbox can send to: answers in the specification's shape and does nothing else.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

let accepted = 0;

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function pendingTransaction(id: string): string {
  return JSON.stringify({
    transaction_id: id,
    intent: 'earn',
    status: 'pending',
    external_ref: id,
    customer_id: null,
    card_id: null,
    amount_minor: 1_000,
    currency: 'KWD',
    points: null,
    stamps: null,
    visits: null,
    new_balances: null,
    error: null,
    occurred_at: '2026-11-20T10:00:00.000Z',
    completed_at: null,
  });
}

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.method === 'POST') {
      accepted += 1;
      send(response, 202, `{"transaction_id":"txn_${accepted}","status":"pending","duplicate":false}`);
      return;
    }
    const id = /^\/v1\/transactions\/([^?]+)$/.exec(request.url ?? '')?.[1];
    send(response, 200, id === undefined ? '{"data":[]}' : pendingTransaction(id));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}/v1\n`);
});
