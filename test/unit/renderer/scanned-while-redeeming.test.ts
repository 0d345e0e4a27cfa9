import { beforeEach, describe, expect, it } from 'vitest';
import type { Sale } from '../../../renderer/sale/sale-parts.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { customerNames, SaleCounter } from '../../support/sale-counter.ts';
import { demoCards } from '../../support/ui-demo-cards.ts';
import { operationOf } from '../../support/ui-fake-agent.ts';

// Whose redemption it is: a card that is scanned while one is asked for, checked or looked at.
let counter: SaleCounter;
let sale: Sale;
let clock: ManualClock;

beforeEach(() => {
  counter = new SaleCounter();
  ({ sale, clock } = counter);
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
        sale.type('LC-1003', { byDigitKey: false });
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
    sale.type('LC-1003', { byDigitKey: false });
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
    clock.advance(10 * 60_000);
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
