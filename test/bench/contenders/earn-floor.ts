// The least work of a program that takes earns as the service does: it looks at the key, checks the request against the
// contract, keeps the earn (`service-floor.ts`), and answers after the commit, which calls that arrive together share.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import type { EarnRequest } from '../../../shared/contract/transaction.ts';
import { contenderInput } from '../contender.ts';
import { applyDelayMs, openServiceFloor } from '../service-floor.ts';

const input = contenderInput(z.object({ apiKey: z.string(), loyaltyId: z.string() }));
const service = openServiceFloor({ kind: 'memory' }, input.loyaltyId);

interface Earn {
  readonly request: EarnRequest;
  readonly response: ServerResponse;
}
let waiting: Earn[] = [];
let isApplying = false;

function answerGroup(): void {
  const group = waiting;
  waiting = [];
  const ids = service.keep(group.map(({ request }) => request));
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
    service.keep([]);
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
