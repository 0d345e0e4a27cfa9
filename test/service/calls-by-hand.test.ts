import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createIds } from '../../app/machine/ids.ts';
import { seededRandom } from '../../app/machine/random.ts';
import type { OutgoingAnswer } from '../../app/service/calls/exchange.ts';
import { ConnectionFaultError } from '../../app/service/faces/web-request.ts';
import { createService, type Service } from '../../app/service/service.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { testStartMs } from '../support/service-faces.ts';

let service: Service;
beforeEach(() => {
  const clock = new ManualClock(testStartMs);
  const random = seededRandom(1);
  service = createService({ clock, random, ids: createIds(clock, random), data: { kind: 'memory' } });
});
afterEach(() => service.close());

describe('handle: a web Request becomes a web Response', () => {
  const send = (path: string, init: { method?: string; body?: BodyInit } = {}) =>
    service.handle(
      new Request(`http://sandbox.invalid${path}`, {
        ...init,
        headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      }),
    );

  test('reads and writes', async () => {
    const body = JSON.stringify({ identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', points: 1 });
    const accepted = await send('/v1/transactions/earn', { method: 'POST', body });
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get('x-request-id')).toMatch(/^req_/);
    const read = await send('/v1/transactions?external_ref=R-1');
    expect(await read.json()).toMatchObject({ data: [{ status: 'pending' }] });
  });

  test('a body over 1 MiB is 413', async () => {
    const answer = await send('/v1/transactions/earn', { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) });
    expect(answer.status).toBe(413);
  });

  test('a fault that leaves no answer is an error that says which', async () => {
    const rule = JSON.stringify({ effect: { type: 'drop_request' } });
    expect((await send('/_sandbox/faults', { method: 'POST', body: rule })).status).toBe(201);
    await expect(send('/v1/transactions/txn_1')).rejects.toThrow(ConnectionFaultError);
  });
});

describe('calls from other machines', () => {
  const call = async (address: string, target: string, key = service.apiKey): Promise<OutgoingAnswer> => {
    const outcome = await service.exchange({
      method: 'GET',
      target,
      header: (name) => (name === 'authorization' ? `Bearer ${key}` : null),
      body: null,
      address,
      origin: 'http://sandbox.invalid',
    });
    if (outcome.kind !== 'response') throw new Error(outcome.kind);
    return outcome.response;
  };

  test.each([
    ['127.0.0.1', 200],
    ['::1', 200],
    ['::ffff:127.0.0.1', 200],
    ['192.168.1.5', 401],
    ['::ffff:10.0.0.1', 401],
  ])('the control API answers %s with %i', async (address, status) => {
    expect((await call(address, '/_sandbox')).status).toBe(status);
  });

  test.each([
    ['10.9.8.7', 200],
    ['::ffff:10.9.8.7', 200],
    ['192.168.1.5', 200],
    ['192.168.1.6', 401],
    ['fd00::17', 200],
    ['fe80::1', 401],
  ])('a key for certain addresses is for %s: %i', async (address, status) => {
    const made = await service.handle(
      new Request('http://sandbox.invalid/_sandbox/keys', {
        method: 'POST',
        headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ allowed_addresses: ['10.0.0.0/8', '192.168.1.5', 'fd00::/8'] }),
      }),
    );
    const { key } = (await made.json()) as { key: string };
    expect((await call(address, '/v1/transactions?external_ref=R-1', key)).status).toBe(status);
  });
});
