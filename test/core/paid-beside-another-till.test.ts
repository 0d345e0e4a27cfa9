import { beforeEach, describe, expect, test } from 'vitest';
import {
  attention,
  decider,
  hourMs,
  minuteMs,
  only,
  openLateShop,
  paidInFull,
  pointsAtFirst,
  shop,
} from '../support/late-shop.ts';

// A redemption got no answer, and the customer has paid in full. What the service holds under its number much later may be
// another till's, for which the same customer has got something.

openLateShop();

const identifier = { loyalty_id: 'LC-1001' };
const atOtherTill = () => shop.call('POST', '/v1/transactions/redeem', { identifier, external_ref: 'T-1', points: 40 });
const books = async () => (await shop.held('T-1')).map(({ status }) => status);
const restarted = async (clockByMs: number) => {
  await shop.stop();
  shop.setTillClock(clockByMs);
  shop.start();
  await shop.pass(minuteMs, 1_000);
};

async function expectAPersonDecides(): Promise<void> {
  expect(attention()).toMatchObject([{ externalRef: 'T-1', state: 'applied', found: 'stands' }]);
  expect(await books()).toEqual(['success']);
  expect(await shop.core.takeBack(only('T-1').operationId, decider)).toMatchObject({ kind: 'done' });
  await shop.pass(minuteMs, 1_000);
  expect(only('T-1').state).toBe('reversed');
  expect(await shop.points()).toBe(pointsAtFirst);
}

/** It is lost on its way, and the line is down until the other till has done it. */
async function paidWhileOffline(type: 'drop_request' | 'drop_response', meanwhile: () => Promise<unknown>) {
  await shop.fault('/transactions/redeem', { type }, 1);
  await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
  await shop.passUntil(shop.core.perform(shop.redemption('T-1', { points: 40 }), { waitMs: 2_000 }));
  expect(await shop.core.decide(only('T-1').operationId, 'take_full_payment')).toMatchObject({ kind: 'decided' });
  await meanwhile();
  await shop.mend();
  await shop.pass(10 * minuteMs, 5_000);
}

test.each([20 * minuteMs, 22 * hourMs])('another till’s of %i ms later is a person’s to decide about', async (ms) => {
  await paidInFull('T-1');
  await shop.pass(ms, 20_000);
  await atOtherTill();
  await shop.pass(25 * hourMs, minuteMs);
  await expectAPersonDecides();
});

test('another till’s is a person’s to decide about also where it was there before the line came back', async () => {
  await paidWhileOffline('drop_request', async () => {
    await shop.pass(20 * minuteMs, 5_000);
    await atOtherTill();
    await shop.pass(20 * minuteMs, 5_000);
  });
  await expectAPersonDecides();
});

test.each([
  ['in one run', async () => undefined],
  ['after a restart', () => restarted(0)],
  ['after a restart with the clock set ahead', () => restarted(hourMs)],
  ['after a restart with the clock set back', () => restarted(-hourMs)],
])('its own is reversed by itself when the line comes back after hours %s', async (_, meanwhile) => {
  await paidWhileOffline('drop_response', async () => {
    await shop.pass(3 * hourMs, minuteMs);
    await meanwhile();
  });
  expect(only('T-1')).toMatchObject({ state: 'reversed', found: null });
  expect(attention()).toEqual([]);
  expect(await shop.points()).toBe(pointsAtFirst);
});

test.each([hourMs, -hourMs])(
  'another till’s of an hour later is a person’s where the clock was set by %i ms',
  async (byMs) => {
    for (const reference of ['W-1', 'W-2', 'W-3']) {
      await shop.saved(reference, { points: 1 });
      await shop.pass(minuteMs, 5_000);
    }
    await paidWhileOffline('drop_request', async () => {
      await shop.pass(5 * minuteMs, 5_000);
      shop.setTillClock(byMs);
      await shop.pass(55 * minuteMs, 5_000);
      await atOtherTill();
    });
    expect(only('T-1')).toMatchObject({ state: 'applied', found: 'stands' });
    expect(await books()).toEqual(['success']);
  },
);

describe.each([
  ['behind', -20 * minuteMs],
  ['ahead', 20 * minuteMs],
])('with a clock that is always 20 minutes %s', (_, wrongMs) => {
  beforeEach(async () => {
    shop.setTillClock(wrongMs);
    for (const reference of ['W-1', 'W-2', 'W-3', 'W-4']) {
      await shop.saved(reference, { points: 1 });
      await shop.pass(minuteMs, 5_000);
    }
  });

  test('another till’s that was made when this clock told the time of the sale is not reversed', async () => {
    if (wrongMs < 0) {
      await atOtherTill();
      await shop.pass(20 * minuteMs, 5_000);
    }
    await paidWhileOffline('drop_request', async () => {
      if (wrongMs < 0) return;
      await shop.pass(20 * minuteMs, 5_000);
      await atOtherTill();
    });
    // What was there before the sale is none of it; what came after may be, and is a person's to decide about.
    const shown = wrongMs < 0 ? { state: 'cancelled', found: null } : { state: 'applied', found: 'stands' };
    expect(only('T-1')).toMatchObject(shown);
    expect(await books()).toEqual(['success']);
  });

  test.each([
    ['in one run', async () => undefined],
    ['after a restart', () => restarted(0)],
    ['after a restart with the clock put right', () => restarted(-wrongMs)],
  ])('its own is reversed by itself %s', async (__, meanwhile) => {
    await paidWhileOffline('drop_response', async () => {
      await shop.pass(3 * hourMs, minuteMs);
      await meanwhile();
    });
    expect(only('T-1')).toMatchObject({ state: 'reversed', found: null });
    expect(attention()).toEqual([]);
  });
});

describe.each([20 * minuteMs, -20 * minuteMs])(
  'with a clock that starts %i ms off, and is set right after a redemption before which no Date was heard',
  (wrongMs) => {
    const setRight = () => shop.setTillClock(-wrongMs);
    beforeEach(async () => {
      await shop.stop();
      shop.setTillClock(wrongMs);
      shop.start();
    });

    test('another till’s of 20 minutes later is a person’s', async () => {
      await paidWhileOffline('drop_request', async () => {
        setRight();
        await shop.pass(20 * minuteMs, 1_000);
        await atOtherTill();
      });
      expect(only('T-1')).toMatchObject({ state: 'applied', found: 'stands' });
      expect(await books()).toEqual(['success']);
    });

    test('its own is reversed by itself', async () => {
      await paidWhileOffline('drop_response', async () => {
        setRight();
        await shop.pass(2 * minuteMs, 1_000);
      });
      expect(only('T-1')).toMatchObject({ state: 'reversed', found: null });
      expect(attention()).toEqual([]);
    });
  },
);

/** Something on the way dates the answers so much later; the books are right. */
function tellDatesAhead(byMs: number): void {
  shop.meddle = async (call, carry) => {
    const outcome = await carry(call);
    if (outcome.kind !== 'response') return outcome;
    const date = new Date(shop.clock.now() + byMs).toUTCString();
    return { ...outcome, response: { ...outcome.response, headers: { ...outcome.response.headers, date } } };
  };
}

test('another till’s of 20 minutes later is a person’s where the dates are 20 minutes ahead since', async () => {
  await shop.pass(minuteMs, 1_000);
  await paidWhileOffline('drop_request', async () => {
    tellDatesAhead(20 * minuteMs);
    await shop.pass(20 * minuteMs, 5_000);
    await atOtherTill();
  });
  expect(only('T-1')).toMatchObject({ state: 'applied', found: 'stands' });
  expect(await books()).toEqual(['success']);
});

test('its own is reversed by itself where the clock of the built-in sandbox stands still for long', async () => {
  await shop.stop();
  shop.isEmbedded = true;
  shop.start();
  await shop.pass(minuteMs, 1_000);
  await shop.call('POST', '/_sandbox/clock', { mode: 'manual' });
  await shop.pass(30 * minuteMs, 5_000);
  await paidWhileOffline('drop_response', () => shop.pass(20 * minuteMs, 5_000));
  // The sandbox carries the reversal out when its clock goes on.
  expect(only('T-1').found).toBeNull();
  expect(shop.core.operationsByReference('reverse-redeem-T-1')).toHaveLength(1);
});

describe.each([20 * minuteMs, -20 * minuteMs])(
  'a till that starts %i ms off and hears no date before a redemption',
  (wrongMs) => {
    beforeEach(async () => {
      await shop.stop();
      shop.setTillClock(wrongMs);
      shop.start();
    });

    test('reverses none of another till by itself once it was started again with its clock set right', async () => {
      await paidWhileOffline('drop_request', async () => {
        await restarted(-wrongMs);
        await shop.pass(19 * minuteMs, 1_000);
        await atOtherTill();
      });
      expect(await books()).toEqual(['success']);
    });
  },
);

test('a commit of another system’s hold that was paid in full is not another till’s of another hold', async () => {
  const held = (external_ref: string) =>
    shop.call('POST', '/v1/redemptions/reserve', { identifier, external_ref, points: 40 });
  const { reservation_id: ours } = await held('CART-1');
  const { reservation_id: others } = await held('CART-2');
  await shop.pass(2 * minuteMs, 1_000);
  const path = `/redemptions/${String(ours)}/commit`;
  await shop.fault(path, { type: 'drop_request' });
  await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
  const body = { external_ref: 'T-1' };
  const commit = { ...shop.redemption('T-1', {}, { intent: 'commit', path }), identifier: null, body };
  await shop.passUntil(shop.core.perform(commit, { waitMs: 1_000 }));
  expect(await shop.core.decide(only('T-1').operationId, 'take_full_payment')).toMatchObject({ kind: 'decided' });
  await shop.mend();
  await shop.call('POST', `/v1/redemptions/${String(others)}/commit`, body);
  await shop.pass(15 * minuteMs, 5_000);
  expect(only('T-1').state).toBe('cancelled');
  expect(await books()).toEqual(['success']);
});
