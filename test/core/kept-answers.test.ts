import { beforeEach, expect, test } from 'vitest';
import type { Outcome } from '../../app/service/calls/exchange.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { callOf } from '../support/meddling.ts';
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
