import { describe, expect, it } from 'vitest';
import {
  type EntryKind,
  type EntryProblem,
  impliedText,
  type KeypadKey,
  noLimits,
  pressKey,
  readEntry,
} from '../../../renderer/operation/entry.ts';
import { changeHold } from '../../../renderer/sale/entry/aims.ts';
import { confirmEntry } from '../../../renderer/sale/entry/confirm-entry.ts';
import * as flow from '../../../renderer/sale/entry/entry-flow.ts';
import { takeRefusal } from '../../../renderer/sale/entry/entry-refusal.ts';
import { reopen, switchTo } from '../../../renderer/sale/entry/left.ts';
import { demoCards } from '../../support/ui-demo-cards.ts';

const money: EntryKind = { unit: 'money', currency: 'KWD' };
const counts = { max_points: 1_000_000, max_stamps: 1_000, max_visits: 1_000 };
const limits = { ...counts, max_amount_minor: 1_000_000, confirm_above_minor: 500_000 };

describe('an amount', () => {
  it.each([
    ['12', 12_000],
    ['12.5', 12_500],
    ['12.500', 12_500],
    ['١٢٫٥٠٠', 12_500],
    ['KWD 1,250.500', null],
    ['.5', 500],
  ])('%j is read by whole units', (text, minor) => {
    const entered = readEntry(text, money, { ...counts, max_amount_minor: 1_000_000, confirm_above_minor: null });
    if (minor === null) expect(entered).toEqual({ ok: false, problem: 'above_limit' });
    else expect(entered).toEqual({ ok: true, value: { amount_minor: minor, currency: 'KWD' }, needsSecondLook: false });
  });

  it.each([
    ['KWD', '0.005', 5],
    ['USD', '12', 1_200],
    ['USD', '12.5', 1_250],
    ['USD', '0.05', 5],
    ['JPY', '12', 12],
    ['JPY', '١٢٠٠', 1_200],
  ])('in %s typed as %s is %i of its smallest unit', (currency, text, minor) => {
    expect(readEntry(text, { unit: 'money', currency }, limits)).toEqual({
      ok: true,
      value: { amount_minor: minor, currency },
      needsSecondLook: false,
    });
  });

  it.each<[string, string, EntryProblem]>([
    ['USD', '12.555', 'too_many_decimals'],
    ['USD', '0.00', 'zero'],
    ['USD', '10000.01', 'above_limit'],
    ['JPY', '12.5', 'too_many_decimals'],
    ['JPY', 'ten', 'not_a_number'],
  ])('in %s %j is refused as %s', (currency, text, problem) => {
    expect(readEntry(text, { unit: 'money', currency }, limits)).toEqual({ ok: false, problem });
  });

  it.each<[string, EntryProblem]>([
    ['', 'empty'],
    ['12.5555', 'too_many_decimals'],
    ['0', 'zero'],
    ['0.000', 'zero'],
    ['-5', 'negative'],
    ['1000.001', 'above_limit'],
    ['twelve', 'not_a_number'],
    ['12,500', 'not_a_number'],
  ])('%j is refused as %s', (text, problem) => {
    expect(readEntry(text, money, limits)).toEqual({ ok: false, problem });
  });

  it('asks for a second look above the limit of care, not at it', () => {
    expect(readEntry('500', money, limits)).toMatchObject({ ok: true, needsSecondLook: false });
    expect(readEntry('500.001', money, limits)).toMatchObject({ ok: true, needsSecondLook: true });
  });
});

describe('a count', () => {
  it('takes points with up to three decimals, stamps and visits whole', () => {
    expect(readEntry('2.125', { unit: 'points' }, limits)).toMatchObject({ value: { points: 2.125 } });
    expect(readEntry('2.1255', { unit: 'points' }, limits)).toEqual({ ok: false, problem: 'too_many_decimals' });
    expect(readEntry('٣', { unit: 'stamps' }, limits)).toMatchObject({ value: { stamps: 3 } });
    expect(readEntry('1.5', { unit: 'visits' }, limits)).toEqual({ ok: false, problem: 'whole_number_only' });
    expect(readEntry('0', { unit: 'visits' }, limits)).toEqual({ ok: false, problem: 'zero' });
    expect(readEntry('1001', { unit: 'stamps' }, limits)).toEqual({ ok: false, problem: 'above_limit' });
    expect(readEntry('250000', { unit: 'points' }, limits)).toMatchObject({ ok: true, value: { points: 250_000 } });
    expect(readEntry('9999999999999999', { unit: 'points' }, noLimits)).toEqual({ ok: false, problem: 'too_large' });
  });
});

describe('what is not typed of an amount', () => {
  it.each([
    ['', '0.000'],
    ['1', '.000'],
    ['12', '.000'],
    ['12.', '000'],
    ['12.5', '00'],
    ['12.500', ''],
    ['0', '.000'],
  ])('of %j is %j', (text, implied) => {
    expect(impliedText(text, money)).toBe(implied);
  });

  it('is nothing where the text is no amount, or the currency has no decimals', () => {
    expect(impliedText('12.5555', money)).toBe('');
    expect(impliedText('1', { unit: 'money', currency: 'JPY' })).toBe('');
  });
});

describe('the keypad', () => {
  const presses = (sequence: readonly KeypadKey[], kind: EntryKind = money): string =>
    sequence.reduce((text, key, index) => pressKey(text, key, kind, index === 0), '');

  it('gives the text that typing gives', () => {
    expect(presses(['1', '2', '.', '5'])).toBe('12.5');
    expect(presses(['.', '5'])).toBe('0.5');
    expect(presses(['1', '2', 'erase'])).toBe('1');
  });

  it('takes no second point, no fourth decimal, no leading zero', () => {
    expect(presses(['1', '.', '.', '5'])).toBe('1.5');
    expect(presses(['1', '.', '1', '2', '3', '4'])).toBe('1.123');
    expect(presses(['0', '7'])).toBe('7');
    expect(presses(['1', '.'], { unit: 'stamps' })).toBe('1');
    expect(presses(['1', '.'], { unit: 'money', currency: 'JPY' })).toBe('1');
  });

  it('replaces the first text of the field', () => {
    expect(pressKey('1', '5', { unit: 'stamps' }, true)).toBe('5');
    expect(pressKey('1', '5', { unit: 'stamps' }, false)).toBe('15');
  });
});

describe('Confirm', () => {
  const entryFor: flow.EntryFor = {
    identifier: { customer_id: 'cus_1' },
    customerName: 'Fatima',
    card: null,
    hint: null,
  };
  const open = (text: string, operation: 'earn_amount' | 'earn_stamp' = 'earn_amount'): flow.Entry =>
    flow.typeAmount(flow.openEntry('00000000-0000-4000-8000-000000000001', operation, entryFor, 'KWD'), text);
  const ready = (entry: flow.Entry): flow.Entry => ({
    ...entry,
    question: entry.question === null ? null : { ...entry.question, ready: true },
  });

  it('takes an amount that a program handed over as the program’s, also when it was left after a lost answer', () => {
    const filled = { id: 'handed-1', text: '12.500', receipt: 'R-4471' };
    const lost = { code: 'agent_gone', message: '' } as const;
    const left = { ...open('12.500'), receipt: filled.receipt, filled, failure: lost };
    const confirmed = confirmEntry(reopen({ ...open(''), operationId: 'another' }, left), limits);
    const input = { operation_id: left.operationId, handed_over_id: 'handed-1' };
    expect(confirmed).toMatchObject({ kind: 'earn', input });
    expect(confirmed).not.toHaveProperty('input.receipt_number');
  });

  it('stays the same operation when it is left after a lost answer and another amount', () => {
    const lost = takeRefusal(open('40'), null, { code: 'agent_gone', message: '' });
    const left = flow.typeAmount(lost, '50');
    const confirmed = confirmEntry(reopen({ ...open(''), operationId: 'another' }, left), limits);
    expect(confirmed).toMatchObject({ input: { operation_id: left.operationId, amount_minor: 50_000 } });
  });

  it('is not blank after a lost answer, whatever is erased: under its id something may be done', () => {
    const lost = takeRefusal(open('40'), null, { code: 'agent_gone', message: '' });
    expect(flow.isBlank(flow.typeAmount(lost, ''))).toBe(false);
    const refused = takeRefusal(open('40'), null, { code: 'not_saved', message: '' });
    expect(flow.isBlank(flow.typeAmount(refused, ''))).toBe(true);
  });

  it('keeps what a program handed over through another operation and back: it is that sale, and no second one', () => {
    const filled = { id: 'handed-1', text: '12.500', receipt: ' R-4471 ' };
    const handedOver = { ...open(filled.text), receipt: filled.receipt, filled, untouched: true };
    const stamps = switchTo(open('1', 'earn_stamp'), handedOver);
    // The stamps are a sale of their own, with the receipt's number.
    const given = confirmEntry(stamps, limits);
    expect(given).toMatchObject({ kind: 'earn', input: { stamps: 1, receipt_number: 'R-4471' } });
    expect(given).not.toHaveProperty('input.handed_over_id');
    const back = confirmEntry(switchTo(open(''), stamps), limits);
    expect(back).toMatchObject({ kind: 'earn', input: { amount_minor: 12_500, handed_over_id: 'handed-1' } });
    expect(back).not.toHaveProperty('input.receipt_number');
  });

  it('is empty when the program has withdrawn the amount: what is typed then is the till’s own sale', () => {
    const filled = { id: 'handed-1', text: '12.500', receipt: 'R-4471' };
    const sent = { ...open('11'), receipt: filled.receipt, filled, busy: true };
    const gone = { code: 'not_now', message: '', field: 'handed_over_id' } as const;
    const refused = takeRefusal(sent, null, gone);
    expect(refused).toMatchObject({ text: '', receipt: '', filled: null, busy: false, failure: gone });
    expect(confirmEntry(flow.typeAmount(refused, '11'), limits)).not.toHaveProperty('input.handed_over_id');
  });

  it('sends the value with the id that the dialog opened with', () => {
    const confirmed = confirmEntry(flow.typeReceipt(open('12.5'), ' R-1 '), limits);
    expect(confirmed).toMatchObject({
      kind: 'earn',
      entry: { busy: true },
      input: {
        operation_id: '00000000-0000-4000-8000-000000000001',
        identifier: { customer_id: 'cus_1' },
        amount_minor: 12_500,
        currency: 'KWD',
        receipt_number: 'R-1',
        repeat: 'ask',
      },
    });
  });

  it('has one writing for one receipt: Arabic digits, and marks of direction, are no other number', () => {
    for (const typed of ['١٠٠٢', '۱۰۰۲', '\u200e1002\u200f']) {
      const confirmed = confirmEntry(flow.typeReceipt(open('12.5'), typed), limits);
      expect(confirmed).toMatchObject({ kind: 'earn', input: { receipt_number: '1002' } });
    }
    const filled = { id: 'handed-1', text: '12.500', receipt: '1002' };
    const typedAgain = flow.typeReceipt({ ...open(filled.text), receipt: filled.receipt, filled }, '١٠٠٢');
    expect(confirmEntry(typedAgain, limits)).not.toHaveProperty('input.receipt_number');
  });

  it('of a coupon reads a typed code as it is printed, and leaves a card’s own code as it is', () => {
    const coupon = (code: string): EntryKind => ({ unit: 'coupon', code });
    expect(readEntry('٢٠OFF ', coupon(''), noLimits)).toMatchObject({ value: { coupon_code: '20OFF' } });
    expect(readEntry('card_٢', coupon('card_٢'), noLimits)).toMatchObject({ value: { coupon_code: 'card_٢' } });
  });

  it('acts once when it is pressed twice', () => {
    const first = confirmEntry(open('12.5'), limits);
    expect(confirmEntry(first.entry, limits)).toEqual({ kind: 'stay', entry: first.entry });
  });

  it('asks once more above the limit of care, and the second half of a double press does not answer', () => {
    const asked = confirmEntry(open('750'), limits);
    expect(asked).toMatchObject({ kind: 'stay', entry: { question: { kind: 'large', ready: false } } });
    expect(confirmEntry(asked.entry, limits).kind).toBe('stay');
    expect(confirmEntry(ready(asked.entry), limits).kind).toBe('earn');
  });

  it('asks again when the amount was changed after the question', () => {
    const asked = confirmEntry(open('750'), limits);
    const changed = flow.typeAmount(flow.change(asked.entry), '751');
    expect(confirmEntry(changed, limits)).toMatchObject({ kind: 'stay', entry: { question: { kind: 'large' } } });
  });

  it('asks about a repeat and then says that it is meant, under the same id', () => {
    const sent = confirmEntry(open('12.5'), limits);
    const value = { amount_minor: 12_500, currency: 'KWD' };
    const asked = takeRefusal(sent.entry, value, { code: 'looks_like_a_repeat', message: '' });
    expect(asked).toMatchObject({ busy: false, question: { kind: 'repeat', value } });
    expect(confirmEntry(ready(asked), limits)).toMatchObject({
      kind: 'earn',
      input: { repeat: 'accepted', operation_id: sent.entry.operationId },
    });
  });

  it('does not ask about the size a second time after the question about a repeat', () => {
    const large = confirmEntry(ready(confirmEntry(open('750'), limits).entry), limits);
    const value = { amount_minor: 750_000, currency: 'KWD' };
    const asked = takeRefusal(large.entry, value, { code: 'looks_like_a_repeat', message: '' });
    expect(confirmEntry(ready(asked), limits)).toMatchObject({ kind: 'earn', input: { repeat: 'accepted' } });
  });

  it('puts each refusal where it belongs and keeps what was typed', () => {
    const { entry } = confirmEntry(open('12.5'), limits);
    const value = { amount_minor: 12_500, currency: 'KWD' };
    expect(takeRefusal(entry, value, { code: 'reference_taken', message: '' })).toMatchObject({
      receiptProblem: 'taken',
      text: '12.5',
    });
    expect(takeRefusal(entry, value, { code: 'above_limit', message: '' })).toMatchObject({
      problem: 'above_limit',
    });
    expect(takeRefusal(entry, value, { code: 'not_saved', message: '' })).toMatchObject({
      busy: false,
      failure: { code: 'not_saved' },
    });
  });

  it('refuses a receipt number that no reference can hold', () => {
    expect(confirmEntry(flow.typeReceipt(open('12.5'), 'R'.repeat(256)), limits)).toMatchObject({
      kind: 'stay',
      entry: { receiptProblem: 'too_long' },
    });
  });

  it('leaves the receipt number for the rewards where none is chosen: on a low screen its letters hide them', () => {
    const opened = flow.openEntry('id', 'redeem_reward', { ...entryFor, card: demoCards.reward }, 'KWD');
    const typed = flow.typeReceipt(flow.turnToReceipt(opened, true), '7');
    expect(confirmEntry(typed, limits)).toMatchObject({
      kind: 'stay',
      entry: { problem: 'choose_reward', isReceiptOpen: false, receipt: '7' },
    });
  });

  it('starts stamps and visits at one, and keeps typed Arabic digits as plain ones', () => {
    expect(flow.openEntry('id', 'earn_stamp', entryFor, 'KWD').text).toBe('1');
    expect(open('١٢٫٥').text).toBe('12.5');
  });
});

describe('a hold', () => {
  it('of money instead of points is in the currency of the till, where the card names none', () => {
    const card = { ...demoCards.reward, allowed_operations: ['redeem_points' as const, 'redeem_amount' as const] };
    const aim = { kind: 'hold', minutes: 15 } as const;
    const held = flow.openEntry(
      'id',
      'redeem_points',
      { identifier: null, customerName: null, hint: null, card },
      'KWD',
      aim,
    );
    const changed = changeHold(held, { operation: 'redeem_amount', minutes: 15, currency: 'KWD' });
    expect(changed.kind).toEqual({ unit: 'money', currency: 'KWD' });
  });
});
