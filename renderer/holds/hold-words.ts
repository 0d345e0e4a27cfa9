import type { Locale } from '../../shared/till/views.ts';

interface HoldWords {
  readonly what: string;
  readonly amount: string;
  readonly points: string;
  readonly howLong: string;
  readonly minutes: (minutes: string) => string;
  readonly cart: string;
  readonly hold: string;
  readonly holding: string;
  readonly isSpent: string;
  readonly order: string;
  readonly orderHint: string;
  readonly commit: string;
  readonly committing: string;
}

/** Loaded with the dialog. */
export const holdWords: Readonly<Record<Locale, HoldWords>> = {
  en: {
    what: 'What to hold',
    amount: 'Cashback',
    points: 'Points',
    howLong: 'For how long',
    minutes: (minutes) => `${minutes} min`,
    cart: 'Cart or order number (optional)',
    hold: 'Hold',
    holding: 'Holding',
    isSpent: 'Taken off the card now. It can be undone in Recent.',
    order: 'Order number (optional)',
    orderHint: 'As it stands on the paid order. Made when empty.',
    commit: 'Order paid',
    committing: 'Asking the service',
  },
  ar: {
    what: 'ما الذي يُحجز',
    amount: 'الرصيد النقدي',
    points: 'النقاط',
    howLong: 'مدة الحجز',
    minutes: (minutes) => `${minutes} دقيقة`,
    cart: 'رقم السلة أو الطلب (اختياري)',
    hold: 'حجز',
    holding: 'جارٍ الحجز',
    isSpent: 'يُخصم من البطاقة الآن، ويمكن التراجع عنه من آخر العمليات.',
    order: 'رقم الطلب (اختياري)',
    orderHint: 'كما هو على الطلب المدفوع. يُنشأ رقم إذا تُرك فارغًا.',
    commit: 'دُفع الطلب',
    committing: 'جارٍ سؤال الخدمة',
  },
};
