import { beforeEach, describe, expect, it } from 'vitest';
import { openPaid, openRenumber } from '../../../renderer/sale/entry/aims.ts';
import { openEntry } from '../../../renderer/sale/entry/entry-flow.ts';
import type { Sale } from '../../../renderer/sale/sale-parts.ts';
import type { AskedApi } from '../../support/asked-api.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { customerNames, SaleCounter } from '../../support/sale-counter.ts';
import { holdOf, operationOf } from '../../support/ui-fake-agent.ts';

// What is entered: a PIN beside an amount, another row, and what nobody knows yet.
let counter: SaleCounter;
let sale: Sale;
let api: AskedApi;
let clock: ManualClock;

beforeEach(() => {
  counter = new SaleCounter();
  ({ sale, api, clock } = counter);
});

describe("a manager's PIN", () => {
  async function asked(): Promise<void> {
    await counter.inFront('LC-1002');
    counter.press('12');
    sale.confirm();
    await api.newest('operation.earn').refuse('pin_needed');
    expect(sale.entry.value).toMatchObject({ pin: '', text: '12', untouched: false });
  }

  it('is what the keypad types, and the amount stays', async () => {
    await asked();
    counter.press('47.1');
    counter.press('1');
    sale.press('erase');
    expect(sale.entry.value).toMatchObject({ pin: '471', text: '12' });
    sale.confirm();
    expect(counter.earns().at(-1)).toMatchObject({ pin: '471', amount_minor: 12_000 });
  });

  it('is taken away with the step back to the amount', async () => {
    await asked();
    counter.press('47');
    sale.backToAmount();
    counter.press('5');
    expect(sale.entry.value).toMatchObject({ pin: null, text: '125', failure: null });
  });

  it('that comes as a burst of digits goes into its field, and is nobody’s card', async () => {
    await asked();
    counter.scan('471100');
    expect([sale.entry.value?.pin, sale.waitingScan.value]).toEqual(['471100', null]);
    counter.scan('LC-1001');
    expect([sale.entry.value?.pin, sale.waitingScan.value]).toEqual(['471100', 'LC-1001']);
    expect(counter.finds()).toHaveLength(1);
  });

  it('begun while the agent was asked has all its digits', async () => {
    await counter.inFront('LC-1002');
    counter.press('12');
    sale.confirm();
    sale.keyAside('4');
    sale.keyAside('7');
    await api.newest('operation.earn').refuse('pin_needed');
    expect(sale.entry.value).toMatchObject({ pin: '47', text: '12' });
    expect(sale.entry.value?.failure).not.toBeNull();
    sale.keyAside('1');
    expect(sale.entry.value?.pin).toBe('471');
  });

  it('that came as a burst while the agent was asked is in its field, and a card is not', async () => {
    await counter.inFront('LC-1002');
    counter.press('12');
    sale.confirm();
    sale.keysBegin();
    for (const key of 'LC-1001') sale.keyAside(key);
    sale.keysWereScan();
    sale.scan('LC-1001');
    await api.newest('operation.earn').refuse('pin_needed');
    expect([sale.entry.value?.pin, sale.waitingScan.value]).toEqual(['', 'LC-1001']);
    sale.confirm();
    counter.scan('471100');
    await api.newest('operation.earn').refuse('pin_wrong');
    expect([sale.entry.value?.pin, counter.finds().length]).toEqual(['471100', 1]);
  });

  it('is not what digits are that were typed before any other answer', async () => {
    await counter.inFront('LC-1002');
    counter.press('12');
    sale.confirm();
    sale.keyAside('4');
    await api.newest('operation.earn').refuse('not_saved');
    expect(sale.entry.value).toMatchObject({ pin: null, text: '12' });
    sale.confirm();
    await api.newest('operation.earn').refuse('pin_needed');
    expect(sale.entry.value?.pin).toBe('');
  });

  it('is not asked for where the card holds too little', async () => {
    await counter.inFront('LC-1002');
    sale.cancel();
    sale.open('redeem_amount');
    counter.press('9');
    sale.confirm();
    expect(sale.entry.value).toMatchObject({ pin: null, problem: 'above_balance', busy: false, failure: null });
    counter.press('1');
    expect(sale.entry.value?.text).toBe('1');
  });
});

describe('what a finger has pressed since a scan began', () => {
  it('is no part of the scan: digits stay, and so do what Confirm found wrong, and all of a balance', async () => {
    await counter.inFront('LC-1002');
    counter.press('12');
    sale.keysBegin();
    counter.press('5');
    sale.typeAmount('125L');
    counter.press('6');
    sale.typeAmount('12');
    sale.keysWereScan();
    expect(sale.entry.value).toMatchObject({ text: '1256' });
    sale.cancel();
    sale.open('redeem_amount');
    counter.press('9');
    sale.keysBegin();
    sale.confirm();
    sale.typeAmount('L');
    sale.typeAmount('9');
    sale.keysWereScan();
    expect(sale.entry.value).toMatchObject({ text: '9', problem: 'above_balance', untouched: true });
    sale.keysBegin();
    sale.fillAmount('2.500');
    sale.typeAmount('2.500L');
    sale.typeAmount('9');
    sale.keysWereScan();
    expect(sale.entry.value).toMatchObject({ text: '2.500', problem: null });
  });
});

describe('a press on a row', () => {
  it('of another hold spends that one, and on the same one again keeps what was typed', () => {
    sale.present(openPaid('pay-1', holdOf({ hold_id: 'hold-a' })));
    sale.typeReceipt('A-1');
    sale.present(openPaid('pay-2', holdOf({ hold_id: 'hold-a' })));
    expect(sale.entry.value).toMatchObject({ operationId: 'pay-1', receipt: 'A-1' });
    sale.present(openPaid('pay-3', holdOf({ hold_id: 'hold-b' })));
    sale.confirm();
    expect(api.newest('hold.commit').input).toEqual({ operation_id: 'pay-3', hold_id: 'hold-b' });
  });

  it('of another refused sale gives that one a number', () => {
    const renumber = (operation_id: string) =>
      openRenumber(operation_id, 'earn_amount', { refused: operationOf({ operation_id }), reason: '', card: null });
    sale.present(renumber('sale-a'));
    sale.present(renumber('sale-b'));
    sale.confirm();
    expect(api.newest('attention.replace').input).toMatchObject({ operation_id: 'sale-b' });
  });
});

describe('what is held for an order, or spent of it, and nobody knows yet whether it was', () => {
  const held = { operation_id: 'press-1', intent: 'reserve', state: 'unknown' } as const;
  const hold = async (): Promise<void> => {
    await counter.inFront('LC-1002');
    sale.cancel();
    const entryFor = sale.inFront();
    if (entryFor === null) throw new Error('Nobody is in front');
    sale.present(openEntry('press-1', 'redeem_amount', entryFor, 'KWD', { kind: 'hold', minutes: 15 }));
    sale.typeAmount('1');
    sale.confirm();
  };

  it('sounds like no success, and stays until it is known', async () => {
    await hold();
    await api.newest('hold.reserve').answer({ operation: operationOf(held) });
    clock.advance(60_000);
    expect([counter.successes, sale.outcome.value?.operation.state, sale.stage.value.kind]).toEqual([
      0,
      'unknown',
      'customer',
    ]);
    sale.takeOperation(operationOf({ ...held, state: 'applied', updated_at: '2026-11-20T14:15:00.000Z' }), null);
    expect(counter.successes).toBe(1);
    clock.advance(6_000);
    expect([sale.outcome.value, sale.stage.value.kind]).toEqual([null, 'idle']);
  });

  it('keeps nobody waiting: after a moment the card that was scanned meanwhile comes, and the hold is told beside it', async () => {
    await hold();
    counter.scan('LC-1001');
    counter.told = operationOf({ ...held, state: 'sending' });
    clock.advance(1_499);
    expect([sale.entry.value?.busy, sale.waitingScan.value]).toEqual([true, 'LC-1001']);
    clock.advance(1);
    await counter.arrive('LC-1001');
    expect([sale.waitingScan.value, sale.stage.value]).toMatchObject([
      null,
      { found: { profile: { name: customerNames['LC-1001'] } } },
    ]);
    expect(sale.passed.value).toMatchObject({ operation: { operation_id: 'press-1', state: 'sending' } });
    // However many customers come, its end is told.
    await counter.inFront('LC-1003');
    sale.takeOperation(operationOf({ ...held, state: 'refused', updated_at: '2026-11-20T14:15:00.000Z' }), null);
    expect(sale.passed.value).toMatchObject({ operation: { operation_id: 'press-1', state: 'refused' } });
    await api.newest('hold.reserve').refuse('refused');
    // The next customer's entry, which has opened by itself, is not told why.
    expect([counter.who(), sale.entry.value?.failure, counter.failures]).toEqual([customerNames['LC-1003'], null, 0]);
  });

  it('is shown as checked after a moment, and lets go of Escape, Next customer and the rows of Recent', async () => {
    await hold();
    counter.told = operationOf({ ...held, state: 'sending' });
    clock.advance(1_500);
    expect([sale.entry.value, sale.outcome.value?.operation.state]).toEqual([null, 'sending']);
    sale.clear();
    expect(sale.stage.value.kind).toBe('idle');
    // The answer comes late, and is about nobody who is in front now.
    await api.newest('hold.reserve').answer({ operation: operationOf({ ...held, state: 'applied' }) });
    expect([sale.outcome.value, sale.stage.value.kind]).toEqual([null, 'idle']);
  });

  it('that fails later says so where it still stands', async () => {
    await hold();
    counter.told = operationOf({ ...held, state: 'sending' });
    clock.advance(1_500);
    await api.newest('hold.reserve').refuse('not_sent');
    expect(sale.outcome.value?.failure).toMatchObject({ code: 'not_sent' });
  });

  it('that was refused later is corrected as a hold, for as long, with what was typed', async () => {
    await hold();
    counter.told = operationOf({ ...held, state: 'sending' });
    clock.advance(1_500);
    const minutes = sale.outcome.value?.heldForMinutes ?? null;
    expect(minutes).toBe(15);
    const again = { operation: 'redeem_amount', cardId: null, text: '1', receipt: '', isReceiptOpen: false } as const;
    sale.openAgain({ ...again, heldForMinutes: minutes });
    expect(sale.entry.value).toMatchObject({ text: '1', aim: { kind: 'hold', minutes: 15 } });
    sale.confirm();
    const [first, second] = api.asked.filter(({ command }) => command === 'hold.reserve').map(({ input }) => input);
    expect([first, second]).toMatchObject([{ operation_id: 'press-1' }, { ttl_minutes: 15 }]);
    expect(second).not.toMatchObject({ operation_id: 'press-1' });
  });

  it('is told of a paid order after a moment, and the card that waits comes', async () => {
    sale.present(openPaid('pay-1', holdOf()));
    sale.confirm();
    counter.scan('LC-1001');
    counter.told = operationOf({ operation_id: 'pay-1', intent: 'commit', state: 'sending' });
    clock.advance(1_500);
    expect([sale.entry.value, counter.finds()]).toEqual([null, [{ loyalty_id: 'LC-1001' }]]);
    expect(sale.passed.value).toMatchObject({ operation: { operation_id: 'pay-1', state: 'sending' } });
  });

  describe('of a paid order', () => {
    const paid = { operation_id: 'pay-1', intent: 'commit' } as const;
    const later = { updated_at: '2026-11-20T14:15:00.000Z' };
    const error = { code: 'RESERVATION_EXPIRED', message: '', retryable: false, request_id: 'r' };
    const named = () => (sale.passed.value?.kind === 'done' ? sale.passed.value.operation.state : null);
    beforeEach(() => {
      sale.present(openPaid('pay-1', holdOf()));
      sale.confirm();
      counter.told = operationOf({ ...paid, state: 'sending' });
      clock.advance(1_500);
      expect([sale.outcome.value?.operation.state, named()]).toEqual(['sending', null]);
    });

    it('is named beside the next customer while it is checked, and its refusal sounds and is named', async () => {
      await counter.inFront('LC-1002');
      expect([counter.who(), named(), counter.failures]).toEqual([customerNames['LC-1002'], 'sending', 0]);
      sale.takeOperation(operationOf({ ...paid, ...later, state: 'cancelled', error }), null);
      expect([named(), counter.failures, counter.successes]).toEqual(['cancelled', 1, 0]);
      clock.advance(400);
      await counter.inFront('LC-1003');
      expect(named()).toBeNull();
    });

    it('sounds at its end where it still stands, and is told of no more when that was read', async () => {
      sale.takeOperation(operationOf({ ...paid, ...later, state: 'applied' }), null);
      sale.takeOperation(operationOf({ ...paid, ...later, state: 'applied' }), null);
      expect([counter.successes, counter.failures, sale.stage.value.kind]).toEqual([1, 0, 'idle']);
      clock.advance(400);
      await counter.inFront('LC-1001');
      expect([sale.outcome.value, named()]).toEqual([null, null]);
    });

    it('sounds as refused where it still stands', () => {
      sale.takeOperation(operationOf({ ...paid, ...later, state: 'cancelled', error }), null);
      expect([counter.successes, counter.failures]).toEqual([0, 1]);
    });

    it('makes no sound as done beside another customer, whose success it is not', async () => {
      await counter.inFront('LC-1001');
      sale.takeOperation(operationOf({ ...paid, ...later, state: 'applied' }), null);
      expect([named(), counter.successes]).toEqual(['applied', 0]);
    });
  });

  it('sounds like a success at once where it is known', async () => {
    await hold();
    await api.newest('hold.reserve').answer({ operation: operationOf({ ...held, state: 'applied' }) });
    expect([counter.successes, sale.outcome.value?.clearsAfterMs]).toEqual([1, 6_000]);
  });

  it('and was made by an earlier press sounds like no success, and stays to be read', async () => {
    await hold();
    await api.newest('hold.reserve').answer({ operation: operationOf({ ...held, state: 'applied' }), duplicate: true });
    expect([counter.successes, sale.outcome.value]).toMatchObject([0, { duplicate: true, clearsAfterMs: null }]);
  });

  it('and was spent by an earlier press sounds like no success, stays, and keeps the card that waits', async () => {
    await counter.inFront('LC-1002');
    sale.cancel();
    sale.open('redeem_amount');
    sale.typeAmount('1');
    sale.confirm();
    counter.scan('LC-1001');
    const operation = operationOf({ intent: 'redeem', state: 'applied' });
    await api.newest('operation.redeem').answer({ operation, duplicate: true });
    expect([counter.successes, sale.outcome.value, sale.waitingScan.value]).toMatchObject([
      0,
      { duplicate: true, clearsAfterMs: null },
      'LC-1001',
    ]);
  });

  it('is told of a paid order without the sound of success', async () => {
    sale.present(openPaid('pay-1', holdOf()));
    sale.confirm();
    const operation = operationOf({ operation_id: 'pay-1', intent: 'commit', state: 'unknown' });
    await api.newest('hold.commit').answer({ operation });
    expect([counter.successes, counter.failures, sale.outcome.value?.operation.state]).toEqual([0, 0, 'unknown']);
  });
});
