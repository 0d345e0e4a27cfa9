import { beforeEach, describe, expect, it } from 'vitest';
import { openCopy } from '../../../renderer/copy/copy.ts';
import { tellCustomer } from '../../../renderer/display/tell-customer.ts';
import { createModel, type Model } from '../../../renderer/model.ts';
import { openPaid, openRenumber } from '../../../renderer/sale/entry/aims.ts';
import type { CardEntry, CustomerProfile } from '../../../shared/contract/profile.ts';
import type { FoundCustomer, OperationView, TillState } from '../../../shared/till/views.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { ManualPresses } from '../../support/manual-presses.ts';
import { demoCards } from '../../support/ui-demo-cards.ts';
import { holdOf, operationOf, profileOf, tillStateOf } from '../../support/ui-fake-agent.ts';

// Who checked in at the customers' screen, as the cashier's page takes them: with answers that come when a test says so.
let api: AskedApi;
let model: Model;
let clock: ManualClock;
const phone = '50012345';
const state = (changes: Partial<TillState>): void =>
  api.tell({ type: 'state', state: tillStateOf({ display: { check_in: { id: 'check-in-1', phone } }, ...changes }) });
const newestView = () => (api.newest('display.show').input as { readonly view: object }).view;
/** The agent says that this page was the first to take the check-in over. */
const answerTaken = () => api.newest('display.taken').answer({ is_taken: true });
/** Somebody checks in, is found, and stands in front. Their name can be read. */
async function checkIn(id: string, profile: Partial<CustomerProfile> = {}): Promise<void> {
  await checkInNow(id, profile);
  clock.advance(400);
}
async function checkInNow(id: string, profile: Partial<CustomerProfile> = {}): Promise<void> {
  state({ display: { check_in: { id, phone } } });
  await answerTaken();
  await api.newest('customer.find').answer({ source: 'service', profile: profileOf(profile) });
  state({ display: { check_in: null } });
}
/** Types into the find box with the keys of a keyboard. */
const type = (text: string): void => {
  for (let length = 1; length <= text.length; length += 1) model.sale.type(text.slice(0, length), { byDigitKey: true });
};
const inFront = () => [model.sale.stage.value.kind, model.sale.query.value, model.sale.entry.value?.text];
const finds = () => api.asked.filter(({ command }) => command === 'customer.find').length;
const shows = () => api.asked.filter(({ command }) => command === 'display.show').length;

beforeEach(async () => {
  api = new AskedApi();
  clock = new ManualClock();
  model = createModel({
    api,
    clock,
    presses: new ManualPresses(clock),
    newId: () => crypto.randomUUID(),
    sounds: { success: () => undefined, failure: () => undefined },
    memory: { read: () => null, write: () => undefined },
    copy: await openCopy({ clock, locale: 'en' }),
  });
  api.open();
  state({ display: { check_in: null } });
  tellCustomer(model);
});

describe('somebody who has checked in', () => {
  it('is looked up once, also when the look-up fails', async () => {
    state({});
    await answerTaken();
    expect([finds(), api.newest('customer.find').input]).toMatchObject([1, { identifier: { phone } }]);
    await api.newest('customer.find').refuse('offline');
    expect([model.sale.stage.value.kind, finds()]).toEqual(['missing', 1]);
  });

  it('shows nothing of theirs before somebody at the till takes them up', async () => {
    await checkIn('check-in-1');
    expect(newestView()).toMatchObject({ kind: 'customer', is_confirmed: false });
    model.sale.open('earn_amount');
    expect(newestView()).toMatchObject({ is_confirmed: false });
    model.sale.typeAmount('5');
    expect(newestView()).toMatchObject({ is_confirmed: true });
    model.sale.cancel();
    expect(newestView()).toMatchObject({ is_confirmed: true });
    model.sale.clear();
    await checkIn('check-in-2');
    expect(newestView()).toMatchObject({ is_confirmed: false });
    // The same phone, asked for by hand at the till.
    model.sale.bringBeside({ kind: 'phone', text: phone });
    await api.newest('customer.find').answer({ source: 'service', profile: profileOf({}) });
    expect(newestView()).toMatchObject({ is_confirmed: true });
  });

  it('is taken up by nothing that is done for others meanwhile', async () => {
    await checkIn('check-in-1');
    model.sale.showEarlier(operationOf({ card_id: 'card-of-ali' }));
    expect(newestView()).toMatchObject({ is_confirmed: false });
    model.sale.present(openPaid('pay-1', holdOf({ hold_id: 'hold-of-ali' })));
    model.sale.typeReceipt('A-1');
    model.sale.confirm();
    await api.newest('hold.commit').answer({ operation: operationOf({ intent: 'commit', card_id: 'card-of-ali' }) });
    expect([model.sale.outcome.value?.isEarlier, newestView()]).toMatchObject([true, { is_confirmed: false }]);
  });

  it('stays unknown when they are called back over somebody who checked in after them', async () => {
    await checkIn('check-in-1', { customer_id: 'first' });
    model.sale.bringBeside({ kind: 'phone', text: '59999999' });
    await api.newest('customer.find').refuse('customer_not_found');
    await checkIn('check-in-2', { customer_id: 'second' });
    model.sale.goBack();
    expect(model.sale.stage.value).toMatchObject({ found: { profile: { customer_id: 'first' } } });
    expect(newestView()).toMatchObject({ is_confirmed: false });
  });

  it('shown by hand leaves a card that waits waiting, for the customer after them', async () => {
    const found = { source: 'service', profile: profileOf({}) } as const;
    const wanted = () => api.newest('customer.find').input;
    model.sale.scan('LC-1001');
    await api.newest('customer.find').answer(found);
    model.sale.open('earn_amount');
    model.sale.typeAmount('5');
    model.sale.scan('LC-1002');
    model.sale.bringBeside({ kind: 'phone', text: phone });
    expect(wanted()).toMatchObject({ identifier: { phone } });
    await api.newest('customer.find').answer(found);
    expect([wanted(), model.sale.waitingScan.value]).toMatchObject([{ identifier: { phone } }, 'LC-1002']);
    model.sale.open('earn_amount');
    model.sale.clear();
    expect([wanted(), model.sale.waitingScan.value]).toMatchObject([{ identifier: { loyalty_id: 'LC-1002' } }, null]);
  });

  it('gives way to the next customer’s number that is being typed while they are looked up', async () => {
    state({});
    await answerTaken();
    type('42');
    expect(inFront()).toEqual(['idle', '42', undefined]);
    await api.newest('customer.find').answer({ source: 'service', profile: profileOf({}) });
    model.sale.find();
    expect(api.newest('customer.find').input).toEqual({ identifier: { loyalty_id: '42' } });
  });

  it.each([
    { afterMs: 399, expected: ['idle', '42', undefined] },
    { afterMs: 400, expected: ['customer', '', '42'] },
  ])('gives way to keys that come before their name can be read: after $afterMs ms', async ({ afterMs, expected }) => {
    await checkInNow('check-in-1', {
      cards: [{ ...demoCards.cashback, allowed_operations: ['earn_points', 'earn_amount'] }],
    });
    clock.advance(afterMs);
    type('42');
    clock.advance(1_000);
    expect(inFront()).toEqual(expected);
    expect(api.asked.some(({ command }) => command === 'operation.earn')).toBe(false);
  });

  it('gives way also where their card opened an entry by itself, and nothing of the number is left in it', async () => {
    const profile = { cards: [{ ...demoCards.cashback, allowed_operations: ['earn_amount'] }] };
    await checkInNow('check-in-1', profile);
    expect(inFront()).toEqual(['customer', '', '']);
    model.sale.typeAmount('5');
    expect(inFront()).toEqual(['idle', '5', undefined]);
    type('50');
    model.sale.find();
    expect(api.newest('customer.find').input).toEqual({ identifier: { loyalty_id: '50' } });
    await api.newest('customer.find').refuse('customer_not_found');
    await checkIn('check-in-2', profile);
    expect(inFront()).toEqual(['customer', '', '']);
  });

  it('comes with the amount that was left open for them, which no key has typed now', async () => {
    const profile = { cards: [{ ...demoCards.cashback, allowed_operations: ['earn_amount'] }] };
    await checkIn('check-in-1', profile);
    model.sale.typeAmount('12.5');
    model.sale.cancel();
    model.sale.leave();
    expect(inFront()).toEqual(['idle', '', undefined]);
    await checkInNow('check-in-2', profile);
    expect(inFront()).toEqual(['customer', '', '12.5']);
  });

  it('waits until the screen is unlocked', async () => {
    state({ sign_in: 'locked' });
    expect(finds()).toBe(0);
    state({});
    await answerTaken();
    expect(finds()).toBe(1);
  });

  it('is brought by the page that was first alone, and not over what was typed meanwhile', async () => {
    state({});
    await api.newest('display.taken').answer({ is_taken: false });
    expect([finds(), model.sale.stage.value.kind]).toEqual([0, 'idle']);
    state({ display: { check_in: { id: 'check-in-2', phone } } });
    model.sale.type('500', { byDigitKey: true });
    await answerTaken();
    expect([finds(), model.sale.query.value]).toEqual([0, '500']);
  });

  it('is asked for again when the agent could not be asked', async () => {
    state({});
    await api.newest('display.taken').refuse('agent_gone');
    expect(finds()).toBe(0);
    state({});
    await answerTaken();
    expect(finds()).toBe(1);
  });

  it('waits for what is being typed', async () => {
    model.sale.type('500', { byDigitKey: true });
    state({});
    expect([finds(), model.sale.query.value]).toEqual([0, '500']);
    model.sale.type('', { byDigitKey: false });
    await answerTaken();
    expect(finds()).toBe(1);
  });
});

describe('the customers’ screen', () => {
  it('shows what the customer in front holds and was given, and nothing of anybody else', async () => {
    const card = { ...demoCards.cashback, card_id: 'card-of-fatima' };
    model.sale.scan('LC-1001');
    await api.newest('customer.find').answer({ source: 'service', profile: profileOf({ cards: [card] }) });
    const before = newestView();
    const { balances } = demoCards.reward;
    const ofAli = { card_id: 'card-of-ali', new_balances: balances, intent: 'earn', state: 'applied' } as const;
    model.sale.showEarlier(operationOf({ ...ofAli, operation_id: 'sale-of-ali' }));
    expect(newestView()).toEqual({ ...before, sale: null });
    model.sale.closeEarlier();
    // Nor of her own, looked up: the cashier tells her of a sale of yesterday.
    model.sale.showEarlier(operationOf({ ...ofAli, operation_id: 'sale-of-before', card_id: card.card_id }));
    expect(newestView()).toEqual({ ...before, sale: null });
    model.sale.closeEarlier();
    // A refused sale of his gets another number from its row.
    const renumbered = { refused: operationOf({ ...ofAli, state: 'refused' }), reason: 'Other number', card: null };
    model.sale.present(openRenumber('renumber-1', 'earn_amount', renumbered));
    model.sale.typeReceipt('A-2');
    model.sale.confirm();
    await api.newest('attention.replace').answer({ operation: operationOf({ ...ofAli, operation_id: 'renumber-1' }) });
    expect([model.sale.outcome.value?.operation.operation_id, newestView()]).toEqual([
      'renumber-1',
      { ...before, sale: null },
    ]);
    model.sale.closeOutcome();
    model.sale.open('earn_amount');
    model.sale.typeAmount('5');
    model.sale.confirm();
    const own = { operation: operationOf({ ...ofAli, card_id: card.card_id }), duplicate: false };
    await api.newest('operation.earn').answer(own);
    expect(newestView()).toMatchObject({ happened: { kind: 'added' } });
    expect(newestView()).not.toMatchObject({ balance: (before as { balance: object }).balance });
  });

  it('tells no balance of before a sale as the one after it', async () => {
    model.sale.scan('LC-1001');
    await api.newest('customer.find').answer({ source: 'service', profile: profileOf({ cards: [demoCards.reward] }) });
    const balance = { dimension: 'points', value: 245.5 };
    expect(newestView()).toMatchObject({ balance });
    const { card_id } = demoCards.reward;
    const sell = async (change: Partial<OperationView>): Promise<void> => {
      model.sale.open('earn_amount');
      model.sale.typeAmount('5');
      model.sale.confirm();
      const operation = operationOf({ intent: 'earn', card_id, new_balances: null, ...change });
      await api.newest('operation.earn').answer({ operation, duplicate: false });
    };
    await sell({ state: 'applied' });
    expect(newestView()).toMatchObject({ happened: { kind: 'added' }, balance: null, progress: null });
    model.sale.closeOutcome();
    // A refused sale has changed nothing.
    await sell({ state: 'refused' });
    expect(newestView()).toMatchObject({ happened: null, balance });
  });

  describe('offers a reward', () => {
    const offered = async (found: Partial<FoundCustomer>, card: CardEntry = demoCards.reward): Promise<object> => {
      model.sale.scan('LC-1001');
      const profile = profileOf({ cards: [card] });
      await api.newest('customer.find').answer({ source: 'service', profile, ...found });
      return newestView();
    };
    const someRewards = { rewards: ['Free coffee', 'Free cake', '1.000 KWD voucher'] };

    it('that can be given now', async () => {
      expect(await offered({})).toMatchObject(someRewards);
    });

    it('that is not from memory', async () => {
      expect(await offered({ source: 'kept' })).toMatchObject({ is_kept: true, rewards: [] });
    });

    it('while there is a connection', async () => {
      await offered({});
      const connection = { state: 'offline', cause: 'offline', since: '2026-11-20T11:02:00.000Z' } as const;
      state({ display: { check_in: null }, connection });
      expect(newestView()).toMatchObject({ rewards: [] });
      state({ display: { check_in: null } });
      expect(newestView()).toMatchObject(someRewards);
    });

    it('that the card allows to give', async () => {
      const allowed_operations = ['earn_amount', 'redeem_points'];
      expect(await offered({}, { ...demoCards.reward, allowed_operations })).toMatchObject({ rewards: [] });
    });
  });

  it('says how many stamps were added, also where ten of them became a reward', async () => {
    const card = { ...demoCards.stamp, card_id: 'card-of-fatima' };
    model.sale.scan('LC-1003');
    await api.newest('customer.find').answer({ source: 'service', profile: profileOf({ cards: [card] }) });
    model.sale.open('earn_stamp');
    model.sale.typeAmount('12');
    model.sale.confirm();
    const new_balances = { ...card.balances, stamps: 9, rewards_available: 2 };
    const added = { card_id: card.card_id, new_balances, intent: 'earn', state: 'applied' } as const;
    const operation = operationOf({ ...added, amount_minor: null, currency: null, stamps: 12 });
    await api.newest('operation.earn').answer({ operation, duplicate: false });
    expect(newestView()).toMatchObject({ happened: { kind: 'gained', gain: { dimension: 'stamps', value: 12 } } });
  });

  it('is told after the lock what has changed meanwhile', async () => {
    await checkIn('check-in-1');
    const before = shows();
    state({ display: { check_in: null }, sign_in: 'locked' });
    model.sale.clear();
    expect(shows()).toBe(before);
    state({ display: { check_in: null } });
    expect([shows(), api.newest('display.show').input]).toEqual([before + 1, { view: { kind: 'nobody' } }]);
  });
});
