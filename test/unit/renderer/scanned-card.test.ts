import { beforeEach, describe, expect, it } from 'vitest';
import { SaleCounter } from '../../support/sale-counter.ts';
import { demoCards } from '../../support/ui-demo-cards.ts';
import { operationOf, profileOf } from '../../support/ui-fake-agent.ts';

// A profile tells no card's number, so nobody knows which of several cards was scanned.
const { reward, cashback, coupon } = demoCards;
let counter: SaleCounter;
let sale: SaleCounter['sale'];
const chosen = () => sale.card.value?.card_id ?? null;
/** Enter in the find box. */
const enter = (): void => sale.find();
const pause = (): void => counter.clock.advance(100);

beforeEach(() => {
  counter = new SaleCounter();
  ({ sale } = counter);
});

describe('a scanned card of a customer with several cards that can earn', () => {
  it('is none of them before the cashier has chosen it, and no sale is made', async () => {
    await counter.inFront('LC-1001', reward, cashback);
    expect(chosen()).toBeNull();
    counter.type('31');
    pause();
    enter();
    expect([counter.earns(), sale.entry.value, sale.stage.value.kind]).toEqual([[], null, 'customer']);
    expect([sale.query.value, counter.failures]).toEqual(['31', 1]);
  });

  it('that is chosen takes the amount that was typed, and the sale once it is confirmed', async () => {
    await counter.inFront('LC-1001', reward, cashback);
    counter.type('31');
    enter();
    sale.chooseCard(cashback.card_id);
    pause();
    expect([sale.query.value, sale.entry.value?.text, counter.earns()]).toEqual(['', '31', []]);
    sale.confirm();
    expect(counter.earns()).toMatchObject([{ card_id: cashback.card_id, amount_minor: 31_000 }]);
  });

  it('makes no sale of an amount that was entered while the customer was looked up', async () => {
    counter.scan('LC-1001');
    counter.type('31');
    enter();
    await counter.arrive('LC-1001', reward, cashback);
    expect([chosen(), sale.entry.value, sale.query.value, sale.passed.value]).toEqual([null, null, '31', null]);
    expect([counter.failures, counter.earns()]).toEqual([1, []]);
    sale.chooseCard(cashback.card_id);
    pause();
    expect([sale.entry.value?.text, counter.earns()]).toEqual(['31', []]);
  });

  it('leaves what is typed in the find box when the chosen card earns nothing', async () => {
    await counter.inFront('LC-1001', reward, cashback, coupon);
    counter.type('31');
    sale.chooseCard(coupon.card_id);
    pause();
    enter();
    expect([sale.entry.value, sale.query.value, counter.earns()]).toEqual([null, '31', []]);
  });

  it('stays to be chosen when the customer is looked up once more', async () => {
    await counter.inFront('LC-1001', reward, cashback);
    const { card_id } = reward;
    const move = (state: 'applied' | 'reversed') => operationOf({ card_id, intent: 'redeem', state });
    sale.takeOperation(move('reversed'), move('applied'));
    const profile = profileOf({ customer_id: 'LC-1001', name: 'Looked up once more', cards: [reward, cashback] });
    await counter.api.newest('customer.find').answer({ source: 'service', profile });
    expect([sale.stage.value, chosen()]).toMatchObject([{ found: { profile: { name: 'Looked up once more' } } }, null]);
  });

  it('lets a number be looked for as before', async () => {
    await counter.inFront('LC-1001', reward, cashback);
    counter.type('55512345');
    enter();
    expect(counter.finds()).toEqual([{ loyalty_id: 'LC-1001' }, { phone: '55512345' }]);
  });
});

describe('a card is chosen at once', () => {
  it('whose id is its number, and the sale is as quick as with one card', async () => {
    counter.scan('LC-1001');
    counter.type('31');
    enter();
    await counter.arrive('LC-1001', reward, { ...cashback, card_id: 'LC-1001' });
    expect(counter.earns()).toMatchObject([{ card_id: 'LC-1001', amount_minor: 31_000 }]);
  });

  it('that is the only one that can earn', async () => {
    await counter.inFront('LC-1001', coupon, reward);
    expect(chosen()).toBe(reward.card_id);
  });

  it('where the customer was found by phone', async () => {
    sale.type('55512345', { byDigitKey: true });
    enter();
    await counter.arrive('LC-1001', reward, cashback);
    expect(chosen()).toBe(reward.card_id);
  });
});
