import { beforeEach, describe, expect, test } from 'vitest';
import { localToken } from '../support/bridge-server.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

// A redemption in the evening was answered `outcome_unknown`. The next morning the same customer redeems the same value, and
// the program has the same number for that.

const minuteMs = 60_000;
/** From the evening into the next business day. */
const nightMs = 9 * 60 * minuteMs;

let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
});

const redeem = () =>
  shop.passUntil(
    bridge.call('POST', '/v1/transactions/redeem', {
      identifier: { loyalty_id: 'LC-1001' },
      external_ref: 'R-1',
      points: 5,
    }),
  );
const get = async (path: string) => (await shop.passUntil(bridge.call('GET', `/v1${path}`))).json;
const reads = {
  'by reference': async () => (await get('/transactions?external_ref=R-1')).data[0].status,
  'by id': async () => (await get(`/transactions/${shop.operation('R-1', 'redeem').transactionId}`)).status,
};
const readNames = Object.keys(reads) as (keyof typeof reads)[];
const conflict = { status: 409, json: { error: { code: 'DUPLICATE_TRANSACTION' } } };

async function redeemedInTheEvening(): Promise<void> {
  await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
  await shop.fault('/transactions', { type: 'offline' });
  expect((await redeem()).json.error.details).toEqual(['outcome_unknown']);
}
const foundOut = async () => {
  await shop.mend();
  await shop.pass(5 * minuteMs, 5_000);
  expect(shop.operation('R-1', 'redeem').state).toBe('applied');
};

describe.each(readNames)('a program that has read the outcome %s', (name) => {
  test('gets the next morning’s redemption refused, and not called done', async () => {
    await redeemedInTheEvening();
    await foundOut();
    expect(await reads[name]()).toBe('success');
    await shop.pass(nightMs, 10 * minuteMs);
    expect(await redeem()).toMatchObject(conflict);
    expect(await shop.points()).toBe(240.5);
  });

  test('gets the outcome when it sends the first one again soon', async () => {
    await redeemedInTheEvening();
    await foundOut();
    expect(await reads[name]()).toBe('success');
    await shop.pass(9 * minuteMs, minuteMs);
    expect(await redeem()).toMatchObject({ status: 200, json: { duplicate: true } });
  });

  test('is still asking where it read that it is pending', async () => {
    await redeemedInTheEvening();
    expect(await reads[name]()).toBe('pending');
    await foundOut();
    await shop.pass(nightMs, 10 * minuteMs);
    expect(await redeem()).toMatchObject({ status: 200, json: { duplicate: true } });
  });
});

const tellUnknown = {
  'with its answer lost': async () => {
    await redeemedInTheEvening();
    await foundOut();
  },
  'with its answer late': async () => {
    await shop.fault('/transactions/redeem', { type: 'delay', ms: 9_000 }, 1);
    expect((await redeem()).json.error.details).toEqual(['outcome_unknown']);
    await foundOut();
  },
};

test.each([
  ['it', 'with its answer lost', localToken, conflict],
  ['it', 'with its answer late', localToken, conflict],
  ['another program', 'with its answer lost', 'tb_local_shared', { status: 200, json: { duplicate: true } }],
] as const)('the same where an event has told %s (%s)', async (_, way, token, answer) => {
  const ending = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const events = await fetch(`http://127.0.0.1:${bridge.port}/v1/agent/events`, { headers, signal: ending.signal });
  expect(events.status).toBe(200);
  await tellUnknown[way]();
  ending.abort();
  await shop.pass(nightMs, 10 * minuteMs);
  expect(await redeem()).toMatchObject(answer);
});

test('the same where it has read the outcome before the late answer came', async () => {
  shop.meddle = async (call, carry) => {
    const outcome = await carry(call);
    if (call.target === '/v1/transactions/redeem') {
      await new Promise<void>((resolve) => {
        shop.clock.setTimer(resolve, 14_000);
      });
    }
    return outcome;
  };
  expect((await redeem()).json.error.details).toEqual(['outcome_unknown']);
  expect(await reads['by reference']()).toBe('success');
  await shop.pass(nightMs, 10 * minuteMs);
  expect(await redeem()).toMatchObject(conflict);
});
