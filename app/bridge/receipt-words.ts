import type { Locale } from '../../shared/till/locales.ts';

type Counted = Readonly<Record<'points' | 'stamps' | 'visits', (value: number, written: string) => string>>;

interface ReceiptWords {
  readonly units: Counted;
  readonly added: (value: string) => string;
  readonly spent: (value: string) => string;
  readonly given: (name: string) => string;
  readonly reward: string;
  /** It is saved at the till, and on its way. */
  readonly follows: Readonly<Record<'money' | keyof Counted, string>>;
  readonly notConfirmed: string;
  readonly takenBack: (value: string) => string;
  readonly now: (balance: string) => string;
  readonly card: string;
  readonly receipt: string;
}

const englishRules = new Intl.PluralRules('en');
const arabicRules = new Intl.PluralRules('ar');
const english = (one: string, other: string) => (value: number, written: string) =>
  `${written} ${englishRules.select(value) === 'one' ? one : other}`;
const arabic =
  (forms: Readonly<Record<'one' | 'two' | 'few' | 'many' | 'other', string>>) => (value: number, written: string) => {
    const form = arabicRules.select(value);
    return forms[form === 'zero' ? 'other' : form].replace('#', written);
  };

/** What a customer reads on paper. */
export const receiptWords: Readonly<Record<Locale, ReceiptWords>> = {
  en: {
    units: {
      points: english('point', 'points'),
      stamps: english('stamp', 'stamps'),
      visits: english('visit', 'visits'),
    },
    added: (value) => `${value} added`,
    spent: (value) => `${value} spent`,
    given: (name) => `Given: ${name}`,
    reward: 'Reward',
    follows: {
      money: 'Loyalty credit follows',
      points: 'Points follow',
      stamps: 'Stamps follow',
      visits: 'Visits follow',
    },
    notConfirmed: 'Not confirmed yet',
    takenBack: (value) => `${value} taken back`,
    now: (balance) => `${balance} now`,
    card: 'Card',
    receipt: 'Receipt',
  },
  ar: {
    units: {
      points: arabic({ one: 'نقطة واحدة', two: 'نقطتان', few: '# نقاط', many: '# نقطة', other: '# نقطة' }),
      stamps: arabic({ one: 'ختم واحد', two: 'ختمان', few: '# أختام', many: '# ختمًا', other: '# ختم' }),
      visits: arabic({ one: 'زيارة واحدة', two: 'زيارتان', few: '# زيارات', many: '# زيارة', other: '# زيارة' }),
    },
    added: (value) => `إضافة: ${value}`,
    spent: (value) => `صرف: ${value}`,
    given: (name) => `منح: ${name}`,
    reward: 'مكافأة',
    follows: {
      money: 'يُضاف الرصيد لاحقًا',
      points: 'تُضاف النقاط لاحقًا',
      stamps: 'تُضاف الأختام لاحقًا',
      visits: 'تُحسب الزيارات لاحقًا',
    },
    notConfirmed: 'لم يتأكد بعد',
    takenBack: (value) => `استرداد: ${value}`,
    now: (balance) => `الرصيد الآن ${balance}`,
    card: 'البطاقة',
    receipt: 'الإيصال',
  },
};
