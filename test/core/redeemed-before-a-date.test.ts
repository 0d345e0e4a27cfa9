import { beforeEach, describe, expect, test } from 'vitest';
import type { Outcome } from '../../app/service/calls/exchange.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said, withFields } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';
import { withoutDate } from '../support/without-date.ts';

// A redemption that goes out before the till has heard what time it is at the service.

const minutes = (count: number) => count * 60_000;
const pointsAtFirst = 245.5;

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const redeem = (write: ReturnType<CounterShop['redemption']>, waitMs: number) =>
  shop.passUntil(shop.core.perform(write, { waitMs }));

describe('where the till’s clock was ahead when the answer was lost, and is put right over a restart', () => {
  /** The first call of a run is a redemption that gets no answer. */
  async function lostWhileAhead(arrives: boolean): Promise<ReturnType<CounterShop['redemption']>> {
    await shop.stop();
    shop.setTillClock(minutes(20));
    shop.meddle = async (call, carry) => {
      if (arrives) await carry(call);
      return { kind: 'dropped' };
    };
    shop.start();
    const asked = shop.redemption('R-1', { points: 40 });
    expect(await redeem(asked, 0)).toMatchObject({ kind: 'unknown' });
    await shop.stop();
    shop.clock.advance(minutes(6));
    shop.setTillClock(-minutes(20));
    shop.meddle = (call, carry) => carry(call);
    shop.start();
    return asked;
  }

  test('it is found in the books, and told as done to who asks again', async () => {
    const asked = await lostWhileAhead(true);
    await shop.pass(60_000);
    expect(shop.operation('R-1', 'redeem').state).toBe('applied');
    expect(await redeem(asked, 20_000)).toMatchObject({ kind: 'done' });
    expect(await shop.points()).toBe(pointsAtFirst - 40);
  });

  test.each([
    ['value', { points: 30 }],
    ['customer', { points: 40, identifier: { loyalty_id: 'LC-1002' } }],
  ])('one that never arrived is not another till’s with another %s', async (_, value) => {
    const theirs = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', ...value };
    await shop.call('POST', '/v1/transactions/redeem', theirs);
    await lostWhileAhead(false);
    await shop.pass(120_000);
    expect(shop.operation('R-1', 'redeem')).toMatchObject({ state: 'cancelled', serviceTransactionId: null });
  });
});

describe.each([10, -10, 0])(
  'at a service whose answers have no Date, where the till’s clock is %i minutes ahead',
  (ahead) => {
    const redeemCall = callOf('POST', '/transactions/redeem');

    beforeEach(async () => {
      await shop.stop();
      shop.setTillClock(minutes(ahead));
      shop.meddle = withoutDate;
      shop.start();
      await shop.pass(5_000);
      expect(shop.core.status().clockSkewMs).toBeNull();
    });

    test('a redemption is told as done', async () => {
      const asked = shop.redemption('R-1', { points: 40 });
      expect(await redeem(asked, 0)).toMatchObject({ kind: 'done' });
      expect(await redeem(asked, 0)).toMatchObject({ kind: 'done' });
      expect(await shop.points()).toBe(pointsAtFirst - 40);
    });

    test('a commit is told as done', async () => {
      const hold = shop.redemption('C-1', { points: 40 }, { intent: 'reserve', path: '/redemptions/reserve' });
      const held = await redeem(hold, 5_000);
      if (held.kind !== 'done') return expect.fail(held.kind);
      const path = `/redemptions/${held.operation.serviceTransactionId}/commit`;
      const commit = { intent: 'commit', path, identifier: null, body: { external_ref: 'O-1' } } as const;
      expect(await redeem(shop.redemption('O-1', {}, commit), 0)).toMatchObject({ kind: 'done' });
    });

    test('an answer of 20 minutes ago to the same number is no first answer', async () => {
      answerInstead(shop, redeemCall, (own) => withFields(own, { occurred_at: minutesAgo(20) }));
      expect(await redeem(shop.redemption('R-1', { points: 40 }), 0)).toMatchObject({ kind: 'unknown' });
    });

    test.each([
      ['cannot be asked', () => dropped],
      ['is not known', () => said(404, { error: nobody })],
      ['has balances of that time', (own: Outcome | null) => withFields(own, { balances_as_of: minutesAgo(120) })],
    ])('an answer of two hours ago is none though the customer %s', async (_, answer) => {
      answerInstead(shop, redeemCall, (own) => withFields(own, { occurred_at: minutesAgo(120) }));
      answerInstead(shop, callOf('POST', '/customers/identify'), answer);
      expect(await redeem(shop.redemption('R-1', { points: 40 }), 0)).toMatchObject({ kind: 'unknown' });
    });

    const minutesAgo = (count: number) => new Date(shop.clock.now() - minutes(count)).toISOString();
  },
);

const dropped = { kind: 'dropped' } as const;
const nobody = { code: 'CUSTOMER_NOT_FOUND', message: 'm', retryable: false, request_id: 'r-404' };
