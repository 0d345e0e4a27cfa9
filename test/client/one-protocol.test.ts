import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { ServiceClient } from '../../app/client/client.ts';
import { networkDispatcher } from '../../app/client/network-dispatcher.ts';
import { makeCertificates, trustAlso } from '../support/certificates.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { standardLine } from '../support/standard-line.ts';

const certificate = makeCertificates()?.good ?? null;

it.runIf(certificate !== null)(
  'a service that would speak HTTP/2 is spoken to in HTTP/1.1, and each request that waits has a connection to itself',
  async () => {
    if (certificate === null) return;
    trustAlso(certificate);
    const waiting: (() => void)[] = [];
    const asked: string[] = [];
    const connections = new Set<unknown>();
    const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
      asked.push(request.httpVersion);
      connections.add(request.socket);
      waiting.push(() => response.end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const dispatcher = networkDispatcher(standardLine);
    const client = new ServiceClient({
      dispatcher,
      baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      apiKey: 'loyalty_pk_test_protocol',
      clock: new ManualClock(),
      answerTimeoutMs: 5_000,
    });
    const body = '{"external_ref":"R-1"}';
    const sent = Array.from({ length: 4 }, () =>
      client.send('earn', { path: '/transactions/earn', body, idempotencyKey: null }),
    );
    await expect.poll(() => asked).toEqual(['1.1', '1.1', '1.1', '1.1']);
    expect(connections.size).toBe(4);
    for (const answer of waiting) answer();
    await Promise.all(sent);
    await dispatcher.destroy();
    server.close();
  },
);
