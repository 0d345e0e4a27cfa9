import { describe, expect, it } from 'vitest';
import { firstIconPaths } from '../../../renderer/components/first-icon-paths.ts';
import { laterIconPaths } from '../../../renderer/components/later-icon-paths.ts';
import { errorAdvice } from '../../../renderer/copy/error-advice.ts';
import {
  balanceInWords,
  durationInWords,
  makeFormat,
  maskedEmail,
  maskedPhone,
} from '../../../renderer/copy/format.ts';
import { refusalReason, stateLooks } from '../../../renderer/operation/outcome.ts';
import { laterScreens } from '../../../renderer/screens.ts';
import { errorCodes, keyReusedDetail } from '../../../shared/contract/errors.ts';
import type { CardEntry } from '../../../shared/contract/profile.ts';
import { operationStates } from '../../../shared/machines/operation.ts';
import { tillErrorCodes } from '../../../shared/till/api.ts';
import { balancesMainFirst } from '../../../shared/till/balances.ts';
import { changedOnDiskCode } from '../../../shared/till/own-errors.ts';
import { type RewardGoal, stampGoalOf } from '../../../shared/till/progress.ts';
import { connectionStates } from '../../../shared/till/views.ts';
import { demoCards } from '../../support/ui-demo-cards.ts';
import { drawIconPaths } from '../../support/ui-icons.ts';
import { wordsIn } from '../../support/words.ts';

const copy = await wordsIn('start');

describe('the words', () => {
  it('stand for every state, connection, error and reason', () => {
    for (const words of Object.values(copy)) {
      for (const state of operationStates) expect(words.stateWords[state]).toMatch(/./);
      for (const state of connectionStates) expect(words.connection[state].title('14:02')).toMatch(/./);
      for (const code of tillErrorCodes) expect(words.errors[code].next).toMatch(/./);
      for (const code of errorCodes) expect(words.refusals[refusalReason({ code })].next).toMatch(/./);
    }
    expect(Object.keys(stateLooks).toSorted()).toEqual([...operationStates].toSorted());
  });

  it('say how long no PIN and no badge is taken, in whole minutes and never too few', () => {
    const told = (locale: 'en' | 'ar', code: 'pin_locked' | 'badge_locked', leftMs: number) =>
      errorAdvice({ code, message: '', details: [leftMs] }, copy[locale], { number: String }).next;
    expect(told('en', 'pin_locked', 60_000)).toBe('Wait 1 minute, then enter the PIN again.');
    expect(told('en', 'pin_locked', 60_001)).toBe('Wait 2 minutes, then enter the PIN again.');
    expect(told('en', 'badge_locked', 240_000)).toBe('Wait 4 minutes, then scan the badge again. Keep selling.');
    expect(told('ar', 'pin_locked', 120_000)).toBe('انتظر دقيقتين ثم أدخل الرمز مرة أخرى.');
    expect(told('ar', 'badge_locked', 480_000)).toBe('انتظر 8 دقائق ثم امسح البطاقة مرة أخرى. المبيعات مستمرة.');
    // Whatever else the dialog would say, and where nobody knows how long, no number is made up.
    expect(errorAdvice({ code: 'pin_locked', message: '' }, copy.en, { number: String }).next).not.toMatch(/\d/);
  });

  it('name every screen that there is, and no other', () => {
    const names = ['sale', ...laterScreens.map(({ name }) => name)];
    for (const words of Object.values(copy)) expect(Object.keys(words.screens).toSorted()).toEqual(names.toSorted());
  });

  it('tell states apart by word and by drawing, never by colour alone', () => {
    const seen = operationStates.map((state) => copy.en.stateWords[state]);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('have no term of the trade on a button or in a state', () => {
    const said = Object.values(copy.en.states).flatMap(({ title, detail }) => [title, detail]);
    for (const word of [...said, ...Object.values(copy.en.stateWords)]) {
      expect(word).not.toMatch(/accepted|queued|unknown|transaction|ref\b/i);
    }
  });
});

describe('a refusal', () => {
  it('has a reason for every code of the specification', () => {
    for (const code of errorCodes) expect(Object.keys(copy.en.refusals)).toContain(refusalReason({ code }));
    expect(refusalReason({ code: 'CARD_NOT_ELIGIBLE', details: ['card_id_required'] })).toBe('card_choice_needed');
    expect(refusalReason({ code: 'DUPLICATE_TRANSACTION', details: [keyReusedDetail] })).toBe('key_taken');
    // The agent's own word, and not the service's.
    expect(refusalReason({ code: changedOnDiskCode })).toBe('changed_on_disk');
    expect(refusalReason({ code: 'CARD_NOT_ELIGIBLE', details: [{ other: 1 }] })).toBe('card_not_eligible');
    expect(refusalReason({ code: 'SOMETHING_NEW' })).toBe('other');
  });
});

describe('numbers', () => {
  const english = makeFormat('en', 'Asia/Kuwait');
  const arabic = makeFormat('ar', 'Asia/Kuwait');

  it('are written with the currency\u2019s own decimals and the reader\u2019s own digits', () => {
    expect(english.money(12_500, 'KWD')).toBe('KWD\u00a012.500');
    expect(arabic.money(12_500, 'KWD')).toBe('١٢٫٥٠٠\u00a0د.ك');
    expect(arabic.digits('12.5')).toBe('١٢٫٥');
  });

  it('tell the time of the till, on a 24-hour clock', () => {
    expect(english.time(Date.parse('2026-11-20T11:02:00Z'))).toBe('14:02');
    expect(makeFormat('en', 'Not/AZone').time(0)).toMatch(/^\d\d:\d\d$/);
  });

  it('tell an age in its largest unit', () => {
    expect(durationInWords(3.5 * 3_600_000, copy.en, english)).toBe('3 h');
    expect(durationInWords(59 * 60_000, copy.en, english)).toBe('59 min');
    expect(durationInWords(-5, copy.en, english)).toBe('under 1 min');
  });

  it('say balances in people\u2019s words: null ones hidden, zero shown, the main one first', () => {
    const said = (card: CardEntry, goals: readonly RewardGoal[] = []): string[] =>
      balancesMainFirst(card).map((balance) =>
        balanceInWords(balance, copy.en, english, stampGoalOf(card, goals)).replace('\u00a0', ' '),
      );
    expect(said(demoCards.stamp)).toEqual(['7 of 10 stamps', '1 reward ready']);
    expect(said(demoCards.stamp, [{ card: 'Ten for One', each: 8, reward: 'a coffee' }])[0]).toBe('7 of 8 stamps');
    expect(said(demoCards.stamp, [{ card: 'Ten for One', each: 5, reward: null }])[0]).toBe('7 stamps');
    expect([8, 12].map((goal) => copy.ar.ofStamps(goal, String(goal)))).toEqual(['من 8 أختام', 'من 12 ختمًا']);
    expect(said(demoCards.cashback)).toEqual(['KWD 1.250 cashback']);
    expect(said(demoCards.reward)).toEqual(['245.5 points', '2 rewards ready']);
    expect(said(demoCards.discount)).toEqual(['0 visits']);
    expect(said(demoCards.unknown)).toEqual([]);
  });

  it('are masked where they are a customer\u2019s', () => {
    expect(maskedPhone('+96599887766')).toBe('•••• 7766');
    expect(maskedPhone('+965 (9988) 77-66')).toBe('•••• 7766');
    // What a service has masked has no other digits than those behind its signs.
    expect(maskedPhone('+965 ••••• •66')).toBe('•••• 66');
    expect(maskedPhone('+965 **** 7766')).toBe('•••• 7766');
    expect(maskedPhone('+965XXXXXX 66')).toBe('•••• 66');
    expect(maskedPhone('+965 •••• ••••')).toBe('••••');
    expect(maskedEmail('fatima@example.com')).toBe('f•••@example.com');
  });
});

it('the drawings are those of the icon set that is installed', () => {
  expect(firstIconPaths).toEqual(drawIconPaths('first'));
  expect(laterIconPaths).toEqual(drawIconPaths('later'));
});
