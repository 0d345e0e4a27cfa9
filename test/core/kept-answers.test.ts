import { beforeEach, describe, expect, test } from 'vitest';
import { parseJson } from '../../app/client/read-answer.ts';
import type { Outcome } from '../../app/service/calls/exchange.ts';
import { fieldOf } from '../../shared/contract/differing-fields.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { callOf, said } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// Something on the way keeps answers and leaves the query out of what it tells them by, or has ids of its own for them.

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const isLookUp = callOf('GET', '/transactions');

function withHeaders(outcome: Outcome, change: (headers: Record<string, string>) => Record<string, string>): Outcome {
  if (outcome.kind !== 'response') return outcome;
  const named = Object.entries(outcome.response.headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { ...outcome, response: { ...outcome.response, headers: change(Object.fromEntries(named)) } };
}

function without(name: string, headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));
}

/** Each look-up gets the answer that another one got, for so long. */
function keepLookUps(durationMs: number, headersOf: (headers: Record<string, string>) => Record<string, string>): void {
  let kept: { readonly atMs: number; readonly outcome: Outcome } | null = null;
  const before = shop.meddle;
  shop.meddle = async (call, carry) => {
    if (!isLookUp(call)) return before(call, carry);
    if (kept !== null && shop.clock.now() - kept.atMs < durationMs) return withHeaders(kept.outcome, headersOf);
    kept = { atMs: shop.clock.now(), outcome: await before(call, carry) };
    return kept.outcome;
  };
}

test.each([
  ['says nothing of its age', {}],
  ['says its age', { age: '3' }],
])(
  'an empty list that %s and was kept from another look-up cancels no redemption that was recorded',
  async (_, age) => {
    keepLookUps(Number.POSITIVE_INFINITY, (headers) => ({ ...headers, ...age }));
    await shop.pass(20_000);
    await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
    await shop.passUntil(shop.core.perform(shop.redemption('R-1', { points: 40 }), { waitMs: 0 }));
    await shop.pass(200_000);
    expect(shop.operation('R-1', 'redeem').state).toBe('unknown');
    expect(await shop.held('R-1')).toMatchObject([{ intent: 'redeem', status: 'success' }]);
  },
);

test('kept answers to checks of the connection hold no sale back', async () => {
  keepLookUps(600_000, (headers) => headers);
  await shop.pass(60_000, 500);
  await shop.saved('R-1');
  await shop.pass(10_000, 500);
  expect(await shop.held('R-1')).toHaveLength(1);
});

test('no sale waits behind a front that names all answers of a connection alike and tells no time', async () => {
  let answers = 0;
  const before = shop.meddle;
  shop.meddle = async (call, carry) => {
    answers += 1;
    const id = `connection-${answers % 2}`;
    return withHeaders(await before(call, carry), (headers) => ({ ...without('date', headers), 'x-request-id': id }));
  };
  await shop.pass(60_000, 500);
  await shop.saved('R-1');
  await shop.pass(60_000, 500);
  expect(shop.operation('R-1').state).toBe('applied');
  expect(shop.core.status().connection.state).toBe('online');
});

test('no sale waits after the clock was set while failing look-ups tell no time', async () => {
  const before = shop.meddle;
  shop.meddle = async (call, carry) =>
    isLookUp(call)
      ? withHeaders(await before(call, carry), (headers) => without('date', headers))
      : before(call, carry);
  await shop.call('POST', '/_sandbox/faults', {
    match: { method: 'GET', path: '/transactions' },
    effect: { type: 'error', status: 503, code: 'INTERNAL' },
  });
  await shop.pass(60_000, 1_000);
  shop.setTillClock(10_000);
  await shop.pass(5_000);
  await shop.saved('R-1');
  await shop.pass(600_000, 1_000);
  expect(shop.operation('R-1').state).toBe('applied');
});

/** How far the time that the service was told of a sale is from when it was. */
const offByMs = (reference: string, soldAtMs: number): number =>
  Date.parse(
    String(fieldOf(parseJson(shop.core.sentRequest(shop.operation(reference).rowId)?.body ?? ''), 'occurred_at')),
  ) - soldAtMs;

test.each([
  ['with its id', (headers: Record<string, string>) => headers],
  ['without an id', (headers: Record<string, string>) => without('x-request-id', headers)],
])('a kept answer %s tells the time of no sale', async (_, headersOf) => {
  keepLookUps(Number.POSITIVE_INFINITY, headersOf);
  await shop.pass(1_800_000, 1_000);
  for (const reference of ['R-1', 'R-2', 'R-3', 'R-4', 'R-5', 'R-6', 'R-7', 'R-8']) {
    await shop.saved(reference);
    const soldAtMs = shop.clock.now();
    await shop.pass(30_000, 500);
    expect(Math.abs(offByMs(reference, soldAtMs))).toBeLessThan(2_000);
  }
});

test('kept look-ups that say their age prove no redemption absent, though nothing else came since the start', async () => {
  keepLookUps(Number.POSITIVE_INFINITY, (headers) => ({ ...headers, age: '20' }));
  await shop.pass(20_000);
  await shop.stop();
  shop.start();
  await shop.pass(20_000);
  await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
  await shop.passUntil(shop.core.perform(shop.redemption('R-1', { points: 40 }), { waitMs: 0 }));
  await shop.pass(100_000, 500);
  expect(shop.operation('R-1', 'redeem').state).toBe('unknown');
});

describe('books that once show the earn of a receipt, and not yet its redemption,', () => {
  let isDown: boolean;
  let isMisled: boolean;
  beforeEach(async () => {
    isDown = false;
    isMisled = false;
    await shop.saved('R-1');
    await shop.pass(5_000);
    const old = { data: await shop.held('R-1') };
    let isTold = false;
    shop.meddle = async (call, carry) => {
      if (isDown) return { kind: 'dropped' };
      if (callOf('POST', '/transactions/redeem')(call)) {
        await carry(call);
        const error = { code: 'INSUFFICIENT_BALANCE', message: '', retryable: false, request_id: 'req_another' };
        if (isMisled) return said(422, { error });
        isDown = true;
        return { kind: 'dropped' };
      }
      if (!isLookUp(call) || isTold || !call.target.includes('R-1')) return carry(call);
      isTold = true;
      return said(200, old, { 'x-request-id': 'req_old' });
    };
  });
  const redeem = (waitMs: number) =>
    shop.passUntil(shop.core.perform(shop.redemption('R-1', { points: 40 }), { waitMs }));

  test('cancel none that was recorded', async () => {
    await redeem(0);
    await shop.pass(60_000, 500);
    isDown = false;
    await shop.pass(60_000, 500);
    expect(shop.operation('R-1', 'redeem').state).toBe('applied');
  });

  test('confirm no refusal that was meant for another one', async () => {
    isMisled = true;
    expect(await redeem(20_000)).toMatchObject({ kind: 'done', operation: { state: 'applied' } });
  });
});
