import { stateWords as glossary } from '../../../shared/till/state-words.ts';
import { deedWords } from '../../../shared/words/ar.ts';
import { apart } from '../../../shared/words/direction.ts';
import type { OutcomeWords } from '../en/outcomes.ts';
import { refusals, spendRefusals } from './refusals.ts';

const stateWords = glossary.ar;

/** The words for the outcome of a sale: a part of `ar`. */
export const outcomes: OutcomeWords = {
  outcome: {
    region: 'النتيجة',
    reference: 'المرجع',
    steps: { saved: 'حُفظت', sent: 'أُرسلت', applied: 'اكتملت' },
    kinds: {
      saved: 'حُفظت على هذا الجهاز',
      sent: 'أُرسلت',
      added: 'أُضيفت',
      spent: 'صُرفت',
      used: 'استُخدمت',
      given: 'سلّمها الآن',
      coupon: 'قُبلت القسيمة',
      before: 'محفوظة من قبل',
    },
    doNotRepeat: (value) => `${apart(value)}: لا تكرّر العملية`,
    valueFor: (value, who) => `${apart(value)} لـ ${apart(who)}`,
    plus: deedWords.plus,
    added: (value) => `أُضيف عن ${apart(value)}`,
    visitAdded: 'حُسبت الزيارة',
    off: (money) => `خصم ${apart(money)}`,
    spent: (value) => `صُرف: ${apart(value)}`,
    used: (value) => `صُرف: ${apart(value)}`,
    visitUsed: 'دخول مسموح',
    couponUsed: 'استُهلكت',
    now: deedWords.now,
    toSpend: (money) => `متاح للصرف الآن ${apart(money)}`,
    inAMoment: {
      cashback: 'يصل الرصيد النقدي بعد لحظة',
      points: 'تصل النقاط بعد لحظة',
      stamps: 'تصل الأختام بعد لحظة',
      visits: 'تصل الزيارة بعد لحظة',
      rewards: 'تصل المكافأة بعد لحظة',
    },
    inAMomentPlain: 'على البطاقة بعد لحظة',
    whenBack: {
      cashback: 'يُضاف الرصيد النقدي عند عودة الاتصال',
      points: 'تُضاف النقاط عند عودة الاتصال',
      stamps: 'تُضاف الأختام عند عودة الاتصال',
      visits: 'تُضاف الزيارة عند عودة الاتصال',
      rewards: 'تُضاف المكافأة عند عودة الاتصال',
    },
    whenBackPlain: 'يرسلها Tillbridge عند عودة الاتصال.',
    savedStopped: 'يرسلها Tillbridge بعد حل المشكلة.',
    rewardReady: 'المكافأة جاهزة',
    notAdded: 'لم تُضف',
    notSpent: 'لم تُصرف',
    notGiven: 'لم تُمنح',
    nothingSent: 'لم يُرسل شيء',
    reversed: (value) => `استُرد: ${apart(value)}`,
    givenBack: (value) => `أُعيد: ${apart(value)}`,
    byEarlierPress: {
      spent: 'خُصمت بضغطة سابقة، ولم يُخصم شيء آخر.',
      givenBack: 'خُصمت بضغطة سابقة ثم أُعيدت، ولا شيء مخصوم الآن.',
      given: 'سُجّلت بضغطة سابقة. سلّمها مرة واحدة.',
      held: 'حُجزت بضغطة سابقة، ولم يُحجز شيء آخر.',
    },
    duplicate: (amount) => `هذه العملية محفوظة من قبل بقيمة ${amount}، وتُحتسب مرة واحدة.`,
  },

  nextSteps: {
    otherCard: (card) => (/^(ال)?بطاقة(\s|$)/.test(card) ? `استخدم ${apart(card)}` : `استخدم بطاقة ${apart(card)}`),
    otherCardReason: 'رفضت البطاقة الأولى العملية فاختيرت أخرى عند الصندوق',
    amount: 'صحّح المبلغ',
    receipt: 'رقم إيصال آخر',
    full_price: 'السعر كاملًا',
    later: 'لاحقًا',
  },

  states: {
    queued: { title: 'حُفظت', detail: 'في انتظار الإرسال' },
    sending: { title: 'حُفظت', detail: 'جارٍ الإرسال' },
    unknown: { title: 'حُفظت', detail: 'قيد التحقق، لا تكرّر العملية' },
    accepted: { title: 'أُرسلت', detail: 'في الطريق إلى البطاقة' },
    applied: { title: stateWords.applied, detail: 'على البطاقة رصيدها الجديد' },
    refused: { title: stateWords.refused, detail: 'تحتاج إلى متابعة' },
    failed: { title: stateWords.failed, detail: 'تحتاج إلى متابعة' },
    cancelled: { title: stateWords.cancelled, detail: 'لم تُرسل' },
    reversed: { title: stateWords.reversed, detail: 'أُزيلت من البطاقة' },
    written_off: { title: stateWords.written_off, detail: 'أغلقها المدير' },
  },
  stateWords,

  refusals,
  spendRefusals,

  spendStates: {
    queued: { title: stateWords.unknown, detail: 'لا تكرّر العملية' },
    sending: { title: stateWords.unknown, detail: 'لا تكرّر العملية' },
    unknown: { title: stateWords.unknown, detail: 'لا تكرّر العملية' },
    accepted: { title: stateWords.applied, detail: 'خُصمت من البطاقة' },
    applied: { title: stateWords.applied, detail: 'خُصمت من البطاقة' },
    refused: { title: 'لم تتم', detail: 'لم يُخصم شيء' },
    failed: { title: 'لم تتم', detail: 'لم يُخصم شيء' },
    cancelled: { title: 'لم تتم', detail: 'لم يُخصم شيء' },
    reversed: { title: stateWords.reversed, detail: 'أُعيد الرصيد إلى البطاقة' },
    written_off: { title: 'لم تتم', detail: 'أغلقها المدير' },
  },

  holds: {
    button: 'الحجز لطلب',
    act: (value) => `حجز ${value}`,
    order: 'رقم الطلب',
    region: 'محجوز لطلبات',
    states: { asking: 'قيد التحقق', reserved: 'محجوز', closing: 'قيد التحقق', expired: 'انتهت مدته' },
    closing: { commit: 'يُخصم الآن', release: 'يُلغى الحجز الآن' },
    after: {
      queued: { title: stateWords.unknown, detail: 'لا تكرّر العملية' },
      sending: { title: stateWords.unknown, detail: 'لا تكرّر العملية' },
      unknown: { title: stateWords.unknown, detail: 'لا تكرّر العملية' },
      accepted: { title: 'محجوز', detail: 'محجوز للطلب' },
      applied: { title: 'محجوز', detail: 'محجوز للطلب' },
      refused: { title: 'لم يُحجز', detail: 'لم يُحجز شيء' },
      failed: { title: 'لم يُحجز', detail: 'لم يُحجز شيء' },
      cancelled: { title: 'لم يُحجز', detail: 'لم يُحجز شيء' },
      reversed: { title: stateWords.reversed, detail: 'لا شيء محجوز' },
      written_off: { title: 'لم يُحجز', detail: 'أغلقها المدير' },
    },
    notSent: {
      making: 'لم يُحجز شيء. حاول من جديد أو خذ المبلغ كاملًا.',
      ending: 'الحجز كما كان. حاول من جديد عند عودة الاتصال.',
    },
    actions: {
      commit: 'دُفع الطلب',
      release: 'إلغاء الحجز',
      again: 'الحجز من جديد',
      drop: 'إزالة',
      ask: 'التحقق من جديد',
      giveUp: 'إيقاف التحقق',
    },
  },
};
