import type { OutcomeWords } from '../en/outcomes.ts';

import { refusals, spendRefusals } from './refusals.ts';

/** The words for what becomes of what was taken: a part of `ar`. */
export const outcomes: OutcomeWords = {
  outcome: {
    region: 'النتيجة',
    reference: 'المرجع',
    steps: { saved: 'حُفظت', sent: 'أُرسلت', applied: 'أُضيفت' },
    now: (balance) => `الرصيد الآن: ${balance}`,
    onTheWay: {
      cashback: 'الرصيد النقدي في الطريق',
      points: 'النقاط في الطريق',
      stamps: 'الأختام في الطريق',
      visits: 'الزيارة في الطريق',
      rewards: 'المكافأة في الطريق',
    },
    onTheWayPlain: 'في الطريق إلى البطاقة',
    savedOffline: 'تُرسل تلقائيًا عند عودة الاتصال.',
    savedStopped: 'تُرسل تلقائيًا بعد حل المشكلة.',
    keep: 'إبقاء على الشاشة',
    duplicate: (amount) => `هذه العملية محفوظة من قبل بقيمة ${amount}، وتُحتسب مرة واحدة.`,
  },

  states: {
    queued: { label: 'محفوظة', title: 'حُفظت', detail: 'في انتظار الإرسال' },
    sending: { label: 'قيد الإرسال', title: 'حُفظت', detail: 'جارٍ الإرسال' },
    unknown: { label: 'قيد التحقق', title: 'حُفظت', detail: 'جارٍ التحقق، لا تكرّر العملية' },
    accepted: { label: 'أُرسلت', title: 'أُرسلت', detail: 'في الطريق إلى البطاقة' },
    applied: { label: 'أُضيفت', title: 'أُضيفت', detail: 'وصلت إلى البطاقة' },
    refused: { label: 'مرفوضة', title: 'رُفضت', detail: 'تحتاج إلى متابعة' },
    failed: { label: 'لم تُضف', title: 'لم تُضف', detail: 'تحتاج إلى متابعة' },
    cancelled: { label: 'تم التراجع', title: 'تم التراجع', detail: 'لم تُرسل' },
    reversed: { label: 'أُلغيت', title: 'أُلغيت', detail: 'خُصمت من البطاقة' },
    written_off: { label: 'شُطبت', title: 'شُطبت', detail: 'أغلقها المدير' },
  },

  refusals,
  spendRefusals,

  spendStates: {
    queued: { title: 'جارٍ التحقق', detail: 'لا تكرّر العملية' },
    sending: { title: 'جارٍ التحقق', detail: 'لا تكرّر العملية' },
    unknown: { title: 'جارٍ التحقق', detail: 'لا تكرّر العملية' },
    accepted: { title: 'تمّت', detail: 'خُصمت من البطاقة' },
    applied: { title: 'تمّت', detail: 'خُصمت من البطاقة' },
    refused: { title: 'لم تتم', detail: 'لم يُخصم شيء' },
    failed: { title: 'لم تتم', detail: 'لم يُخصم شيء' },
    cancelled: { title: 'لم تتم', detail: 'لم يُخصم شيء' },
    reversed: { title: 'أُعيدت', detail: 'أُعيدت إلى البطاقة' },
    written_off: { title: 'لم تتم', detail: 'أغلقها المدير' },
  },

  reversalStates: {
    queued: 'محفوظ',
    sending: 'قيد الإرسال',
    unknown: 'قيد التحقق',
    accepted: 'أُرسل',
    applied: 'تم',
    refused: 'مرفوض',
    failed: 'لم يتم',
    cancelled: 'لم يعد لازمًا',
    reversed: 'تم',
    written_off: 'شُطب',
  },

  decide: {
    title: 'لم يصل الرد',
    why: 'اختر ما يحدث عند الصندوق، وتُسأل الخدمة حتى تُعرف النتيجة.',
    takeFullPayment: 'خذ المبلغ كاملًا',
    takeFullPaymentNext: 'لن تُرسل مجددًا. وإن احتُسبت رغم ذلك فستُلغى تلقائيًا.',
    giveIt: 'أعطِها',
    giveItNext: 'تُستكمل تلقائيًا عند عودة الاتصال.',
    chosen: { take_full_payment: 'خذ المبلغ كاملًا', give_it: 'أُعطيت' },
    chosenNext: {
      take_full_payment: 'يدفع العميل المبلغ كاملًا، وتُصحَّح البطاقة تلقائيًا.',
      give_it: 'أعطها للعميل، وتُستكمل تلقائيًا.',
    },
  },

  holds: {
    button: 'الحجز لطلب',
    region: 'محجوز لطلبات',
    states: { asking: 'قيد التحقق', reserved: 'محجوز', closing: 'قيد التحقق', expired: 'انتهت مدته' },
    closing: { commit: 'يُخصم الآن', release: 'يُلغى الحجز الآن' },
    actions: {
      commit: 'دُفع الطلب',
      release: 'إلغاء الحجز',
      again: 'الحجز من جديد',
      drop: 'إزالة',
      ask: 'التحقق من جديد',
      giveUp: 'ترك الحجز',
    },
    ranOut: { title: 'انتهت مدة الحجز', next: 'احجز من جديد، ثم أكمل الطلب.' },
  },
};
