import { beforeEach, describe, expect, it } from 'vitest';
import { changeHold } from '../../../renderer/sale/entry/aims.ts';
import { isBlank } from '../../../renderer/sale/entry/entry-flow.ts';
import type { Sale } from '../../../renderer/sale/sale-parts.ts';
import type { AskedApi } from '../../support/asked-api.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { customerNames, SaleCounter } from '../../support/sale-counter.ts';
import { tillStateOf } from '../../support/ui-fake-agent.ts';

// The page has lost the answer to a press: it may be saved, and the next press must not make a second one.
let counter: SaleCounter;
let sale: Sale;
let api: AskedApi;
let clock: ManualClock;

beforeEach(() => {
  counter = new SaleCounter();
  ({ sale, api, clock } = counter);
});

describe('a redemption whose answer was lost', () => {
  async function lose(): Promise<string | undefined> {
    await counter.inFront('LC-1001');
    sale.open('redeem_points');
    counter.press('35');
    sale.confirm();
    await api.newest('operation.redeem').refuse('agent_gone');
    clock.advance(400);
    return sale.entry.value?.operationId;
  }

  it('stays the same operation when it is erased, left and opened again', async () => {
    const sentId = await lose();
    sale.erase();
    sale.cancel();
    expect(sale.entry.value).toBeNull();
    sale.open('redeem_points');
    counter.press('50');
    sale.confirm();
    expect(api.newest('operation.redeem').input).toMatchObject({ operation_id: sentId, points: 50 });
  });

  it('stays the same operation through another one and back, even when that is done', async () => {
    const sentId = await lose();
    sale.open('earn_stamp');
    expect(sale.entry.value).toMatchObject({ text: '35' });
    expect(sale.entry.value?.operationId).not.toBe(sentId);
    sale.open('redeem_points');
    expect(sale.entry.value).toMatchObject({ operationId: sentId, text: '35' });
    sale.open('earn_stamp');
    sale.confirm();
    await counter.saved(customerNames['LC-1001']);
    sale.closeOutcome();
    sale.open('redeem_points');
    expect(sale.entry.value?.operationId).toBe(sentId);
  });

  it('is forgotten with the sale of the next customer', async () => {
    const sentId = await lose();
    sale.cancel();
    await counter.inFront('LC-1003');
    sale.open('earn_stamp');
    sale.confirm();
    await counter.saved(customerNames['LC-1003']);
    await counter.inFront('LC-1001');
    sale.open('redeem_points');
    expect(sale.entry.value?.operationId).not.toBe(sentId);
  });

  it('is filled with no amount of a program after it was erased', async () => {
    await counter.inFront('LC-1002');
    counter.press('12');
    sale.confirm();
    await api.newest('operation.earn').refuse('agent_gone');
    sale.erase();
    counter.till.value = tillStateOf({
      handed_over: { id: 'sale-1', amount_minor: 5_000, currency: 'KWD', receipt_number: null },
    });
    expect(sale.entry.value).toMatchObject({ text: '', filled: null });
  });

  it('keeps its id when a refused hold is corrected', async () => {
    const sentId = await lose();
    sale.open('redeem_points', { kind: 'hold', minutes: 15 });
    expect(sale.entry.value?.operationId).not.toBe(sentId);
    sale.openAgain({
      operation: 'redeem_points',
      cardId: null,
      text: '20',
      receipt: '',
      isReceiptOpen: false,
      heldForMinutes: 15,
    });
    expect(sale.entry.value).toMatchObject({ text: '20', aim: { kind: 'hold' } });
    expect(sale.entry.value?.operationId).not.toBe(sentId);
    sale.open('redeem_points');
    expect(sale.entry.value?.operationId).toBe(sentId);
  });

  it('takes nothing from the sale that stood there meanwhile, which comes back as it was', async () => {
    const sentId = await lose();
    sale.open('earn_stamp');
    sale.typeAmount('7');
    sale.typeReceipt('R-7');
    const earnId = sale.entry.value?.operationId;
    sale.open('redeem_points');
    expect(sale.entry.value).toMatchObject({ operationId: sentId, text: '35', receipt: '' });
    sale.open('earn_stamp');
    expect(sale.entry.value).toMatchObject({ operationId: earnId, text: '7', receipt: 'R-7' });
  });
});

describe('a hold whose answer was lost', () => {
  const hold = (operation: 'redeem_points' | 'redeem_amount') => sale.open(operation, { kind: 'hold', minutes: 15 });
  async function lose(operation: 'redeem_points' | 'redeem_amount'): Promise<string | undefined> {
    await counter.inFront('LC-1001');
    hold(operation);
    sale.typeAmount('2');
    sale.confirm();
    await api.newest('hold.reserve').refuse('agent_gone');
    return sale.entry.value?.operationId;
  }

  it('stays the same operation when another thing is to be held, and it is left', async () => {
    const sentId = await lose('redeem_points');
    const entry = sale.entry.value;
    if (entry === null) throw new Error('No entry is open');
    const changed = changeHold(entry, { operation: 'redeem_amount', minutes: 15, currency: 'KWD' });
    expect(isBlank(changed)).toBe(false);
    expect(changed.operationId).toBe(sentId);
  });

  it('is opened again by the button, which opens a hold of the first thing on the card', async () => {
    const sentId = await lose('redeem_amount');
    sale.cancel();
    hold('redeem_points');
    expect(sale.entry.value).toMatchObject({ operationId: sentId, operation: 'redeem_amount', text: '2' });
  });
});
