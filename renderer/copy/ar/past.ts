import { deedWords } from '../../../shared/words/ar.ts';
import { apart } from '../../../shared/words/direction.ts';
import type { WordsOf } from '../parts.ts';

/** The customer's own past and next step. */
export const words: WordsOf<'past'> = {
  title: 'آخر خمس عمليات',
  chooseCard: 'اختر البطاقة التي أبرزها العميل.',
  asOf: (when) => `حتى ${apart(when)}`,
  unknown: 'يحتاج إلى اتصال',
  nothing: 'لا شيء مسجّل بعد',
  firstVisit: 'أول زيارة',
  firstStep: (step) => `أول زيارة: ${step}`,
  lastVisit: (when) => `آخر زيارة ${when}`,
  balanceFrom: (when) => `الرصيد حتى ${apart(when)}`,
  onTheWay: (value) => `+ ${apart(value)} في الطريق`,
  undoNotSent: {
    title: 'لم تُسترجع العملية: تعذّر الوصول إلى الخدمة',
    next: 'لم يتغيّر شيء. أعد المحاولة عند عودة الاتصال.',
  },
  undoUnanswered: 'ربما استُرجعت العملية بالفعل. اضغط مرة أخرى: تُسترجع مرة واحدة فقط.',
  toNext: deedWords.toNext,
  toNamed: deedWords.toNamed,
  readyWhenBack: (rewards) => `${rewards} عند عودة الاتصال`,
  nobody: {
    missing: {
      card: 'لا يوجد عميل بهذه البطاقة',
      phone: 'لا يوجد عميل بهذا الهاتف',
      email: 'لا يوجد عميل بهذا البريد',
    },
    missingNext: 'تحقّق من البيانات مع العميل، أو سجّله الآن.',
    missingCardNext: 'تحقّق من الرقم. سجّل العميل أو أضف الرصيد برقم البطاقة وحده.',
    offline: {
      card: 'هذه البطاقة غير محفوظة على هذا الصندوق',
      phone: 'البحث برقم الهاتف يحتاج إلى اتصال',
      email: 'البحث بالبريد يحتاج إلى اتصال',
    },
    offlineNext: 'امسح بطاقة العميل بدلًا من ذلك.',
    offlineCardNext: 'أضف الرصيد برقم البطاقة، ويرسله Tillbridge لاحقًا.',
    another: 'ردّت الخدمة ببيانات عميل آخر',
    anotherNext: 'سأل Tillbridge مرتين ولم يُختر أحد. أعد المحاولة.',
    failed: 'تعذّر البحث عن العميل',
    failedNext: 'أعد المحاولة أو امسح البطاقة.',
    failedCardNext: 'أعد المحاولة أو أضف الرصيد برقم البطاقة.',
    earnByCard: 'إضافة برقم البطاقة',
    again: 'إعادة المحاولة',
  },
  passed: {
    line: (amount, who, state) => `${apart(amount)} لـ ${apart(who)}: ${state}`,
    notTaken: {
      nobody: (amount) => `لم تُسجَّل ${apart(amount)}: لم يُعثر على العميل.`,
      cannot_earn: (amount) => `لم تُسجَّل ${apart(amount)}: هذه البطاقة لا تكسب شيئًا.`,
    },
    isFor: (who) => `هذه العملية لـ ${apart(who)}.`,
  },
  beside: {
    handedOver: (amount) => `من نقطة البيع: ${apart(amount)}`,
    use: 'استخدامه',
    gone: { title: 'لم يعد مبلغ نقطة البيع قائمًا', next: 'أرسله من نقطة البيع مجددًا، أو اكتب المبلغ.' },
    checkedIn: (phone) => `سُجّل حضور ${apart(phone)}`,
    show: 'عرض العميل',
    balanceHidden: 'سُجّل الحضور. شاشة العميل تخفي الرصيد.',
    showBalance: 'إظهار الرصيد',
  },
  otherNumberReason: 'رقم الإيصال مستخدم من قبل، فأُدخل رقم آخر عند الصندوق',
  heldFor: (minutes, order) => `${minutes} دقيقة، الطلب ${order}`,
  decide: {
    title: 'لا رد بعد',
    why: 'اختر ما تفعله الآن. يواصل Tillbridge سؤال الخدمة.',
    takeFullPayment: 'خذ المبلغ كاملًا',
    takeFullPaymentNext: 'يُعاد ما قد تكون الخدمة خصمته.',
    giveIt: 'أعطِها',
    giveItNext: 'يخصم Tillbridge القيمة عند عودة الاتصال.',
    chosen: { take_full_payment: 'خذ المبلغ كاملًا', give_it: 'أُعطيت للعميل' },
    chosenNext: {
      take_full_payment: 'يدفع العميل المبلغ كاملًا، وتُصحَّح البطاقة.',
      give_it: 'يخصم Tillbridge القيمة عند عودة الاتصال.',
    },
  },
};
