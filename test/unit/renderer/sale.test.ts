import { signal } from '@preact/signals';
import { beforeEach, describe, expect, it } from 'vitest';
import { openPaid, openRenumber } from '../../../renderer/sale/entry/aims.ts';
import { openEntry } from '../../../renderer/sale/entry/entry-flow.ts';
import { createSale } from '../../../renderer/sale/sale.ts';
import type { Sale } from '../../../renderer/sale/sale-parts.ts';
import type { CardEntry } from '../../../shared/contract/profile.ts';
import type { OperationView, TillState } from '../../../shared/till/views.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { demoCards } from '../../support/ui-demo-cards.ts';
import { holdOf, operationOf, profileOf, tillStateOf } from '../../support/ui-fake-agent.ts';

// Whose sale it is, and how much: the state behind the sale's dialog, with answers that come when a test says so.
let api: AskedApi;
let clock: ManualClock;
let sale: Sale;
let failures: number;
let successes: number;
/** What the agent has told of the operation that is under way. */
let told: OperationView | null;

const names = { 'LC-1001': 'Fatima Al-Sabah', 'LC-1002': 'Yousef Al-Mutairi', 'LC-1003': 'Sami Haddad' } as const;
type Code = keyof typeof names;
const cards: Readonly<Record<Code, CardEntry>> = {
  'LC-1001': demoCards.reward,
  'LC-1002': demoCards.cashback,
  'LC-1003': demoCards.stamp,
};

beforeEach(() => {
  api = new AskedApi();
  clock = new ManualClock();
  failures = 0;
  successes = 0;
  told = null;
  sale = createSale({
    api,
    clock,
    newId: () => crypto.randomUUID(),
    sounds: { success: () => void successes++, failure: () => void failures++ },
    till: signal<TillState>(tillStateOf({ has_managers: true, card_pattern: 'LC-[0-9]{4}' })),
    isElsewhere: () => false,
    holds: {
      reserve: (input) => api.call('hold.reserve', input),
      commit: (input) => api.call('hold.commit', input),
    },
    onSaved: (operation) => operation,
    earlierSpends: () => [],
    newest: () => told,
  });
});

const arrive = (code: Code, card = cards[code]) =>
  api
    .newest('customer.find')
    .answer({ source: 'service', profile: profileOf({ customer_id: code, name: names[code], cards: [card] }) });
/** As the listener tells of a scan: the field under its keys is put back, which is an input too. */
function scan(code: string): void {
  sale.keysBegin();
  const before = sale.entry.value;
  if (before !== null) {
    sale.typeAmount(code);
    sale.typeAmount(before.text);
  }
  sale.keysWereScan();
  sale.scan(code);
}
async function inFront(code: Code, card = cards[code]): Promise<void> {
  scan(code);
  await arrive(code, card);
}
const press = (keys: string): void => {
  for (const key of keys) sale.press(key as '1');
};
const type = (text: string): void => {
  for (let length = 1; length <= text.length; length++) sale.type(text.slice(0, length), true);
};
const earns = () => api.asked.filter(({ command }) => command === 'operation.earn').map(({ input }) => input);
const finds = () =>
  api.asked.filter(({ command }) => command === 'customer.find').map(({ input }) => input['identifier']);
const saved = (customer_name: string) =>
  api
    .newest('operation.earn')
    .answer({ operation: operationOf({ customer_name, amount_minor: 1_110 }), duplicate: false });
const who = () => sale.entry.value?.entryFor.customerName;

describe('a card scanned over a dialog into which nothing was typed', () => {
  it('is the customer whose sale the amount is', async () => {
    await inFront('LC-1002');
    expect(who()).toBe(names['LC-1002']);
    scan('LC-1001');
    expect([sale.entry.value, sale.waitingScan.value, finds().at(-1)]).toEqual([null, null, { loyalty_id: 'LC-1001' }]);
    await arrive('LC-1001');
    type('1.11');
    sale.find();
    sale.confirm();
    expect(earns()).toMatchObject([{ identifier: { customer_id: 'LC-1001' }, amount_minor: 1_110 }]);
  });

  it('takes the stamp with it that was filled in beforehand', async () => {
    await inFront('LC-1003');
    scan('LC-1002');
    sale.confirm();
    expect([sale.entry.value, earns()]).toEqual([null, []]);
  });

  it('is the next customer after an Enter too many, which had opened the dialog', async () => {
    await inFront('LC-1001');
    sale.open('earn_amount');
    sale.confirm();
    expect(sale.entry.value?.problem).toBe('empty');
    scan('LC-1002');
    expect(finds().at(-1)).toEqual({ loyalty_id: 'LC-1002' });
  });

  it('leaves the dialog of the same card as it is, and its digit ready to be replaced', async () => {
    await inFront('LC-1003');
    scan('LC-1003');
    expect(sale.entry.value).toMatchObject({ text: '1', untouched: true });
  });
});

describe('a card scanned over a dialog into which something was typed', () => {
  it.each([
    ['an amount', () => press('7')],
    ['a receipt number', () => sale.typeReceipt('R-1')],
  ])('waits: %s', async (_, typed) => {
    await inFront('LC-1002');
    typed();
    scan('LC-1001');
    expect([who(), sale.waitingScan.value, finds().length]).toEqual([names['LC-1002'], 'LC-1001', 1]);
  });

  it('comes after the sale, which is named above the next customer', async () => {
    await inFront('LC-1002');
    press('1.11');
    scan('LC-1001');
    sale.confirm();
    await saved(names['LC-1002']);
    expect(finds().at(-1)).toEqual({ loyalty_id: 'LC-1001' });
    expect(sale.passed.value).toMatchObject({ kind: 'done', operation: { customer_name: names['LC-1002'] } });
    await arrive('LC-1001');
    expect(sale.passed.value?.kind).toBe('done');
    scan('LC-1003');
    expect(sale.passed.value).toBeNull();
  });
});

describe('an amount that was entered for somebody who is looked up', () => {
  it('makes a later scan wait, and is their sale', async () => {
    scan('LC-1001');
    type('3.2');
    sale.find();
    scan('LC-1002');
    expect([finds().length, sale.waitingScan.value]).toEqual([1, 'LC-1002']);
    await arrive('LC-1001');
    expect(earns()).toMatchObject([{ identifier: { customer_id: 'LC-1001' }, amount_minor: 3_200 }]);
    expect(sale.waitingScan.value).toBe('LC-1002');
    await saved(names['LC-1001']);
    expect(finds().at(-1)).toEqual({ loyalty_id: 'LC-1002' });
  });

  it('makes a later scan wait, too, where the first customer’s entry opens by itself', async () => {
    scan('LC-1002');
    type('6.1');
    sale.find();
    scan('LC-1001');
    await arrive('LC-1002');
    expect([earns().length, sale.waitingScan.value]).toEqual([1, 'LC-1001']);
    await saved(names['LC-1002']);
    expect(finds().at(-1)).toEqual({ loyalty_id: 'LC-1001' });
  });

  it('is said not to be taken where nobody is found, and the waiting card comes', async () => {
    scan('LC-1001');
    type('3.2');
    sale.find();
    scan('LC-1002');
    await api.newest('customer.find').refuse('customer_not_found');
    expect(sale.passed.value).toEqual({ kind: 'not_taken', text: '3.2', reason: 'nobody' });
    expect([failures > 0, finds().at(-1)]).toEqual([true, { loyalty_id: 'LC-1002' }]);
  });

  it('is said not to be taken where the customer cannot earn', async () => {
    scan('LC-1001');
    type('3.2');
    sale.find();
    await arrive('LC-1001', demoCards.coupon);
    expect(sale.passed.value).toEqual({ kind: 'not_taken', text: '3.2', reason: 'cannot_earn' });
    expect([failures, sale.query.value]).toEqual([1, '3.2']);
  });

  it('is said not to be taken when the customer is let go before they come', async () => {
    scan('LC-1001');
    type('3.2');
    sale.find();
    sale.clear();
    expect(sale.passed.value).toEqual({ kind: 'not_taken', text: '3.2', reason: 'left' });
    expect(failures).toBe(1);
  });
});

describe('a card that was scanned while a redemption is asked for, which is then being checked', () => {
  beforeEach(async () => {
    await inFront('LC-1001');
    sale.open('redeem_points');
    press('13');
    sale.confirm();
    scan('LC-1002');
    told = operationOf({ intent: 'redeem', state: 'sending', customer_name: names['LC-1001'] });
    clock.advance(1_500);
    expect([sale.entry.value, sale.outcome.value?.operation.state]).toEqual([null, 'sending']);
  });
  const inFrontNow = () => (sale.stage.value.kind === 'customer' ? sale.stage.value.found.profile.name : null);

  it('still waits', () => {
    expect([sale.waitingScan.value, finds()]).toEqual(['LC-1002', [{ loyalty_id: 'LC-1001' }]]);
  });

  it.each([
    ['scanned', () => scan('LC-1003')],
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
    await arrive('LC-1003', demoCards.reward);
    expect(finds().slice(1)).toEqual([{ loyalty_id: 'LC-1003' }]);
    expect([inFrontNow(), sale.waitingScan.value]).toEqual([names['LC-1003'], null]);
  });

  it.each([
    ['Escape', () => sale.goBack()],
    ['Next customer', () => sale.clear()],
  ])('comes with %s', async (_, leave) => {
    leave();
    expect([sale.waitingScan.value, finds().at(-1)]).toEqual([null, { loyalty_id: 'LC-1002' }]);
    await arrive('LC-1002');
    expect(inFrontNow()).toBe(names['LC-1002']);
  });

  it('comes with Escape beside the news of the redemption, which may still be refused', () => {
    sale.goBack();
    expect(sale.passed.value).toMatchObject({ kind: 'done', operation: { intent: 'redeem', state: 'sending' } });
  });

  it('waits for another sale of the same customer, too', async () => {
    sale.open('earn_amount');
    press('5');
    expect([who(), sale.waitingScan.value]).toEqual([names['LC-1001'], 'LC-1002']);
    sale.confirm();
    await saved(names['LC-1001']);
    expect(finds().at(-1)).toEqual({ loyalty_id: 'LC-1002' });
  });

  it('is kept beside a customer who checks in, until somebody else is asked for', async () => {
    sale.bringBeside({ kind: 'phone', text: '+96599887766' });
    await arrive('LC-1003', demoCards.reward);
    expect([inFrontNow(), sale.waitingScan.value, sale.keepsScan.value]).toEqual([names['LC-1003'], 'LC-1002', true]);
    scan('LC-1001');
    await arrive('LC-1001');
    expect([inFrontNow(), sale.waitingScan.value, sale.keepsScan.value]).toEqual([names['LC-1001'], null, false]);
  });
});

describe('a card that was scanned while a customer is enrolled', () => {
  it('comes after the enrollment', async () => {
    await inFront('LC-1001');
    sale.open('earn_amount');
    press('7');
    scan('LC-1002');
    sale.bring(
      { kind: 'phone', text: '+96599887766' },
      profileOf({ customer_id: 'LC-1003', cards: [demoCards.reward] }),
    );
    expect(finds().at(-1)).toEqual({ loyalty_id: 'LC-1002' });
  });
});

describe("a manager's PIN", () => {
  async function asked(): Promise<void> {
    await inFront('LC-1002');
    press('12');
    sale.confirm();
    await api.newest('operation.earn').refuse('pin_needed');
    expect(sale.entry.value).toMatchObject({ pin: '', text: '12', untouched: false });
  }

  it('is what the keypad types, and the amount stays', async () => {
    await asked();
    press('47.1');
    press('1');
    sale.press('erase');
    expect(sale.entry.value).toMatchObject({ pin: '471', text: '12' });
    sale.confirm();
    expect(earns().at(-1)).toMatchObject({ pin: '471', amount_minor: 12_000 });
  });

  it('is taken away with the step back to the amount', async () => {
    await asked();
    press('47');
    sale.backToAmount();
    press('5');
    expect(sale.entry.value).toMatchObject({ pin: null, text: '125', failure: null });
  });

  it('that comes as a burst of digits goes into its field, and is nobody’s card', async () => {
    await asked();
    scan('471100');
    expect([sale.entry.value?.pin, sale.waitingScan.value]).toEqual(['471100', null]);
    scan('LC-1001');
    expect([sale.entry.value?.pin, sale.waitingScan.value]).toEqual(['471100', 'LC-1001']);
    expect(finds()).toHaveLength(1);
  });

  it('begun while the agent was asked has all its digits', async () => {
    await inFront('LC-1002');
    press('12');
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
    await inFront('LC-1002');
    press('12');
    sale.confirm();
    sale.keysBegin();
    for (const key of 'LC-1001') sale.keyAside(key);
    sale.keysWereScan();
    sale.scan('LC-1001');
    await api.newest('operation.earn').refuse('pin_needed');
    expect([sale.entry.value?.pin, sale.waitingScan.value]).toEqual(['', 'LC-1001']);
    sale.confirm();
    scan('471100');
    await api.newest('operation.earn').refuse('pin_wrong');
    expect([sale.entry.value?.pin, finds().length]).toEqual(['471100', 1]);
  });

  it('is not what digits are that were typed before any other answer', async () => {
    await inFront('LC-1002');
    press('12');
    sale.confirm();
    sale.keyAside('4');
    await api.newest('operation.earn').refuse('not_saved');
    expect(sale.entry.value).toMatchObject({ pin: null, text: '12' });
    sale.confirm();
    await api.newest('operation.earn').refuse('pin_needed');
    expect(sale.entry.value?.pin).toBe('');
  });

  it('is not asked for where the card holds too little', async () => {
    await inFront('LC-1002');
    sale.cancel();
    sale.open('redeem_amount');
    press('9');
    sale.confirm();
    expect(sale.entry.value).toMatchObject({ pin: null, problem: 'above_balance', busy: false, failure: null });
    press('1');
    expect(sale.entry.value?.text).toBe('1');
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
    await inFront('LC-1002');
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
    expect([successes, sale.outcome.value?.operation.state, sale.stage.value.kind]).toEqual([0, 'unknown', 'customer']);
    sale.takeOperation(operationOf({ ...held, state: 'applied', updated_at: '2026-11-20T14:15:00.000Z' }), null);
    expect(successes).toBe(1);
    clock.advance(6_000);
    expect([sale.outcome.value, sale.stage.value.kind]).toEqual([null, 'idle']);
  });

  it('sounds like a success at once where it is known', async () => {
    await hold();
    await api.newest('hold.reserve').answer({ operation: operationOf({ ...held, state: 'applied' }) });
    expect([successes, sale.outcome.value?.clearsAfterMs]).toEqual([1, 6_000]);
  });

  it('is told of a paid order without the sound of success', async () => {
    sale.present(openPaid('pay-1', holdOf()));
    sale.confirm();
    const operation = operationOf({ operation_id: 'pay-1', intent: 'commit', state: 'unknown' });
    await api.newest('hold.commit').answer({ operation });
    expect([successes, failures, sale.outcome.value?.operation.state]).toEqual([0, 0, 'unknown']);
  });
});
