import { apart } from '../../../shared/words/direction.ts';
import { countIn } from '../../../shared/words/plural.ts';
import type { AttentionWords } from '../en/attention.ts';

const count = countIn('ar');

const operations = (value: number, written: string): string =>
  count(value, written, {
    one: 'عملية واحدة',
    two: 'عمليتان',
    few: '# عمليات',
    many: '# عملية',
    other: '# عملية',
  });

/** After a verbal noun the dual has another grammatical case. */
const ofOperations = (value: number, written: string): string =>
  count(value, written, {
    one: 'عملية واحدة',
    two: 'عمليتين',
    few: '# عمليات',
    many: '# عملية',
    other: '# عملية',
  });

export const words: AttentionWords = {
  emptyTitle: 'لا شيء يحتاج إلى متابعة',
  emptyNext: 'تظهر هنا العمليات المرفوضة والفاشلة حتى يُتخذ قرار بشأنها.',
  failedTitle: 'تعذّرت قراءة القائمة',
  again: 'إعادة المحاولة',
  actions: {
    resend: 'إعادة المحاولة',
    ask: 'التحقق الآن',
    replace: 'إرسال كعملية جديدة',
    write_off: 'شطب',
    correct: 'تصحيح',
    choose_card: 'اختيار البطاقة',
    keep: 'الإبقاء عليها',
    take_back: 'استرجاعها',
  },
  explained: {
    resend: 'أعد المحاولة بعد حل المشكلة لدى الخدمة. تُرسل كما هي.',
    ask: 'يسأل Tillbridge الخدمة عن العملية، ويرسلها مرة أخرى إن لم تصل.',
    replace: 'يرسل Tillbridge عملية جديدة بمرجع جديد.',
    write_off: 'لا تُرسل أبدًا، ولا يحصل العميل على شيء منها.',
    correct: 'يرسل Tillbridge تعديلك بالمرجع نفسه.',
    keep: 'العملية لدى الخدمة. لا تُدخلها مرة أخرى.',
    take_back: 'استرجع عملية أُدخلت مرتين أو دُفع مبلغها كاملًا.',
  },
  reason: 'السبب',
  reasonNote: 'يُحفظ في السجل.',
  reasonMissing: 'أدخل السبب.',
  pin: 'رمز المدير',

  mend: {
    customer_not_found: 'سجّل العميل لدى الخدمة ثم أعد المحاولة، أو اشطب العملية.',
    card_not_eligible: 'هذه البطاقة لا تقبل العملية. استخدم بطاقة أخرى للعميل إن وُجدت، أو اشطب العملية.',
    card_choice_needed: 'لا تعرف الخدمة أي بطاقة هي المقصودة. اخترها لكل عملية.',
    currency_mismatch: 'عملة البطاقة مختلفة. استخدم بطاقة أخرى للعميل إن وُجدت، أو اشطب العملية.',
    outside_window:
      'فات موعد الإرسال، أو كان تاريخ الصندوق خاطئًا: عندها اتصل بالدعم الفني. وإلا فاطلب من مزوّد خدمة الولاء قبولها ثم أعد المحاولة.',
    mechanics_unknown: 'لا تعرف الخدمة هذا النوع من البطاقات. اتصل بمزوّد خدمة الولاء ثم أعد المحاولة.',
    reference_taken: 'أرسل العملية برقم آخر.',
    key_taken: 'أرسلها كعملية جديدة، واتصل بالدعم الفني: لكل عملية مفتاحها.',
    changed_on_disk: 'قارنها بالإيصال، ثم أعد المحاولة أو اشطبها.',
    insufficient_balance: 'لم يكفِ رصيد البطاقة. سوِّ الأمر مع العميل ثم اشطبها.',
    coupon_used: 'استُخدمت القسيمة من قبل. سوِّ الأمر مع العميل ثم اشطبها.',
    hold_expired: 'انتهت مدة الحجز. سوِّ الأمر مع العميل ثم اشطبها.',
    hold_over: 'انتهى الحجز. سوِّ الأمر مع العميل ثم اشطبها.',
    paid_in_full: 'اختير دفع المبلغ كاملًا من قبل. سوِّ الأمر مع العميل ثم اشطبها.',
    invalid: 'لم تقبل الخدمة القيم. صحّح المبلغ أو اتصل بالدعم الفني.',
    other: 'انظر إلى المراحل في السجل، أو اتصل بالدعم الفني.',
  },
  unknownTitle: 'النتيجة غير معروفة بعد',
  unknown: 'ضاع الرد. يسأل Tillbridge الخدمة من جديد عند الاتصال. انتظر.',
  found: {
    stands: {
      title: 'وصلت إلى الخدمة متأخرة',
      mend: 'أظهرها الصندوق غير مكتملة. قد تكون لصندوق آخر: اسأل هناك أولًا.',
    },
    earlier_version: {
      title: 'وصلت إلى الخدمة دون التصحيح',
      mend: 'وصلت العملية غير المصحّحة. أبقِها، أو استرجعها وأدخل البيع من جديد.',
    },
  },
  notAppliedTitle: 'لم تنجح لدى الخدمة',
  notApplied: 'قبلتها الخدمة ثم تعذّر إكمالها. أرسلها كعملية جديدة أو اشطبها.',

  chooseAll: (written) => `الكل (${written})`,
  choose: (what) => `اختيار ${apart(what)}`,
  showMore: (written) => `عرض ${written} أخرى`,
  someUnread: (written) => `تُعرض أقدم ${written} عملية، ويظهر غيرها كلما اتُّخذ قرار.`,
  bulk: {
    resend: (value, written) => `إعادة محاولة ${ofOperations(value, written)}`,
    replace: (value, written) => `إرسال ${ofOperations(value, written)} بمرجع جديد`,
    explained: {
      resend: 'أعد المحاولة بعد حل المشكلة لدى الخدمة. تُرسل كما هي.',
      replace: 'تُرسل كل منها كعملية جديدة بمرجع جديد.',
    },
    underWay: (done, of) => `${done} من ${of}`,
    stop: 'إيقاف',
    stopping: 'جارٍ الإيقاف',
    stopNote: 'إذا أوقفت الإرسال يبقى الباقي كما هو.',
    doneTitle: (value, written) => `${operations(value, written)} في انتظار الإرسال`,
    doneNext: 'ما يُرفض مرة أخرى يعود إلى الظهور هنا.',
    notDone: (value, written) => `تعذّر إرسال ${ofOperations(value, written)}`,
    notDoneNext: 'تغيّرت حالتها، أو لا يمكن إرسالها الآن.',
    left: (value, written) => `${operations(value, written)} لم تُرسل`,
    close: 'تم',
  },

  correct: {
    title: 'تصحيح وإعادة المحاولة',
    value: { money: 'المبلغ', points: 'النقاط', stamps: 'الأختام', visits: 'الزيارات' },
    wasValue: (value) => `كانت القيمة ${apart(value)}`,
    cards: 'البطاقة',
    reading: 'جارٍ سؤال الخدمة عن بطاقات العميل',
    none: 'لا تقبل أي من بطاقات العميل هذه العملية',
    noneNext: 'اشطبها، أو أصدر بطاقة للعميل ثم أعد المحاولة.',
    others: (value, written) =>
      count(value, written, {
        one: 'بطاقة أخرى لا تقبلها',
        two: 'بطاقتان أخريان لا تقبلانها',
        few: '# بطاقات أخرى لا تقبلها',
        many: '# بطاقة أخرى لا تقبلها',
        other: '# بطاقة أخرى لا تقبلها',
      }),
    unread: {
      offline: { title: 'تعذّرت قراءة البطاقات الآن', next: 'لا يوجد اتصال. أعد المحاولة عند عودته.' },
      customer_not_found: {
        title: 'لا تعرف الخدمة هذا العميل',
        next: 'سجّل العميل لدى الخدمة ثم أعد المحاولة.',
      },
      refused: { title: 'لم تُظهر الخدمة البطاقات', next: 'أعد المحاولة أو اتصل بالدعم الفني.' },
      other: { title: 'تعذّرت قراءة البطاقات الآن', next: 'أعد المحاولة.' },
    },
    lookAgain: 'إعادة المحاولة',
    cardMissing: 'اختر البطاقة.',
    nothingChanged: 'اختر بطاقة أخرى أو غيّر القيمة.',
    confirm: 'إعادة المحاولة',
  },
};
