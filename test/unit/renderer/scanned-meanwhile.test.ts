import { beforeEach, describe, expect, it } from 'vitest';
import { openCopy } from '../../../renderer/copy/copy.ts';
import { createModel, type Model } from '../../../renderer/model.ts';
import { openPaid } from '../../../renderer/sale/entry/aims.ts';
import type { Sale } from '../../../renderer/sale/sale-parts.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualPresses } from '../../support/manual-presses.ts';
import { customerNames, SaleCounter } from '../../support/sale-counter.ts';
import { demoCards } from '../../support/ui-demo-cards.ts';
import { holdOf, operationOf, profileOf, tillStateOf } from '../../support/ui-fake-agent.ts';

// Whose sale it is: a card that is scanned while something else is being done.
let counter: SaleCounter;
let sale: Sale;
let api: AskedApi;

beforeEach(() => {
  counter = new SaleCounter();
  ({ sale, api } = counter);
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
    sale.type('99887766', { byDigitKey: true });
    sale.find();
    expect([counter.earns(), counter.finds().at(-1)]).toEqual([[], { phone: '99887766' }]);
  });

  it('goes on as the number of the order that is paid, whose dialog stays', async () => {
    counter.scan('LC-1002');
    sale.present(openPaid('pay-1', holdOf()));
    sale.typeReceipt('10');
    await counter.arrive('LC-1002');
    expect(sale.entry.value).toMatchObject({ operationId: 'pay-1', receipt: '10' });
    sale.cancel();
    sale.open('earn_amount');
    expect(counter.who()).toBe(customerNames['LC-1002']);
  });

  it('goes on as the PIN of an undo, whose row stays open', async () => {
    counter.scan('LC-1002');
    sale.showEarlier(operationOf());
    await counter.arrive('LC-1002');
    expect([sale.outcome.value?.isEarlier, sale.entry.value]).toEqual([true, null]);
  });

  it('is not taken for a handed-over amount, which comes when the find box is empty again', async () => {
    const handed_over = { id: 'sale-1', amount_minor: 12_500, currency: 'KWD', receipt_number: null };
    await counter.inFront('LC-1002');
    sale.cancel();
    sale.type('9988776', { byDigitKey: true });
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

describe('a card that was scanned while a customer is enrolled', () => {
  const phone = { kind: 'phone', text: '+96599887766' } as const;
  let model: Model;

  beforeEach(async () => {
    api = new AskedApi();
    const { clock } = counter;
    model = createModel({
      api,
      clock,
      presses: new ManualPresses(clock),
      newId: () => crypto.randomUUID(),
      sounds: { success: () => undefined, failure: () => undefined },
      memory: { read: () => null, write: () => undefined },
      copy: await openCopy({ clock, locale: 'en' }),
    });
    ({ sale } = model);
    api.open();
    api.tell({ type: 'state', state: tillStateOf() });
    model.enroll.begin(null);
    sale.scan('LC-1002');
    expect(sale.waitingScan.value).toBe('LC-1002');
    model.enroll.stepParts.enrollment.value = null;
  });

  it.each([
    ['two ways to earn', [demoCards.reward, demoCards.cashback]],
    ['one way to earn', [demoCards.stamp]],
  ])('waits for the sale of one who was enrolled before, and has %s', (_, cards) => {
    model.enroll.stepParts.onCustomer(phone, profileOf({ customer_id: 'LC-1003', cards }));
    expect(api.asked.filter(({ command }) => command === 'customer.find')).toEqual([]);
    expect([sale.inFront()?.identifier, sale.waitingScan.value]).toEqual([{ customer_id: 'LC-1003' }, 'LC-1002']);
    sale.clear();
    expect(api.newest('customer.find').input).toEqual({ identifier: { loyalty_id: 'LC-1002' } });
  });

  it('waits for the sale of one who is looked up with the new card', async () => {
    model.enroll.stepParts.onCustomer(phone, null);
    await api.newest('customer.find').answer({ source: 'service', profile: profileOf({ customer_id: 'LC-1003' }) });
    expect([sale.inFront()?.identifier, sale.waitingScan.value]).toEqual([{ customer_id: 'LC-1003' }, 'LC-1002']);
  });
});
