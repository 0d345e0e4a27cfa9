import { describe, expect, it } from 'vitest';
import { makeFormat } from '../../../renderer/copy/format.ts';
import { nextStep } from '../../../renderer/operation/next-step.ts';
import { failureWords, statesAfter } from '../../../renderer/operation/operation-words.ts';
import { rowWords } from '../../../renderer/operation/row-words.ts';
import { outcomeWords, type Telling } from '../../../renderer/sale/outcome/outcome-words.ts';
import { refusedOperation } from '../../../renderer/sale/outcome/refused.ts';
import type { Outcome } from '../../../renderer/sale/outcome/shown-outcome.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { demoCards } from '../../support/ui-demo-cards.ts';
import { operationOf } from '../../support/ui-fake-agent.ts';
import { wordsIn } from '../../support/words.ts';

const copy = await wordsIn('start');
const past = await wordsIn('past');

/** What became of something that is spent or held, in words. */
const said = (
  operation: Partial<OperationView>,
  { locale = 'en', ...outcome }: Partial<Outcome> & { readonly locale?: 'en' | 'ar' } = {},
) => {
  const told = operationOf({ amount_minor: null, currency: null, points: 40, ...operation });
  const telling: Telling = {
    words: copy[locale],
    past: past[locale],
    decide: past[locale].decide,
    format: makeFormat(locale, 'Asia/Kuwait'),
    connection: 'online',
    nowMs: Date.parse(told.saved_at),
    cards: [],
    recent: [],
    held: [],
    goals: [{ card: 'Ten for One', each: 8, reward: null }],
  };
  const shown: Outcome = {
    operation: told,
    card: null,
    cardBefore: null,
    takenBy: 'redeem_points',
    heldForMinutes: null,
    duplicate: false,
    clearsAfterMs: null,
    round: 0,
    failure: null,
    isEarlier: false,
    ...outcome,
  };
  return outcomeWords(shown, telling);
};
const errorOf = (code: string, details: string[] = []) => ({
  code,
  message: '',
  retryable: false,
  request_id: 'r',
  details,
});

it('stamps are counted towards the price that the shop has set', () => {
  const earn = { intent: 'earn', state: 'applied', points: null, stamps: 1 } as const;
  const new_balances = { ...demoCards.stamp.balances, stamps: 3 };
  expect(said({ ...earn, new_balances }, { card: demoCards.stamp })).toMatchObject({ next: '3 of 8 stamps now' });
});

describe('an order that was paid too late', () => {
  const late = { intent: 'commit', state: 'cancelled', error: errorOf('RESERVATION_EXPIRED') } as const;

  it('is told as a hold that has expired', () => {
    const why = { title: 'The hold has expired', next: 'Hold again, then finish the order.' };
    expect(said(late)).toMatchObject({ hero: 'Not spent', why });
    const failure = { code: 'refused', message: '', service_code: 'RESERVATION_EXPIRED' } as const;
    expect(said({ ...late, error: null }, { failure })).toMatchObject({ why });
    expect(said(late, { locale: 'ar' }).why?.title).toBe('انتهت مدة الحجز');
  });
});

describe('what an earlier press did', () => {
  const before = { duplicate: true };

  it('is told as before where it was spent, given, given back or held', () => {
    const spent = { intent: 'redeem', state: 'applied' } as const;
    const kind = 'Saved before';
    expect(said(spent, before)).toMatchObject({
      kind,
      hero: '40 points',
      next: 'Deducted by an earlier press. Nothing more was deducted.',
    });
    expect(said({ ...spent, state: 'reversed' }, before)).toMatchObject({
      kind,
      hero: '40 points',
      next: 'Deducted by an earlier press, then given back. Nothing is deducted now.',
    });
    expect(said({ ...spent, points: null, given_name: 'Free cake', one_shot: true }, before)).toMatchObject({
      kind,
      hero: 'Free cake',
      isGift: false,
      next: 'Counted by an earlier press. Hand over once.',
    });
    expect(said({ ...spent, intent: 'reserve' }, before)).toMatchObject({
      kind,
      hero: '40 points',
      next: 'Held by an earlier press. Nothing more was held.',
    });
    expect(said(spent, { ...before, locale: 'ar' }).kind).toBe('محفوظة من قبل');
  });

  it('is told as saved before only where the sale counts', () => {
    const sale = { intent: 'earn', state: 'queued' } as const;
    const once = 'Already saved with 40 points. The sale counts once.';
    expect(said(sale, before)).toMatchObject({ kind: 'Saved before', next: once });
    expect(said({ ...sale, state: 'cancelled' }, before)).toMatchObject({
      hero: 'Cancelled',
      next: 'Nothing was sent',
    });
    expect(said({ ...sale, state: 'reversed' }, before).hero).toBe('40 points reversed');
    const error = errorOf('CARD_NOT_ELIGIBLE');
    expect(said({ ...sale, state: 'refused', error }, before)).toMatchObject({ hero: 'Not added', next: null });
  });

  it('says why where the customer was told to pay in full, or the hold is over', () => {
    const why = (detail: string, locale: 'en' | 'ar') =>
      said(
        { intent: 'redeem', state: 'cancelled' },
        {
          locale,
          failure: { code: 'refused', message: '', service_code: 'DUPLICATE_TRANSACTION', details: [detail] },
        },
      ).why?.title;
    expect([why('paid_in_full', 'en'), why('hold_over', 'en')]).toEqual([
      'Full payment was chosen before',
      'The earlier hold is over',
    ]);
    expect([why('paid_in_full', 'ar'), why('hold_over', 'ar')]).toEqual([
      'اختير دفع المبلغ كاملًا من قبل',
      'انتهى الحجز السابق',
    ]);
  });
});

describe('a coupon', () => {
  it('is told as one by what was saved, and not by how it was entered', () => {
    const given = {
      intent: 'redeem',
      state: 'applied',
      points: null,
      given_name: 'Half price',
      one_shot: true,
    } as const;
    expect(said({ ...given, is_coupon: true }, { takenBy: 'redeem_reward' }).kind).toBe('Coupon accepted');
    expect(said(given, { takenBy: 'redeem_coupon' }).kind).toBe('Hand over now');
  });
});

describe('a sale that was refused, and that its POS program has taken back', () => {
  const closed = { intent: 'earn', state: 'cancelled', error: errorOf('CARD_NOT_ELIGIBLE') } as const;

  it('was not added, and the screen says why', () => {
    expect(said(closed)).toMatchObject({ hero: 'Not added', why: { title: 'This card does not allow this' } });
    const row = rowWords(operationOf(closed), null, copy.en, makeFormat('en', 'Asia/Kuwait'));
    expect(row).toMatchObject({ text: 'Not added: KWD\u00a012.500', tone: 'danger' });
  });

  it('is another thing than one that was cancelled before it was sent', () => {
    const unsent = { ...closed, error: null };
    expect(said(unsent)).toMatchObject({ hero: 'Cancelled', next: 'Nothing was sent', why: null });
  });
});

describe('a hold', () => {
  const hold = { intent: 'reserve' } as const;

  it('that was refused says that nothing was held, and why', () => {
    const refused = { ...hold, state: 'cancelled', error: errorOf('INSUFFICIENT_BALANCE') } as const;
    expect(said(refused)).toMatchObject({
      hero: 'Not held: 40 points',
      next: 'Nothing was held',
      why: { title: 'Not enough on the card' },
    });
    expect(said(refused, { locale: 'ar' }).next).toBe('لم يُحجز شيء');
  });

  it('that was refused for its value can be corrected', () => {
    const card = demoCards.cashback;
    const error = errorOf('INSUFFICIENT_BALANCE');
    const operation = operationOf({ ...hold, state: 'cancelled', error, card_id: card.card_id });
    const outcome = { operation, failure: null, takenBy: 'redeem_amount', isEarlier: false } as const;
    const refused = refusedOperation(outcome, [card]);
    expect(refused === null ? null : nextStep(refused)).toEqual({ kind: 'amount' });
  });

  it('that is being sent must not be repeated', () => {
    expect(said({ ...hold, state: 'sending' })).toMatchObject({ hero: 'Checking: 40 points', next: 'Do not repeat' });
  });

  it('is named beside the next customer by what became of it', () => {
    const title = (state: 'applied' | 'cancelled' | 'sending', locale: 'en' | 'ar' = 'en') =>
      statesAfter(operationOf({ ...hold, state }), copy[locale])[state].title;
    expect([title('sending'), title('applied'), title('cancelled')]).toEqual(['Checking', 'Held', 'Not held']);
    expect([title('applied', 'ar'), title('cancelled', 'ar')]).toEqual(['محجوز', 'لم يُحجز']);
  });

  it('that could not be asked for, or ended, without a line is told as what it is', () => {
    const notSent = { code: 'not_sent', message: '' } as const;
    expect(said({ ...hold, state: 'cancelled' }, { failure: notSent }).why?.next).toBe(
      'Nothing was held. Try again, or take full payment.',
    );
    const atRow = (locale: 'en' | 'ar') =>
      failureWords(notSent, copy[locale], { hasOther: false }, copy[locale].holds.notSent.ending).next;
    expect([atRow('en'), atRow('ar')]).toEqual([
      'The hold stays as it was. Try again when the connection is back.',
      'الحجز كما كان. حاول من جديد عند عودة الاتصال.',
    ]);
    const spent = said({ intent: 'redeem', state: 'cancelled' }, { failure: notSent });
    expect(spent.why?.next).toBe('Nothing was deducted. Try again, or take full payment.');
  });
});
