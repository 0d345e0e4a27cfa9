import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceClient } from '../../app/client/client.ts';
import { networkDispatcher } from '../../app/client/network-dispatcher.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { standardLine } from '../support/standard-line.ts';

const dispatcher = networkDispatcher(standardLine);
const seen: {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    seen.push({
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    });
    response.end('{}');
  });
});
let client: ServiceClient;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  client = new ServiceClient({
    dispatcher,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/prefix/v1/`,
    apiKey: 'loyalty_pk_test_requests',
    clock: new ManualClock(),
    answerTimeoutMs: 5_000,
  });
});
beforeEach(() => {
  seen.length = 0;
});
afterAll(async () => {
  await dispatcher.destroy();
  server.closeAllConnections();
  server.close();
});

describe('a call', () => {
  it('is made under the base address, with the key, as JSON', async () => {
    await client.call('identify', { body: '{"phone":"+965 5000 1234"}' });
    expect(seen).toMatchObject([
      {
        method: 'POST',
        url: '/some/prefix/v1/customers/identify',
        headers: {
          authorization: 'Bearer loyalty_pk_test_requests',
          accept: 'application/json',
          'content-type': 'application/json',
        },
        body: '{"phone":"+965 5000 1234"}',
      },
    ]);
    expect(seen[0]?.headers['idempotency-key']).toBeUndefined();
  });

  it('percent-encodes what it puts into the path and the query', async () => {
    const awkward = 'a/../b?c=1&d#é%ـ +';
    await client.call('transaction', { params: { transaction_id: awkward } });
    await client.call('transactionsByReference', { query: { external_ref: awkward } });
    await client.call('history', { params: { customer_id: 'cus_1' }, query: { limit: 10, cursor: undefined } });
    const [byId, byReference, history] = seen.map(({ url }) => new URL(url ?? '', 'http://service'));
    expect(byId?.pathname).toBe(`/some/prefix/v1/transactions/${encodeURIComponent(awkward)}`);
    expect(byReference?.searchParams.get('external_ref')).toBe(awkward);
    expect(history?.search).toBe('?limit=10');
    expect(seen.map(({ body }) => body)).toEqual(['', '', '']);
    expect(seen.every(({ headers }) => headers['content-type'] === undefined)).toBe(true);
  });

  it('of a frozen write sends the bytes as they are, and its key', async () => {
    const body = '{ "external_ref" : "R-1",\n"note":"قهوة \\u2615" }';
    await client.send('earn', { path: '/transactions/earn', body, idempotencyKey: 'pos-key' });
    expect(seen).toMatchObject([
      { url: '/some/prefix/v1/transactions/earn', body, headers: { 'idempotency-key': 'pos-key' } },
    ]);
  });
});
