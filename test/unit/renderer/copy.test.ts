import { describe, expect, it } from 'vitest';
import { openCopy } from '../../../renderer/copy/copy.ts';
import { type PartLoaders, partsOf } from '../../../renderer/copy/parts.ts';
import type { Locale } from '../../../shared/till/locales.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { wordsIn } from '../../support/words.ts';

const start = await wordsIn('start');
const activity = await wordsIn('activity');

/** The loaders of every language, of which those of Arabic wait until they are let through. */
function heldArabic() {
  let { promise, resolve, reject } = Promise.withResolvers<void>();
  const loadersOf = (locale: Locale): PartLoaders => {
    const parts = partsOf(locale);
    if (locale !== 'ar') return parts;
    return { ...parts, start: () => promise.then(parts.start), activity: () => promise.then(parts.activity) };
  };
  return {
    loadersOf,
    letThrough: () => resolve(),
    cutOff: () => {
      reject(new Error('The agent has gone'));
      ({ promise, resolve, reject } = Promise.withResolvers<void>());
    },
  };
}

describe('another language', () => {
  it('takes the place of the one before once its words are there, and not a word sooner', async () => {
    const { loadersOf, letThrough } = heldArabic();
    const copy = await openCopy({ clock: new ManualClock(), locale: 'en', loadersOf });
    await copy.need('activity');
    copy.show('ar');
    await Promise.resolve();
    expect(copy.locale.value).toBe('en');
    expect(copy.wordsOf('activity')).toBe(activity.en);
    letThrough();
    await expect.poll(() => copy.locale.value).toBe('ar');
    expect(copy.wordsOf('start')).toBe(start.ar);
    expect(copy.wordsOf('activity')).toBe(activity.ar);
  });

  it('gives way to one that is chosen while its words are on their way', async () => {
    const { loadersOf, letThrough } = heldArabic();
    const copy = await openCopy({ clock: new ManualClock(), locale: 'en', loadersOf });
    const seen: Locale[] = [];
    copy.locale.subscribe((locale) => seen.push(locale));
    copy.show('ar');
    copy.show('en');
    letThrough();
    await partsOf('ar').start();
    await new Promise(setImmediate);
    expect(seen).toEqual(['en']);
  });

  it('waits for a part that a screen asks for meanwhile', async () => {
    const { loadersOf, letThrough } = heldArabic();
    const copy = await openCopy({ clock: new ManualClock(), locale: 'en', loadersOf });
    copy.show('ar');
    await copy.need('activity');
    expect(copy.wordsOf('activity')).toBe(activity.en);
    letThrough();
    await expect.poll(() => copy.locale.value).toBe('ar');
    expect(copy.wordsOf('activity')).toBe(activity.ar);
  });

  it('is asked for again when its words did not come', async () => {
    const clock = new ManualClock();
    const { loadersOf, letThrough, cutOff } = heldArabic();
    const copy = await openCopy({ clock, locale: 'en', loadersOf });
    copy.show('ar');
    cutOff();
    await new Promise(setImmediate);
    expect(copy.locale.value).toBe('en');
    letThrough();
    clock.advance(1_000);
    await expect.poll(() => copy.locale.value).toBe('ar');
  });
});

it('words that nobody has fetched are an error, not an empty place', async () => {
  const copy = await openCopy({ clock: new ManualClock(), locale: 'en' });
  expect(() => copy.wordsOf('lab')).toThrow('lab');
});
