import type { Balance } from '../../shared/till/balances.ts';
import type { Locale } from '../../shared/till/locales.ts';
import { stateWords } from '../../shared/till/state-words.ts';
import { deedWords as arabic } from '../../shared/words/ar.ts';
import type { DeedWords } from '../../shared/words/deeds.ts';
import { deedWords as english } from '../../shared/words/en.ts';

interface ReceiptWords extends DeedWords {
  /** The sale is saved at the till and waits to be sent. */
  readonly follows: Readonly<Record<Balance['dimension'] | 'unknown', string>>;
  readonly whenBack: string;
  readonly notConfirmed: string;
  /** A coupon whose name is unknown, as a value. */
  readonly oneCoupon: string;
  readonly reversed: string;
  readonly cancelled: string;
  readonly card: string;
  readonly receipt: string;
}

/** What a customer reads on paper. */
export const receiptWords: Readonly<Record<Locale, ReceiptWords>> = {
  en: {
    ...english,
    follows: {
      cashback: 'Cashback follows',
      points: 'Points follow',
      stamps: 'Stamps follow',
      visits: 'The visit follows',
      rewards: 'The reward follows',
      unknown: 'Loyalty credit follows',
    },
    whenBack: 'when the till is online again',
    notConfirmed: 'Not confirmed yet',
    oneCoupon: '1 coupon',
    reversed: stateWords.en.reversed,
    cancelled: stateWords.en.cancelled,
    card: 'Card',
    receipt: 'Receipt',
  },
  ar: {
    ...arabic,
    follows: {
      cashback: 'يُضاف الرصيد النقدي لاحقًا',
      points: 'تُضاف النقاط لاحقًا',
      stamps: 'تُضاف الأختام لاحقًا',
      visits: 'تُحسب الزيارة لاحقًا',
      rewards: 'تُضاف المكافأة لاحقًا',
      unknown: 'يُضاف الرصيد لاحقًا',
    },
    whenBack: 'عند عودة الاتصال',
    notConfirmed: 'لم يتأكد بعد',
    oneCoupon: 'قسيمة واحدة',
    reversed: stateWords.ar.reversed,
    cancelled: stateWords.ar.cancelled,
    card: 'البطاقة',
    receipt: 'الإيصال',
  },
};
