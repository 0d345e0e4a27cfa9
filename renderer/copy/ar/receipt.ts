import type { WordsOf } from '../parts.ts';

/** The button that prints a receipt, and what became of it. */
export const words: WordsOf<'receipt'> = {
  print: 'طباعة الإيصال',
  printing: 'جارٍ الطباعة',
  printed: 'طُبع الإيصال',
  notPrinted: 'الطابعة لا تستجيب. افحص الكابل والورق.',
  unknown: 'ربما طُبع الإيصال. انظر قبل الطباعة مرة أخرى.',
  failed: 'لم يُطبع الإيصال. أعد المحاولة.',
};
