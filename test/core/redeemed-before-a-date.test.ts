import { beforeEach, describe, expect, test } from 'vitest';
import type { Outcome } from '../../app/service/calls/exchange.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, withFields } from '../support/meddling.ts';
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

describe('where another till did the same under the number before, and this till’s own is lost', () => {
  const identifier = { loyalty_id: 'LC-1001' };
  const write = callOf('POST', /^\/transactions\//);
  const lose: CounterShop['meddle'] = async (call, carry) =>
    write(call) ? { kind: 'dropped' } : withoutDate(call, carry);
  const theirs = async (path: string, body: object, agoMs = minutes(24 * 60)) => {
    await shop.call('POST', path, { identifier, ...body });
    await shop.stop();
    shop.clock.advance(agoMs);
  };

  /** The clock that was ahead is right again. */
  async function startAgain(): Promise<void> {
    await shop.stop();
    shop.clock.advance(minutes(1));
    shop.setTillClock(-minutes(20));
    shop.meddle = (call, carry) => carry(call);
    shop.start();
    await shop.pass(180_000, 1_000);
  }

  test.each([24 * 60, 30])(
    'a sale is not told as applied by one of %i minutes ago, where the till’s clock was ahead before a restart',
    async (ago) => {
      await theirs('/v1/transactions/earn', { external_ref: 'E-1', points: 10 }, minutes(ago));
      shop.setTillClock(minutes(20));
      shop.meddle = lose;
      shop.start();
      await shop.saved('E-1');
      await shop.pass(10_000);
      expect(shop.operation('E-1')).toMatchObject({ maybeSent: true });
      await startAgain();
      expect(shop.operation('E-1')).toMatchObject({ state: 'refused', error: { code: 'DUPLICATE_TRANSACTION' } });
    },
  );

  test('a redemption is not told as that one, where the till’s clock was ahead before a restart', async () => {
    await theirs('/v1/transactions/redeem', { external_ref: 'R-1', points: 40 });
    shop.setTillClock(minutes(20));
    shop.meddle = lose;
    shop.start();
    expect(await redeem(shop.redemption('R-1', { points: 40 }), 0)).toMatchObject({ kind: 'unknown' });
    await startAgain();
    expect(shop.operation('R-1', 'redeem')).toMatchObject({ state: 'cancelled', serviceTransactionId: null });
  });

  test('a redemption is not told as that one, where the till’s clock is set back meanwhile', async () => {
    await theirs('/v1/transactions/redeem', { external_ref: 'R-1', points: 40 });
    shop.meddle = lose;
    shop.start();
    expect(await redeem(shop.redemption('R-1', { points: 40 }), 0)).toMatchObject({ kind: 'unknown' });
    shop.setTillClock(-minutes(10));
    shop.meddle = withoutDate;
    await shop.pass(180_000, 1_000);
    expect(shop.operation('R-1', 'redeem')).toMatchObject({ state: 'cancelled', serviceTransactionId: null });
  });
});

describe('at a service whose answers have no Date', () => {
  async function startAhead(byMs: number): Promise<void> {
    await shop.stop();
    shop.setTillClock(byMs);
    shop.meddle = withoutDate;
    shop.start();
    await shop.pass(5_000);
    expect(shop.core.status().clockSkewMs).toBeNull();
  }

  const redeemed = () => redeem(shop.redemption('R-1', { points: 40 }), 0);

  test('a redemption is told as done where the till’s clock is right', async () => {
    await startAhead(0);
    expect(await redeemed()).toMatchObject({ kind: 'done' });
  });

  test.each([
    [10, 'cancelled'],
    [-10, 'applied'],
  ])(
    'it is told as not known where that is %i minutes ahead, though carried out, and as %s later',
    async (ahead, state) => {
      await startAhead(minutes(ahead));
      expect(await redeemed()).toMatchObject({ kind: 'unknown' });
      await shop.pass(minutes(2), 1_000);
      expect(shop.operation('R-1', 'redeem').state).toBe(state);
      expect(await shop.points()).toBe(pointsAtFirst - 40);
    },
  );

  test.each([20, 40, 59])(
    'a first answer that was kept for %i minutes is not believed, nor balances as old',
    async (old) => {
      await startAhead(0);
      const kept = new Date(shop.clock.now() - minutes(old)).toISOString();
      const keptAs = (field: string) => (own: Outcome | null) => withFields(own, { [field]: kept });
      answerInstead(shop, callOf('POST', '/transactions/redeem'), keptAs('occurred_at'));
      answerInstead(shop, callOf('POST', '/customers/identify'), keptAs('balances_as_of'));
      expect(await redeemed()).toMatchObject({ kind: 'unknown' });
    },
  );
});
