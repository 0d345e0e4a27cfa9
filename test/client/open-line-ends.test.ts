import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { describe, expect, it } from 'vitest';
import { ServiceClient } from '../../app/client/client.ts';
import { ManualClock } from '../support/manual-clock.ts';

describe('the machine says of an open line what it says of one that was not made: the request may have been recorded', () => {
  it.each([
    ['ENETDOWN', 'offline'],
    ['ENETUNREACH', 'offline'],
    ['EHOSTUNREACH', 'offline'],
    ['EADDRNOTAVAIL', 'offline'],
    ['ECONNREFUSED', 'offline'],
    ['EPROTO', 'tls'],
    ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'tls'],
  ])('%s', async (code, cause) => {
    let nearEnd: Socket | null = null;
    const server = createServer((farEnd) => {
      farEnd.once('data', () => nearEnd?.destroy(Object.assign(new Error(`read ${code}`), { code, syscall: 'read' })));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connect = buildConnector({});
    const dispatcher = new Agent({
      connect: (options, callback) =>
        connect(options, (...made) => {
          nearEnd = made[1];
          callback(...made);
        }),
    });
    const client = new ServiceClient({
      dispatcher,
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      apiKey: 'loyalty_pk_test_ends',
      clock: new ManualClock(),
      answerTimeoutMs: 5_000,
    });
    const body = '{"external_ref":"R-1"}';
    expect(await client.send('redeem', { path: '/transactions/redeem', body, idempotencyKey: null })).toMatchObject({
      kind: 'unknown',
      cause,
      recorded: 'maybe',
      message: `read ${code}`,
    });
    await dispatcher.destroy();
    server.close();
  });
});
