import type { HoldWords } from '../en/holds.ts';

export const words: HoldWords = {
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
};
