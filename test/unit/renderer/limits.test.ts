import { describe, expect, it } from 'vitest';
import { valueProblemInWords } from '../../../renderer/attention/correct-words.ts';
import { createCorrection } from '../../../renderer/attention/correction.ts';
import { makeFormat } from '../../../renderer/copy/format.ts';
import { failureAdvice } from '../../../renderer/enroll/enroll-failure.tsx';
import { wholeBalance } from '../../../renderer/operation/entry.ts';
import { confirmEntry } from '../../../renderer/sale/entry/confirm-entry.ts';
import * as flow from '../../../renderer/sale/entry/entry-flow.ts';
import { takeRefusal } from '../../../renderer/sale/entry/entry-refusal.ts';
import { problemInWords } from '../../../renderer/sale/entry/entry-words.ts';
import type { CardOperation } from '../../../shared/contract/card-names.ts';
import { type LimitName, limitNames } from '../../../shared/till/limits.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { demoCards } from '../../support/ui-demo-cards.ts';
import { operationOf, tillStateOf } from '../../support/ui-fake-agent.ts';
import { wordsIn } from '../../support/words.ts';

const copy = await wordsIn('start');
const enrollCopy = await wordsIn('enroll');
const format = { en: makeFormat('en', 'Asia/Kuwait'), ar: makeFormat('ar', 'Asia/Kuwait') };
const { limits } = tillStateOf();
const open = (operation: CardOperation, card = demoCards.cashback) =>
  flow.openEntry('op-1', operation, { identifier: null, customerName: 'Fatima', card, hint: null }, 'KWD');
const refused = (entry: flow.Entry, name: string, value: number) =>
  takeRefusal(entry, null, { code: 'above_limit', message: '', details: [value, name] });
const told = (entry: flow.Entry, locale: 'en' | 'ar' = 'en') =>
  problemInWords(entry, limits, copy[locale], format[locale])?.replaceAll('\u00a0', ' ');

/** Each with a value that no setting of this till has. */
const said: Readonly<Record<LimitName, [CardOperation, number, string]>> = {
  max_amount_minor: ['redeem_amount', 7_000, 'The limit of this till is KWD 7.000.'],
  max_points: ['redeem_points', 70, 'The limit of this till is 70 points.'],
  max_stamps: ['redeem_stamp', 7, 'The limit of this till is 7 stamps.'],
  max_visits: ['redeem_visit', 1, 'The limit of this till is 1 visit.'],
  max_amount_per_hour_minor: ['redeem_amount', 9_000, 'The limit of this till is KWD 9.000 in 1 hour.'],
  max_points_per_hour: ['redeem_points', 90, 'The limit of this till is 90 points in 1 hour.'],
  max_stamps_per_hour: ['redeem_stamp', 9, 'The limit of this till is 9 stamps in 1 hour.'],
  max_visits_per_hour: ['redeem_visit', 9, 'The limit of this till is 9 visits in 1 hour.'],
  max_rewards_per_hour: ['redeem_reward', 3, 'The limit of this till is 3 rewards and coupons in 1 hour.'],
};

describe('a limit that the agent names', () => {
  it.each(limitNames)('%s is told with its value, for a sale or for an hour', (name) => {
    const [operation, value, words] = said[name];
    const entry = refused(open(operation), name, value);
    expect(told(entry)).toBe(words);
    expect(told(entry, 'ar')).toMatch(/حدّ هذا الصندوق/);
  });

  it('of a coupon is not told as a wrong code, nor of a reward as one that is to be chosen', () => {
    for (const operation of ['redeem_coupon', 'redeem_reward'] as const) {
      expect(told(refused(open(operation), 'max_rewards_per_hour', 1))).toBe(
        'The limit of this till is 1 reward or coupon in 1 hour.',
      );
    }
  });

  it.each([1, 2, 3, 11])(
    'of %i rewards says that coupons are counted, too, not that as many of each are given',
    (most) => {
      const words = told(refused(open('redeem_reward'), 'max_rewards_per_hour', most), 'ar');
      expect(words).toMatch(/ أو قس/);
    },
  );

  it('is not told of what is entered after it', () => {
    const hour = refused(open('earn_amount'), 'max_amount_per_hour_minor', 9_000);
    const again = confirmEntry(flow.typeAmount(hour, '6000'), limits);
    expect(told(again.entry)).toBe('The limit of this till is KWD 5,000.000.');
  });

  it('of the enrollments of a phone says when to try again', () => {
    const failure = { code: 'above_limit', message: '', details: [5, 'max_enrollments_per_phone_per_hour'] } as const;
    const advice = failureAdvice({ ...failure, details: [...failure.details] }, copy.en, enrollCopy.en);
    expect(advice).toEqual(enrollCopy.en.failures.above_limit);
  });
});

it('a correction above a limit of an hour tells that limit at its value, and names no manager where there is none', async () => {
  const api = new AskedApi();
  const { begin, type, confirm, correcting } = createCorrection({ api, onDone: async () => undefined });
  begin(operationOf({ state: 'refused' }));
  type({ text: '9.500', reason: 'typed wrong' });
  void confirm(limits);
  await api.newest('attention.correct').refuse('above_limit', { details: [9_000, 'max_amount_per_hour_minor'] });
  const said = () =>
    correcting.value && valueProblemInWords(correcting.value, limits, copy.en, format.en)?.replaceAll('\u00a0', ' ');
  expect([said(), correcting.value?.failure]).toEqual(['The limit of this till is KWD 9.000 in 1 hour.', null]);
  type({ text: '6000' });
  void confirm(limits);
  expect(said()).toBe('The limit of this till is KWD 5,000.000.');
  expect(copy.en.errors.above_limit.next).not.toMatch(/manager/);
});

it('all points of a card can be used up to the settings, not up to a number of the page', () => {
  const card = { ...demoCards.cashback, balances: { ...demoCards.cashback.balances, points: 250_000 } };
  const entry = open('redeem_points', card);
  const confirmed = confirmEntry(
    {
      ...flow.typeAmount(entry, wholeBalance(card, entry.kind) ?? ''),
      entryFor: { ...entry.entryFor, identifier: { loyalty_id: 'LC-1' } },
    },
    limits,
  );
  expect(confirmed).toMatchObject({ kind: 'spend', input: { points: 250_000 } });
});
