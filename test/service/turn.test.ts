import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIds } from '../../app/machine/ids.ts';
import { seededRandom } from '../../app/machine/random.ts';
import type { Outcome } from '../../app/service/calls/exchange.ts';
import { createService, type Service } from '../../app/service/service.ts';
import { ManualClock } from '../support/manual-clock.ts';

let service: Service;
let soon: (() => void)[];
beforeEach(() => {
  soon = [];
  const clock = new ManualClock();
  const random = seededRandom(1);
  service = createService({
    clock,
    random,
    ids: createIds(clock, random),
    data: { kind: 'memory' },
    soon: (callback) => soon.push(callback),
  });
});
afterEach(() => service.close());

/** The events that are already here are taken in. */
async function arrive(): Promise<void> {
  for (const callback of soon.splice(0)) callback();
  await new Promise(setImmediate);
}

function call(path: string, body: object | null, target = `/v1${path}`): { readonly outcome: () => Outcome | null } {
  let outcome: Outcome | null = null;
  const headers = new Map([
    ['authorization', `Bearer ${service.apiKey}`],
    ['content-type', 'application/json'],
  ]);
  void service
    .exchange({
      method: body === null ? 'GET' : 'POST',
      target,
      header: (name) => headers.get(name) ?? null,
      body: body === null ? null : Buffer.from(JSON.stringify(body)),
      address: null,
      origin: 'http://sandbox.invalid',
    })
    .then((given) => {
      outcome = given;
    });
  return { outcome: () => outcome };
}
const identify = (loyaltyId: string) => call('/customers/identify', { loyalty_id: loyaltyId });
const statusOf = (outcome: Outcome | null) => (outcome?.kind === 'response' ? outcome.response.status : outcome?.kind);

describe('calls that arrive together', () => {
  it('wait for the events that are already here, and are then read and answered together', async () => {
    const calls = ['LC-1001', 'LC-1002', 'LC-none'].map(identify);
    await new Promise(setImmediate);
    expect(calls.map(({ outcome }) => outcome())).toEqual([null, null, null]);
    expect(soon).toHaveLength(1);
    await arrive();
    expect(calls.map(({ outcome }) => statusOf(outcome()))).toEqual([200, 200, 404]);
    expect(soon).toEqual([]);
    const later = identify('LC-1001');
    await arrive();
    expect(statusOf(later.outcome())).toBe(200);
  });

  it('join a transaction only when they fit the contract', async () => {
    const bad = call('/transactions/earn', { identifier: { loyalty_id: 'LC-1001' } });
    await arrive();
    expect(statusOf(bad.outcome())).toBe(400);
    expect(soon).toEqual([]);
    const earn = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', amount_minor: 1_000, currency: 'KWD' };
    const good = call('/transactions/earn', earn);
    await arrive();
    expect([good.outcome(), soon.length]).toEqual([null, 1]);
    await arrive();
    expect(statusOf(good.outcome())).toBe(202);
  });

  it('are done before what a tester asks for after them', async () => {
    const earn = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', amount_minor: 1_000, currency: 'KWD' };
    const [write, read] = [call('/transactions/earn', earn), identify('LC-1001')];
    const cleared = call('', {}, '/_sandbox/reset');
    await new Promise(setImmediate);
    expect([write, read, cleared].map(({ outcome }) => statusOf(outcome()))).toEqual([202, 200, 200]);
    const again = call('/transactions/earn', earn);
    await arrive();
    await arrive();
    expect(again.outcome()).toMatchObject({ response: { status: 202 } });
    expect(JSON.stringify(again.outcome())).toContain('"duplicate\\":false');
  });

  it('are answered and written into the log before what a tester asks for after them', async () => {
    const earn = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', amount_minor: 1_000, currency: 'KWD' };
    const [write, read] = [call('/transactions/earn', earn), identify('LC-1001')];
    await new Promise(setImmediate);
    const askedAtMs = service.clock.now();
    const log = call('', null, '/_sandbox/requests');
    call('', { advance_ms: 86_400_000 }, '/_sandbox/clock');
    await new Promise(setImmediate);
    expect(JSON.stringify(log.outcome())).toContain('/transactions/earn');
    expect(JSON.stringify(log.outcome())).toContain('/customers/identify');
    for (const { outcome } of [write, read]) {
      const answered = outcome();
      if (answered?.kind !== 'response') throw new Error('Not answered');
      expect(Date.parse(answered.response.headers.Date ?? '')).toBe(Math.floor(askedAtMs / 1_000) * 1_000);
    }
  });

  it('are in no log that a tester has emptied after them', async () => {
    const earn = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', amount_minor: 1_000, currency: 'KWD' };
    for (const one of [() => identify('LC-1001'), () => call('/transactions/earn', earn)]) {
      one();
      await new Promise(setImmediate);
      call('', {}, '/_sandbox/reset');
      await new Promise(setImmediate);
      const log = call('', null, '/_sandbox/requests');
      await new Promise(setImmediate);
      expect(statusOf(log.outcome())).toBe(200);
      expect(JSON.stringify(log.outcome())).not.toMatch(/identify|earn/);
    }
  });

  it('are dropped by a service that is closed before their turn comes', async () => {
    const one = identify('LC-1001');
    service.close();
    await arrive();
    expect(statusOf(one.outcome())).toBe('dropped');
  });
});
