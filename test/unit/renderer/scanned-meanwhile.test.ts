import { beforeEach, describe, expect, it } from 'vitest';
import type { Sale } from '../../../renderer/sale/sale-parts.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import type { AskedApi } from '../../support/asked-api.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { customerNames, SaleCounter } from '../../support/sale-counter.ts';
import { demoCards } from '../../support/ui-demo-cards.ts';
import { operationOf, profileOf, tillStateOf } from '../../support/ui-fake-agent.ts';

// Whose sale it is: a card that is scanned while something else is being done.
let counter: SaleCounter;
let sale: Sale;
let api: AskedApi;
let clock: ManualClock;

beforeEach(() => {
  counter = new SaleCounter();
  ({ sale, api, clock } = counter);
});

describe('a card scanned over a dialog into which nothing was typed', () => {
  it('is the customer whose sale the amount is', async () => {
    await counter.inFront('LC-1002');
    expect(counter.who()).toBe(customerNames['LC-1002']);
    counter.scan('LC-1001');
    expect([sale.entry.value, sale.waitingScan.value, counter.finds().at(-1)]).toEqual([
      null,
      null,
      { loyalty_id: 'LC-1001' },
    ]);
    await counter.arrive('LC-1001');
    counter.type('1.11');
    sale.find();
    sale.confirm();
    expect(counter.earns()).toMatchObject([{ identifier: { customer_id: 'LC-1001' }, amount_minor: 1_110 }]);
  });

  it('takes the stamp with it that was filled in beforehand', async () => {
    await counter.inFront('LC-1003');
    counter.scan('LC-1002');
    sale.confirm();
    expect([sale.entry.value, counter.earns()]).toEqual([null, []]);
  });

  it('is the next customer after an Enter too many, which had opened the dialog', async () => {
    await counter.inFront('LC-1001');
    sale.open('earn_amount');
    sale.confirm();
    expect(sale.entry.value?.problem).toBe('empty');
    counter.scan('LC-1002');
    expect(counter.finds().at(-1)).toEqual({ loyalty_id: 'LC-1002' });
  });

  it('leaves the dialog of the same card as it is, and its digit ready to be replaced', async () => {
    await counter.inFront('LC-1003');
    counter.scan('LC-1003');
    expect(sale.entry.value).toMatchObject({ text: '1', untouched: true });
  });
});

describe('a card scanned over a dialog into which something was typed', () => {
  it.each([
    ['an amount', () => counter.press('7')],
    ['a receipt number', () => sale.typeReceipt('R-1')],
  ])('waits: %s', async (_, typed) => {
    await counter.inFront('LC-1002');
    typed();
    counter.scan('LC-1001');
    expect([counter.who(), sale.waitingScan.value, counter.finds().length]).toEqual([
      customerNames['LC-1002'],
      'LC-1001',
      1,
    ]);
  });

  it('keeps its place when a product is scanned, which is said to be nobody’s', async () => {
    await counter.inFront('LC-1002');
    counter.press('7');
    counter.scan('LC-1001');
    counter.scan('4006381333931');
    expect([sale.waitingScan.value, sale.strayScan.value, counter.failures]).toEqual(['LC-1001', '4006381333931', 1]);
    expect(sale.entry.value?.text).toBe('7');
  });

  it('comes after the sale, which is named above the next customer', async () => {
    await counter.inFront('LC-1002');
    counter.press('1.11');
    counter.scan('LC-1001');
    sale.confirm();
    await counter.saved(customerNames['LC-1002']);
    expect(counter.finds().at(-1)).toEqual({ loyalty_id: 'LC-1001' });
    expect(sale.passed.value).toMatchObject({ kind: 'done', operation: { customer_name: customerNames['LC-1002'] } });
    await counter.arrive('LC-1001');
    expect(sale.passed.value?.kind).toBe('done');
    counter.scan('LC-1003');
    expect(sale.passed.value).toBeNull();
  });
});

describe('a number that is being typed when somebody who is looked up comes', () => {
  it('goes on in the find box: its last digits are no amount of theirs', async () => {
    counter.scan('LC-1002');
    counter.type('9988776');
    await counter.arrive('LC-1002');
    expect([sale.entry.value, sale.query.value]).toEqual([null, '9988776']);
    sale.type('99887766', true);
    sale.find();
    expect([counter.earns(), counter.finds().at(-1)]).toEqual([[], { phone: '99887766' }]);
  });

  it('is not taken for a handed-over amount, which comes when the find box is empty again', async () => {
    const handed_over = { id: 'sale-1', amount_minor: 12_500, currency: 'KWD', receipt_number: null };
    await counter.inFront('LC-1002');
    sale.cancel();
    sale.type('9988776', true);
    counter.till.value = tillStateOf({ handed_over });
    expect(sale.entry.value).toBeNull();
    sale.goBack();
    expect(sale.entry.value?.text).toBe('12.500');
  });

  it('is their amount while it may be one', async () => {
    counter.scan('LC-1002');
    counter.type('12.5');
    await counter.arrive('LC-1002');
    expect([sale.entry.value?.text, sale.query.value]).toEqual(['12.5', '']);
  });
});

describe('an amount that was entered for somebody who is looked up', () => {
  it('makes a later scan wait, and is their sale', async () => {
    counter.scan('LC-1001');
    counter.type('3.2');
    sale.find();
    counter.scan('LC-1002');
    expect([counter.finds().length, sale.waitingScan.value]).toEqual([1, 'LC-1002']);
    await counter.arrive('LC-1001');
    expect(counter.earns()).toMatchObject([{ identifier: { customer_id: 'LC-1001' }, amount_minor: 3_200 }]);
    expect(sale.waitingScan.value).toBe('LC-1002');
    await counter.saved(customerNames['LC-1001']);
    expect(counter.finds().at(-1)).toEqual({ loyalty_id: 'LC-1002' });
  });

  it('makes a later scan wait, too, where the first customer’s entry opens by itself', async () => {
    counter.scan('LC-1002');
    counter.type('6.1');
    sale.find();
    counter.scan('LC-1001');
    await counter.arrive('LC-1002');
    expect([counter.earns().length, sale.waitingScan.value]).toEqual([1, 'LC-1001']);
    await counter.saved(customerNames['LC-1002']);
    expect(counter.finds().at(-1)).toEqual({ loyalty_id: 'LC-1001' });
  });

  it('is said not to be taken where nobody is found, and the waiting card comes', async () => {
    counter.scan('LC-1001');
    counter.type('3.2');
    sale.find();
    counter.scan('LC-1002');
    await api.newest('customer.find').refuse('customer_not_found');
    expect(sale.passed.value).toEqual({ kind: 'not_taken', text: '3.2', reason: 'nobody' });
    expect([counter.failures > 0, counter.finds().at(-1)]).toEqual([true, { loyalty_id: 'LC-1002' }]);
  });

  it('is said not to be taken where the customer cannot earn', async () => {
    counter.scan('LC-1001');
    counter.type('3.2');
    sale.find();
    await counter.arrive('LC-1001', demoCards.coupon);
    expect(sale.passed.value).toEqual({ kind: 'not_taken', text: '3.2', reason: 'cannot_earn' });
    expect([counter.failures, sale.query.value]).toEqual([1, '3.2']);
  });

  it('is said not to be taken when the customer is let go before they come', async () => {
    counter.scan('LC-1001');
    counter.type('3.2');
    sale.find();
    sale.clear();
    expect(sale.passed.value).toEqual({ kind: 'not_taken', text: '3.2', reason: 'left' });
    expect(counter.failures).toBe(1);
    counter.scan('LC-1002');
    expect(sale.passed.value).toBeNull();
  });
});

describe('a card that was scanned while a redemption is asked for, which is then being checked', () => {
  beforeEach(async () => {
    await counter.inFront('LC-1001');
    sale.open('redeem_points');
    counter.press('13');
    sale.confirm();
    counter.scan('LC-1002');
    counter.told = operationOf({ intent: 'redeem', state: 'sending', customer_name: customerNames['LC-1001'] });
    clock.advance(1_500);
    expect([sale.entry.value, sale.outcome.value?.operation.state]).toEqual([null, 'sending']);
  });
  const inFrontNow = () => (sale.stage.value.kind === 'customer' ? sale.stage.value.found.profile.name : null);

  it('still waits', () => {
    expect([sale.waitingScan.value, counter.finds()]).toEqual(['LC-1002', [{ loyalty_id: 'LC-1001' }]]);
  });

  it('gives its place to the one that is scanned after it', () => {
    counter.scan('LC-1003');
    expect([sale.waitingScan.value, counter.finds().length]).toEqual(['LC-1003', 1]);
  });

  it.each([
    [
      'typed',
      () => {
        sale.type('LC-1003', false);
        sale.find();
      },
    ],
    ['brought by a press', () => sale.bring({ kind: 'card', text: 'LC-1003' }, null)],
  ])('is forgotten for one that is %s after it', async (_, ask) => {
    ask();
    // Of a card with two ways to earn nothing opens by itself.
    await counter.arrive('LC-1003', demoCards.reward);
    expect(counter.finds().slice(1)).toEqual([{ loyalty_id: 'LC-1003' }]);
    expect([inFrontNow(), sale.waitingScan.value]).toEqual([customerNames['LC-1003'], null]);
  });

  it.each([
    ['Escape', () => sale.goBack()],
    ['Next customer', () => sale.clear()],
  ])('comes with %s', async (_, leave) => {
    leave();
    expect([sale.waitingScan.value, counter.finds().at(-1)]).toEqual([null, { loyalty_id: 'LC-1002' }]);
    await counter.arrive('LC-1002');
    expect(inFrontNow()).toBe(customerNames['LC-1002']);
  });

  it('comes with Escape beside the news of the redemption, which may still be refused', () => {
    sale.goBack();
    expect(sale.passed.value).toMatchObject({ kind: 'done', operation: { intent: 'redeem', state: 'sending' } });
  });

  it('waits for another sale of the same customer, too', async () => {
    sale.open('earn_amount');
    counter.press('5');
    expect([counter.who(), sale.waitingScan.value]).toEqual([customerNames['LC-1001'], 'LC-1002']);
    sale.confirm();
    await counter.saved(customerNames['LC-1001']);
    expect(counter.finds().at(-1)).toEqual({ loyalty_id: 'LC-1002' });
  });

  it('is kept beside a customer who checks in, until somebody else is asked for', async () => {
    sale.bringBeside({ kind: 'phone', text: '+96599887766' });
    await counter.arrive('LC-1003', demoCards.reward);
    expect([inFrontNow(), sale.waitingScan.value, sale.keepsScan.value]).toEqual([
      customerNames['LC-1003'],
      'LC-1002',
      true,
    ]);
    counter.scan('LC-1001');
    await counter.arrive('LC-1001');
    expect([inFrontNow(), sale.waitingScan.value, sale.keepsScan.value]).toEqual([
      customerNames['LC-1001'],
      null,
      false,
    ]);
  });
});

describe('a card scanned while the till asks what became of a redemption', () => {
  beforeEach(async () => {
    await counter.inFront('LC-1001');
    sale.open('redeem_points');
    counter.press('13');
    sale.confirm();
    counter.told = operationOf({ intent: 'redeem', state: 'unknown', customer_name: customerNames['LC-1001'] });
    clock.advance(1_500);
    expect(sale.outcome.value?.operation.state).toBe('unknown');
  });
  const told = (change: Partial<OperationView>) => {
    const operation = operationOf({ intent: 'redeem', customer_name: customerNames['LC-1001'], ...change });
    sale.takeOperation(operation, null);
  };

  it('waits, and the customer of the redemption stays in front', () => {
    counter.scan('LC-1002');
    expect([sale.waitingScan.value, counter.finds().length]).toEqual(['LC-1002', 1]);
    expect(sale.outcome.value?.operation.customer_name).toBe(customerNames['LC-1001']);
  });

  it.each(['4006381333931', 'no card at all'])(
    'keeps its place when %s is scanned, which is nobody’s and is said to be',
    (code) => {
      counter.scan('LC-1002');
      counter.scan(code);
      expect([sale.waitingScan.value, sale.strayScan.value, counter.failures]).toEqual(['LC-1002', code, 1]);
      expect(sale.outcome.value?.operation.state).toBe('unknown');
    },
  );

  it('still waits when the redemption is completed while the next customer’s number is being typed', async () => {
    counter.scan('LC-1002');
    counter.type('9988');
    told({ state: 'applied' });
    counter.type('99887766');
    expect([sale.query.value, sale.waitingScan.value, counter.finds().length]).toEqual(['99887766', 'LC-1002', 1]);
    sale.find();
    expect([sale.waitingScan.value, counter.finds().at(-1)]).toEqual([null, { phone: '99887766' }]);
  });

  it.each(['applied', 'refused'] as const)(
    'in the very moment in which the redemption is %s leaves that named above them, because nobody has read it',
    async (state) => {
      told({ state });
      counter.scan('LC-1002');
      await counter.arrive('LC-1002');
      expect(sale.passed.value).toMatchObject({ kind: 'done', operation: { intent: 'redeem', state } });
    },
  );

  it('once the end of the redemption was read leaves it named nowhere else', async () => {
    told({ state: 'refused' });
    clock.advance(400);
    counter.scan('LC-1002');
    expect([sale.passed.value, counter.finds().at(-1)]).toEqual([null, { loyalty_id: 'LC-1002' }]);
  });

  it('comes by itself when the redemption is completed, beside the news of it', () => {
    counter.scan('LC-1002');
    told({ state: 'applied' });
    expect([sale.waitingScan.value, counter.finds().at(-1)]).toEqual([null, { loyalty_id: 'LC-1002' }]);
    expect(sale.passed.value).toMatchObject({ kind: 'done', operation: { state: 'applied' } });
  });

  it.each([
    ['Escape', () => sale.goBack()],
    ['Next customer', () => sale.clear()],
    ['Switch', () => sale.takeWaitingScan()],
  ])('comes with %s, beside the news of the redemption', async (_, leave) => {
    counter.scan('LC-1002');
    leave();
    expect([sale.waitingScan.value, counter.finds().at(-1)]).toEqual([null, { loyalty_id: 'LC-1002' }]);
    await counter.arrive('LC-1002');
    expect(sale.passed.value).toMatchObject({ kind: 'done', operation: { intent: 'redeem', state: 'unknown' } });
  });

  it('is no other card where it is the one of the customer in front', () => {
    counter.scan('LC-1001');
    expect([sale.waitingScan.value, counter.finds().length, sale.outcome.value === null]).toEqual([null, 1, false]);
  });

  it.each([
    ['the cashier may decide', () => counter.pass(15_000)],
    ['the cashier has decided', () => told({ state: 'unknown', decision: 'take_full_payment' })],
  ])('is the next customer once %s, and the redemption is named above them', async (_, change) => {
    change();
    counter.scan('LC-1002');
    expect([sale.waitingScan.value, counter.finds().at(-1)]).toEqual([null, { loyalty_id: 'LC-1002' }]);
    await counter.arrive('LC-1002');
    expect(sale.passed.value).toMatchObject({ operation: { customer_name: customerNames['LC-1001'] } });
  });

  it('or anybody who is typed leaves the redemption named above them', () => {
    sale.type('LC-1003', false);
    sale.find();
    expect(sale.passed.value).toMatchObject({ operation: { customer_name: customerNames['LC-1001'] } });
  });

  it('after its customer was put away leaves the redemption named above those after them, for ten minutes', async () => {
    sale.clear();
    const named = { operation: { customer_name: customerNames['LC-1001'] } };
    expect(sale.passed.value).toMatchObject(named);
    await counter.inFront('LC-1002');
    expect(sale.passed.value).toMatchObject(named);
    await counter.inFront('LC-1003');
    expect(sale.passed.value).toMatchObject(named);
    counter.pass(10 * 60_000);
    await counter.inFront('LC-1002');
    expect(sale.passed.value).toBeNull();
  });

  it('is not needed to come back: the redemption is shown again, and named nowhere else', () => {
    sale.goBack();
    expect([sale.stage.value.kind, sale.outcome.value]).toEqual(['idle', null]);
    sale.goBack();
    expect([sale.outcome.value?.operation.state, sale.passed.value]).toEqual(['unknown', null]);
  });
});

describe('a card scanned while an earlier redemption is looked at, of which nobody knows yet what became', () => {
  it('is the next customer, and nothing is named above them: its own customer has left long ago', async () => {
    await counter.inFront('LC-1001');
    sale.showEarlier(operationOf({ intent: 'redeem', state: 'unknown', customer_name: customerNames['LC-1003'] }));
    expect(sale.outcome.value?.isEarlier).toBe(true);
    counter.scan('LC-1002');
    await counter.arrive('LC-1002');
    expect([sale.waitingScan.value, sale.passed.value]).toEqual([null, null]);
  });
});

describe('a card that was scanned while a customer is enrolled', () => {
  it('comes after the enrollment', async () => {
    await counter.inFront('LC-1001');
    sale.open('earn_amount');
    counter.press('7');
    counter.scan('LC-1002');
    sale.bring(
      { kind: 'phone', text: '+96599887766' },
      profileOf({ customer_id: 'LC-1003', cards: [demoCards.reward] }),
    );
    expect(counter.finds().at(-1)).toEqual({ loyalty_id: 'LC-1002' });
  });
});
