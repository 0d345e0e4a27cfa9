import { describe, expect, it } from 'vitest';
import { words as activity } from '../../../renderer/activity/words.ts';
import { words as attention } from '../../../renderer/attention/words.ts';
import { dateInWords } from '../../../renderer/day-close/day-words.ts';
import { words as dayClose } from '../../../renderer/day-close/words.ts';
import { words as lab } from '../../../renderer/lab/words.ts';

type Tree = { readonly [key: string]: unknown };

function wordsOf(tree: Tree, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    const here = `${path}${key}`;
    const word: unknown = typeof value === 'function' ? value(3, '3', '3') : value;
    if (typeof word === 'string') found.set(here, word);
    else if (typeof word === 'object' && word !== null) {
      for (const [inner, text] of wordsOf({ ...word }, `${here}.`)) found.set(inner, text);
    }
  }
  return found;
}

describe.each([
  ['activity', activity],
  ['attention', attention],
  ['day-close', dayClose],
  ['lab', lab],
])('the words of %s', (_name, table) => {
  const english = wordsOf(table.en);
  const arabic = wordsOf(table.ar);

  it('are the same ones in both languages, none empty, Arabic in Arabic', () => {
    expect([...arabic.keys()].toSorted()).toEqual([...english.keys()].toSorted());
    expect([...english, ...arabic].filter(([, word]) => word.trim() === '')).toEqual([]);
    expect([...arabic].filter(([, word]) => !/\p{Script=Arabic}/u.test(word)).map(([path]) => path)).toEqual([]);
  });
});

it.each([
  ['a new one', activity.ar.newOnes],
  ['a late one', dayClose.ar.since],
  ['one on its way', attention.ar.bulk.doneTitle],
])('%s is counted as Arabic counts', (_what, say) => {
  const counted = [1, 2, 3, 11, 100].map((value) => say(value, String(value)));
  expect(new Set(counted).size).toBe(5);
  expect(counted[1]).toContain('عمليتان');
});

it('a business date is the same day in every time zone', () => {
  expect(dateInWords('2026-11-20', 'en', 'long')).toMatch(/^Friday,? 20 November 2026$/);
  expect(dateInWords('2026-11-20', 'ar', 'short')).toContain('٢٠٢٦');
});
