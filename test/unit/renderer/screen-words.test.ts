import { describe, expect, it } from 'vitest';
import { settingNames } from '../../../app/config/layers.ts';
import { type Part, partsOf } from '../../../renderer/copy/parts.ts';
import { dateInWords } from '../../../renderer/day-close/day-words.ts';
import { type Locale, locales } from '../../../shared/till/locales.ts';
import { wordLeaves } from '../../support/word-leaves.ts';
import { wordsIn } from '../../support/words.ts';

const partNames = Object.keys(partsOf('en')) as readonly Part[];

/** What is the same in every script: names, and a file's name and its size. */
const inLatinEverywhere: Partial<Record<Part, readonly string[]>> = {
  start: ['outcome.plus'],
  diagnostics: ['machine.databaseSize'],
};

/** The scripts of the languages that are not written in Latin letters. */
const scripts: Partial<Record<Locale, RegExp>> = { ar: /\p{Script=Arabic}/u };

describe.each(locales)('the words of %s', (locale) => {
  it.each(partNames)('are those of English, none empty, in their own script: %s', async (part) => {
    const english = wordLeaves((await partsOf('en')[part]()).words);
    const own = wordLeaves((await partsOf(locale)[part]()).words);
    expect([...own.keys()].toSorted()).toEqual([...english.keys()].toSorted());
    expect([...own].filter(([, word]) => word.trim() === '')).toEqual([]);
    const script = scripts[locale];
    const foreign = script === undefined ? [] : [...own].filter(([, word]) => !script.test(word));
    const expected = script === undefined ? [] : (inLatinEverywhere[part] ?? []);
    expect(foreign.map(([path]) => path)).toEqual(expected);
  });
});

it.each(locales)('every setting has its words in %s', async (locale) => {
  const { words } = await partsOf(locale).settings();
  expect(Object.keys(words.fields).toSorted()).toEqual(settingNames.toSorted());
});

const [start, activity, attention, dayClose] = await Promise.all([
  wordsIn('start'),
  wordsIn('activity'),
  wordsIn('attention'),
  wordsIn('day-close'),
]);

it.each([
  ['a new one', activity.ar.newOnes],
  ['a late one', dayClose.ar.since],
  ['one on its way', attention.ar.bulk.doneTitle],
])('%s is counted as Arabic counts', (_what, say) => {
  const counted = [1, 2, 3, 11, 100].map((value) => say(value, String(value)));
  expect(new Set(counted).size).toBe(5);
  expect(counted[1]).toContain('عمليتان');
});

it('a card that calls itself a card is not called one twice', () => {
  const { en, ar } = start;
  expect(['Second card', 'Cashback', 'Cardinal'].map(en.nextSteps.otherCard)).toEqual([
    'Use the Second card',
    'Use the Cashback card',
    'Use the Cardinal card',
  ]);
  const inArabic = ['البطاقة الثانية', 'النقاط'].map((name) =>
    ar.nextSteps.otherCard(name).replace(/[\u2066-\u2069]/g, ''),
  );
  expect(inArabic).toEqual(['استخدم البطاقة الثانية', 'استخدم بطاقة النقاط']);
});

it('a business date is the same day in every time zone', () => {
  expect(dateInWords('2026-11-20', 'en', 'long')).toMatch(/^Friday,? 20 November 2026$/);
  expect(dateInWords('2026-11-20', 'ar', 'short')).toContain('٢٠٢٦');
});
