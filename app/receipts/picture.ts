import { localeTable } from '../../shared/till/locales.ts';
import { brokenLines, widthOf } from './broken-lines.ts';
import { drawn, letterFamily } from './drawing-thread.ts';
import type { Receipt } from './receipt.ts';

/** A picture, black on white. `pixels` has red, green, blue and alpha of each pixel. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** The distance between two lines, as a multiple of the letters' size. */
const lineHeight = 1.5;
const size = 26;
const heroSizes = [60, 44, 34] as const;
const barHeight = 26;

/** @param width in dots, a multiple of 8 */
export async function pictureOf(receipt: Receipt, width: number): Promise<Picture> {
  return { width, ...(await drawn(drawing(receipt, width))) };
}

/** The receipt as SVG, from its top to its foot. */
function drawing(receipt: Receipt, width: number): string {
  const { shop, hero, said, progress, facts } = receipt;
  const isRight = localeTable[receipt.locale].direction === 'rtl';
  const parts: string[] = [];
  let y = 0;
  const text = (words: string, at: 'start' | 'middle' | 'end', letters: number, baseline: number): void => {
    const side = at === 'middle' ? at : (at === 'start') === isRight ? 'end' : 'start';
    const x = side === 'middle' ? width / 2 : side === 'start' ? 0 : width;
    parts.push(
      `<text x="${x}" y="${Math.round(baseline)}" font-size="${letters}" text-anchor="${side}">${written(words, isRight)}</text>`,
    );
  };
  const lines = (words: string, at: 'start' | 'middle' | 'end', letters: number = size): void => {
    for (const line of brokenLines(words, width / letters)) {
      text(line, at, letters, y + letters * 1.1);
      y += letters * lineHeight;
    }
  };
  const rule = (): void => {
    parts.push(`<path d="M0 ${y + 12}H${width}" stroke="#000" stroke-width="2" stroke-dasharray="8 6"/>`);
    y += 24;
  };
  if (shop !== null) {
    lines(shop, 'middle', 30);
    rule();
  }
  const fits = heroSizes.find((letters) => widthOf(hero) * letters <= width) ?? 34;
  lines(hero, 'middle', fits);
  for (const line of said) lines(line, 'middle');
  if (progress !== null) {
    const done = Math.round((width - 6) * progress.share);
    const x = isRight ? width - 3 - done : 3;
    const frame = `<rect x="1.5" y="${y + 9.5}" width="${width - 3}" height="${barHeight - 3}" rx="12" fill="none" stroke="#000" stroke-width="3"/>`;
    parts.push(frame, `<rect x="${x}" y="${y + 11}" width="${done}" height="${barHeight - 6}" rx="10"/>`);
    y += barHeight + 16;
    lines(progress.text, 'middle');
  }
  rule();
  for (const { label, value } of facts) {
    const isTogether = widthOf(`${label}  ${value}`) * size <= width;
    if (isTogether) text(label, 'start', size, y + size * 1.1);
    else lines(label, 'start');
    lines(value, 'end');
  }
  // A printer takes eight rows of dots at a time.
  const height = Math.ceil(y / 8) * 8;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#fff"/><g font-family="${letterFamily}" fill="#000">${parts.join('')}</g></svg>`;
}

/** The text, escaped for SVG, between the marks of its language's direction. */
function written(words: string, isRight: boolean): string {
  const harmless = words
    .toWellFormed()
    .replace(/[^\P{Cc}]/gu, ' ')
    .replace(/[\uffff\ufffe]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
  return `${isRight ? '\u2067' : '\u2066'}${harmless}\u2069`;
}
