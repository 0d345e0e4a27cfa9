import { describe, expect, test } from 'vitest';
import { brokenLines } from '../../app/receipts/broken-lines.ts';
import { escposOf } from '../../app/receipts/escpos.ts';
import { pictureOf } from '../../app/receipts/picture.ts';
import type { Receipt } from '../../app/receipts/receipt.ts';
import { readEscpos } from '../support/escpos-reader.ts';

const english: Receipt = {
  locale: 'en',
  shop: 'Salmiya Coffee',
  hero: '+12 points',
  said: ['Earned KWD\u00a012.500', '92 points now'],
  progress: { text: '8 more to a free coffee', share: 0.92 },
  facts: [
    { label: 'Card', value: 'Rewards club \u2066•••• 1098\u2069' },
    { label: 'Receipt', value: '\u2066main-till1-k3f9-20261121-4471\u2069' },
    { label: 'Till 1, Sara', value: '21 Nov 2026, 12:35' },
  ],
};
const arabic: Receipt = {
  locale: 'ar',
  shop: 'قهوة السالمية',
  hero: '+\u2068١٢ نقطة\u2069',
  said: ['إضافة عن \u2068١٢٫٥٠٠\u00a0د.ك\u2069', 'الرصيد الآن ٩٢ نقطة'],
  progress: { text: '٨ نقاط حتى \u2068قهوة مجانية\u2069', share: 0.92 },
  facts: [{ label: 'البطاقة', value: 'Rewards club \u2066•••• 1098\u2069' }],
};

describe('a receipt for a printer', () => {
  test('is plain text in the width of the paper, from a printer set back to its cut', async () => {
    const { begins, lines, pictures, isCut } = readEscpos(await escposOf([english], 42));
    expect([begins, pictures, isCut]).toEqual(['initialized', [], true]);
    const rule = '-'.repeat(42);
    const told = lines.map((line) => line.trim()).filter((line) => line !== '');
    expect(told).toEqual([
      'Salmiya Coffee',
      rule,
      '+12 points',
      'Earned KWD 12.500',
      '92 points now',
      '8 more to a free coffee',
      rule,
      `Card${' '.repeat(16)}Rewards club **** 1098`,
      `Receipt${' '.repeat(6)}main-till1-k3f9-20261121-4471`,
      `Till 1, Sara${' '.repeat(12)}21 Nov 2026, 12:35`,
    ]);
    const narrow = readEscpos(await escposOf([english], 32)).lines;
    expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(32);
    expect(narrow).toContain(`   main-till1-k3f9-20261121-4471`);
  });

  test('is a picture where a letter is not plain, as wide as the paper', async () => {
    const { lines, pictures, isCut } = readEscpos(await escposOf([english, arabic], 48));
    expect(lines.map((line) => line.trim())).toContain('+12 points');
    // A tall one comes in parts, which stand below each other.
    expect([...new Set(pictures.map(({ width }) => width))]).toEqual([576]);
    expect(pictures.reduce((sum, { blackDots }) => sum + blackDots, 0)).toBeGreaterThan(5_000);
    expect(isCut).toBe(true);
    const cafe = await escposOf([{ ...english, shop: 'Café <&> \u0007' }], 32);
    expect(readEscpos(cafe).pictures[0]).toMatchObject({ width: 384 });
  });

  test('has joined Arabic letters: a word is narrower than its letters by themselves', async () => {
    const dotsOf = async (hero: string) => {
      const { pixels, width } = await pictureOf(
        { ...arabic, shop: null, hero, said: [], progress: null, facts: [] },
        576,
      );
      const columns = new Set<number>();
      for (let at = 0; at < 60 * width; at += 1) if ((pixels[at * 4] ?? 255) < 128) columns.add(at % width);
      return columns.size;
    };
    const joined = await dotsOf('نقطة');
    expect(joined).toBeGreaterThan(50);
    expect(joined).toBeLessThan(await dotsOf('ن\u200cق\u200cط\u200cة'));
  });

  test('is drawn while the agent does other things', async () => {
    await pictureOf(arabic, 576);
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await pictureOf(arabic, 576);
    clearImmediate(next);
    expect(turns).toBeGreaterThan(0);
  });

  test('keeps its numbers in order where a line of it is broken: each line has its own marks', () => {
    const name = 'حتى \u2068Large iced coffee\u2069 !';
    expect(brokenLines(name, 8)).toEqual(['حتى \u2068Large\u2069', '\u2068iced coffee\u2069 !']);
    expect(brokenLines(name, 50)).toEqual([name]);
  });

  test('is never cut at the edge of its paper: what is too long goes on below', async () => {
    const dotsOf = async (part: Partial<Receipt>) => {
      const empty = { ...arabic, shop: null, hero: '', said: [], progress: null, facts: [] };
      const { pixels } = await pictureOf({ ...empty, ...part }, 384);
      return pixels.filter((dot, at) => at % 4 === 0 && dot < 128).length;
    };
    const parts: readonly ((words: string) => Partial<Receipt>)[] = [
      (shop) => ({ shop }),
      (hero) => ({ hero }),
      (words) => ({ said: [words] }),
      (label) => ({ facts: [{ label, value: '' }] }),
      (words) => ({ facts: [{ label: '', value: `\u2066${words}\u2069` }] }),
    ];
    for (const part of parts) {
      const [none, some, twice] = [
        await dotsOf(part('')),
        await dotsOf(part('W'.repeat(30))),
        await dotsOf(part('W'.repeat(60))),
      ];
      expect((twice - none) / (some - none)).toBeCloseTo(2, 1);
    }
  });
});
