import { apart } from '../direction.ts';
import type { WordsOf } from '../parts.ts';
import { countIn, type PluralForms } from '../plural.ts';

const count = countIn('ar');

const stampsLeft: PluralForms = {
  one: 'ختم واحد',
  two: 'ختمان',
  few: '# أختام',
  many: '# ختمًا',
  other: '# ختم',
};
const pointsLeft: PluralForms = {
  one: 'نقطة واحدة',
  two: 'نقطتان',
  few: '# نقاط',
  many: '# نقطة',
  other: '# نقطة',
};

/** The customer's own past and next step. */
export const words: WordsOf<'past'> = {
  title: 'آخر خمس عمليات',
  asOf: (when) => `حتى ${apart(when)}`,
  unknown: 'يحتاج إلى اتصال',
  nothing: 'لا شيء مسجّل بعد',
  usedCoupon: 'صرف قسيمة',
  firstVisit: 'أول زيارة',
  firstStep: (step) => `أول زيارة: ${step}`,
  lastVisit: (when) => `آخر زيارة ${when}`,
  balanceFrom: (when) => `الرصيد حتى ${apart(when)}`,
  onTheWay: (value) => `+ ${apart(value)} في الطريق`,
  toNext: {
    points: (value, written) => `${count(value, written, pointsLeft)} حتى المكافأة التالية`,
    stamps: (value, written) => `${count(value, written, stampsLeft)} حتى المكافأة التالية`,
  },
  toNamed: {
    points: (value, written, reward) => `${count(value, written, pointsLeft)} حتى ${apart(reward)}`,
    stamps: (value, written, reward) => `${count(value, written, stampsLeft)} حتى ${apart(reward)}`,
  },
  readyWhenBack: (rewards) => `${rewards} عند عودة الاتصال`,
};
