import { beforeEach, describe, expect, it } from 'vitest';
import type { Sale } from '../../../renderer/sale/sale-parts.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { customerNames, SaleCounter } from '../../support/sale-counter.ts';
import { operationOf } from '../../support/ui-fake-agent.ts';

// What became of a redemption is told until somebody can have read it, and then no more.
let counter: SaleCounter;
let sale: Sale;
let clock: ManualClock;

const readMs = 400;
const redemption = (change: Partial<OperationView>): OperationView =>
  operationOf({ operation_id: 'spent', intent: 'redeem', customer_name: customerNames['LC-1001'], ...change });
const told = (change: Partial<OperationView>): void => sale.takeOperation(redemption(change), null);
/** The state of the operation that is named in the line of news. */
const named = () => (sale.passed.value?.kind === 'done' ? sale.passed.value.operation.state : null);

beforeEach(async () => {
  counter = new SaleCounter();
  ({ sale, clock } = counter);
  await counter.inFront('LC-1001');
  sale.open('redeem_points');
  counter.press('13');
  sale.confirm();
  counter.told = redemption({ state: 'unknown' });
  clock.advance(1_500);
  expect(sale.outcome.value?.operation.state).toBe('unknown');
});

describe('the end of a redemption that is put away in the very moment in which it comes', () => {
  it.each([
    ['another card', () => sale.chooseCard('card_second')],
    ['an operation', () => sale.open('earn_amount')],
    ['a row of Recent', () => sale.showEarlier(operationOf({ operation_id: 'earlier', state: 'applied' }))],
  ])('for %s is told of in one line', (_, putAway) => {
    told({ state: 'refused' });
    putAway();
    expect([sale.outcome.value?.operation.operation_id === 'spent', named()]).toEqual([false, 'refused']);
  });

  it('is told beside the next customer, too, who comes as soon', async () => {
    told({ state: 'refused' });
    sale.chooseCard('card_second');
    await counter.inFront('LC-1002');
    expect(named()).toBe('refused');
    clock.advance(readMs);
    await counter.inFront('LC-1003');
    expect(named()).toBeNull();
  });

  it('is told of in one line, too, when it came while another screen was shown', () => {
    counter.isHidden.value = true;
    told({ state: 'refused' });
    clock.advance(readMs);
    counter.isHidden.value = false;
    sale.chooseCard('card_second');
    expect(named()).toBe('refused');
  });

  it('is told of in one line, too, when a busy page gets to the press only later', () => {
    told({ state: 'refused' });
    clock.advance(readMs + 600);
    counter.presses.lateByMs = 700;
    sale.chooseCard('card_second');
    expect([sale.outcome.value, named()]).toEqual([null, 'refused']);
    // What was put there by that press is as new, for the next one of its kind.
    clock.advance(200);
    sale.clear();
    counter.presses.lateByMs = 0;
    expect(named()).toBe('refused');
  });

  it('is told of in one line, too, when a busy page had not painted it', () => {
    counter.presses.paints = false;
    told({ state: 'refused' });
    clock.advance(readMs);
    sale.chooseCard('card_second');
    expect(named()).toBe('refused');
  });

  it('is told of nowhere else when it had been read', () => {
    told({ state: 'refused' });
    clock.advance(readMs);
    sale.chooseCard('card_second');
    expect([sale.outcome.value, named()]).toEqual([null, null]);
  });
});

describe('the end of a redemption that was put away while it was checked', () => {
  const row = () => sale.showEarlier(redemption({ state: 'unknown' }));

  it('is told of nowhere else when it was read in its row of Recent', () => {
    sale.chooseCard('card_second');
    row();
    told({ state: 'refused' });
    clock.advance(readMs);
    sale.closeEarlier();
    expect([sale.outcome.value, named()]).toEqual([null, null]);
  });

  it('is told of when its row of Recent was closed in the very moment in which it came', () => {
    sale.chooseCard('card_second');
    row();
    told({ state: 'refused' });
    sale.closeEarlier();
    expect([sale.outcome.value, named()]).toEqual([null, 'refused']);
  });

  it('is told of nowhere else when the customer was brought back, and it was read in the middle', () => {
    sale.goBack();
    sale.goBack();
    told({ state: 'refused' });
    clock.advance(readMs);
    sale.chooseCard('card_second');
    expect([sale.outcome.value, named()]).toEqual([null, null]);
  });
});

describe('the end of a redemption that is named beside another customer', () => {
  beforeEach(async () => {
    sale.chooseCard('card_second');
    await counter.inFront('LC-1002');
    expect([sale.entry.value?.operation, named()]).toEqual(['earn_amount', 'unknown']);
  });

  it('is told beside the next one, too, when that one’s card is scanned in the very moment', async () => {
    told({ state: 'refused' });
    clock.advance(readMs - 1);
    await counter.inFront('LC-1003');
    expect(named()).toBe('refused');
    clock.advance(readMs);
    await counter.inFront('LC-1002');
    expect(named()).toBeNull();
  });

  it('is told beside the next one, too, when it was covered until the very press that brings them', async () => {
    counter.press('7');
    counter.scan('LC-1003');
    told({ state: 'refused' });
    clock.advance(readMs);
    sale.cancel();
    await counter.arrive('LC-1003');
    expect(named()).toBe('refused');
  });

  it('is told beside the next one, too, whose card was scanned on another screen, where it came', async () => {
    counter.isHidden.value = true;
    told({ state: 'refused' });
    clock.advance(readMs);
    counter.isHidden.value = false;
    await counter.inFront('LC-1003');
    expect(named()).toBe('refused');
    clock.advance(readMs);
    await counter.inFront('LC-1002');
    expect(named()).toBeNull();
  });

  it('is told of no more when it was read before a card that waits covered it', async () => {
    counter.press('7');
    told({ state: 'refused' });
    clock.advance(readMs);
    counter.scan('LC-1003');
    sale.cancel();
    await counter.arrive('LC-1003');
    expect(named()).toBeNull();
  });

  it('is read in the end, although news of other sales come all the time', async () => {
    told({ state: 'refused' });
    for (let pastMs = 0; pastMs < readMs; pastMs += 100) {
      sale.takeOperation(operationOf({ operation_id: `other-${pastMs}`, state: 'applied' }), null);
      clock.advance(100);
    }
    await counter.inFront('LC-1003');
    expect(named()).toBeNull();
  });
});

describe('a redemption that is named while nobody is in front', () => {
  beforeEach(() => {
    sale.goBack();
    expect([sale.stage.value.kind, named()]).toEqual(['idle', 'unknown']);
  });

  it.each([
    ['the cashier has decided about it', () => told({ state: 'unknown', decision: 'take_full_payment' })],
    ['it is older than ten minutes', () => clock.advance(10 * 60_000)],
  ])('is not named beside the next customer when %s', async (_, change) => {
    change();
    await counter.inFront('LC-1002');
    expect(named()).toBeNull();
  });

  it('is named beside the next customer otherwise, with its end', async () => {
    told({ state: 'refused' });
    clock.advance(readMs);
    await counter.inFront('LC-1002');
    expect(named()).toBe('refused');
  });
});
