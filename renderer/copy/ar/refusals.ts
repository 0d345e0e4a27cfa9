import type { RefusalWords } from '../en/refusals.ts';

const callIt = 'احتفظ بالإيصال واتصل بالدعم الفني.';
const anotherCard = 'اختر بطاقة أخرى للعميل.';

/** Why the service refused, and what to do: a part of `ar`. */
export const refusals: RefusalWords = {
  customer_not_found: {
    title: 'لا تعرف الخدمة هذا العميل',
    next: 'تحقّق من الرقم مع العميل وسجّل العملية من جديد.',
  },
  card_not_eligible: { title: 'هذه البطاقة لا تقبل العملية', next: callIt, withOtherCard: anotherCard },
  insufficient_balance: { title: 'رصيد البطاقة لا يكفي', next: callIt },
  coupon_used: { title: 'استُخدمت هذه القسيمة من قبل', next: callIt },
  hold_expired: { title: 'انتهت مدة الحجز', next: callIt },
  hold_over: { title: 'انتهى الحجز السابق', next: callIt },
  paid_in_full: { title: 'اختير دفع المبلغ كاملًا من قبل', next: callIt },
  card_choice_needed: { title: 'لدى العميل عدة بطاقات', next: 'ابحث عن العميل واختر البطاقة.' },
  currency_mismatch: { title: 'البطاقة بعملة أخرى', next: callIt, withOtherCard: anotherCard },
  outside_window: { title: 'فات موعد إرسال العملية', next: callIt },
  mechanics_unknown: { title: 'الخدمة لا تعرف هذه البطاقة', next: callIt },
  reference_taken: { title: 'رقم الإيصال مستخدم من قبل', next: 'أرسل العملية برقم آخر.' },
  key_taken: { title: 'المفتاح مستخدم من قبل', next: 'أرسل العملية برقم آخر.' },
  invalid: { title: 'لم تقبل خدمة الولاء العملية', next: callIt },
  changed_on_disk: {
    title: 'تغيّرت على قرص هذا الجهاز فلم تُرسل',
    next: 'قارنها بالإيصال، ثم أعد المحاولة أو اشطبها.',
  },
  other: { title: 'رفضت خدمة الولاء العملية', next: callIt },
};

const takePayment = 'خذ المبلغ كاملًا.';
const anotherCardOrPayment = 'اختر بطاقة أخرى أو خذ المبلغ كاملًا.';

export const spendRefusals: RefusalWords = {
  customer_not_found: {
    title: 'لا تعرف الخدمة هذا العميل',
    next: 'تحقّق من الرقم مع العميل أو خذ المبلغ كاملًا.',
  },
  card_not_eligible: {
    title: 'لا يمكن استخدام هذه البطاقة لذلك',
    next: takePayment,
    withOtherCard: anotherCardOrPayment,
  },
  card_choice_needed: { title: 'لدى العميل عدة بطاقات', next: 'اختر البطاقة.' },
  currency_mismatch: { title: 'البطاقة بعملة أخرى', next: takePayment, withOtherCard: anotherCardOrPayment },
  outside_window: { title: 'رفضت خدمة الولاء العملية', next: takePayment },
  mechanics_unknown: { title: 'الخدمة لا تعرف هذه البطاقة', next: 'خذ المبلغ كاملًا واتصل بالدعم الفني.' },
  reference_taken: { title: 'رقم الإيصال مستخدم من قبل', next: 'أدخل رقمًا آخر أو اتركه فارغًا.' },
  key_taken: { title: 'المفتاح مستخدم من قبل', next: takePayment },
  insufficient_balance: { title: 'رصيد البطاقة لا يكفي', next: 'أدخل قيمة أصغر أو خذ المبلغ كاملًا.' },
  coupon_used: { title: 'استُخدمت هذه القسيمة من قبل', next: takePayment },
  hold_expired: { title: 'انتهت مدة الحجز', next: 'احجز من جديد، ثم أكمل الطلب.' },
  hold_over: { title: 'انتهى الحجز السابق', next: 'لا شيء محجوز. للحجز من جديد اضغط مرة أخرى.' },
  paid_in_full: { title: 'اختير دفع المبلغ كاملًا من قبل', next: 'خذ المبلغ كاملًا، ويُعاد ما خُصم.' },
  invalid: { title: 'لم تقبل خدمة الولاء العملية', next: 'خذ المبلغ كاملًا واتصل بالدعم الفني.' },
  changed_on_disk: { title: 'تغيّرت على قرص هذا الجهاز فلم تُرسل', next: takePayment },
  other: { title: 'رفضت خدمة الولاء العملية', next: takePayment },
};
