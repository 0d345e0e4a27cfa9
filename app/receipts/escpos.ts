import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder';
import type { PaperColumns } from '../config/printer-address.ts';
import { plainLetters } from './plain-letters.ts';
import type { Receipt } from './receipt.ts';

/** The width of a printer's own letters, the same on every printer. */
const dotsPerColumn = 12;

/**
 * Receipts as bytes for a printer: plain letters as text, everything else as a picture. Few printers have Arabic
 * letters, and those that do cannot join them (decision 0039).
 */
export async function escposOf(receipts: readonly Receipt[], columns: PaperColumns): Promise<Uint8Array> {
  const encoder = new ReceiptPrinterEncoder({ language: 'esc-pos', columns, imageMode: 'raster', feedBeforeCut: 4 });
  encoder.initialize();
  for (const receipt of receipts) {
    const plain = plainReceipt(receipt);
    if (plain === null) {
      const { pictureOf } = await import('./picture.ts');
      const { width, height, pixels } = await pictureOf(receipt, columns * dotsPerColumn);
      encoder.image({ data: pixels, info: { width, height } }, width, height, 'threshold');
    } else {
      for (const { text, look } of textLines(plain, columns)) {
        const isLarge = look === 'hero';
        encoder
          .bold(look !== 'plain')
          .size(isLarge ? 2 : 1, isLarge ? 2 : 1)
          .align('center')
          .line(text);
      }
      encoder.bold(false).size(1, 1).align('left');
    }
    encoder.newline();
  }
  return encoder.cut('partial').encode();
}

/** The receipt in plain letters; null when one of its letters is not plain. */
function plainReceipt(receipt: Receipt): Receipt | null {
  let isPlain = true;
  const plain = mapped(receipt, (text) => {
    const letters = plainLetters(text);
    isPlain = isPlain && letters !== null;
    return letters ?? text;
  });
  return isPlain ? plain : null;
}

function mapped(receipt: Receipt, change: (text: string) => string): Receipt {
  const { shop, hero, said, progress, facts } = receipt;
  return {
    ...receipt,
    shop: shop === null ? null : change(shop),
    hero: change(hero),
    said: said.map(change),
    progress: progress === null ? null : { ...progress, text: change(progress.text) },
    facts: facts.map(({ label, value }) => ({ label: change(label), value: change(value) })),
  };
}

interface TextLine {
  readonly text: string;
  readonly look: 'plain' | 'bold' | 'hero';
}

function textLines({ shop, hero, said, progress, facts }: Receipt, columns: number): readonly TextLine[] {
  const plain = (text: string): TextLine => ({ text, look: 'plain' });
  const rule = plain('-'.repeat(columns));
  return [
    ...(shop === null ? [] : [{ text: shop, look: 'bold' } as const, rule]),
    { text: hero, look: hero.length * 2 <= columns ? 'hero' : 'bold' },
    ...said.map(plain),
    ...(progress === null ? [] : [{ text: progress.text, look: 'bold' } as const]),
    rule,
    ...facts.flatMap(({ label, value }) => ends(label, value, columns)).map(plain),
  ];
}

/** The label and the value at the two ends of a line, or on two lines when they are too long for one. */
function ends(label: string, value: string, columns: number): readonly string[] {
  const room = columns - label.length - value.length;
  return room > 0 ? [label + ' '.repeat(room) + value] : [label.padEnd(columns), value.padStart(columns)];
}
