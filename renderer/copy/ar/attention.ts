import type { AttentionWords } from '../en/attention.ts';
import { countIn } from '../plural.ts';

const count = countIn('ar');

const operations = (value: number, written: string): string =>
  count(value, written, {
    one: 'عملية واحدة',
    two: 'عمليتان',
    few: '# عمليات',
    many: '# عملية',
    other: '# عملية',
  });

/** After a verbal noun: two of them stand in another case. */
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
  emptyNext: 'تظهر هنا العمليات التي رفضتها الخدمة حتى يُتخذ قرار بشأنها، والتي طال عدم معرفة نتيجتها.',
  failedTitle: 'تعذّرت قراءة القائمة',
  again: 'إعادة المحاولة',
  actions: {
    resend: 'إعادة الإرسال',
    ask: 'سؤال الخدمة الآن',
    replace: 'إرسال من جديد',
    write_off: 'شطب',
    correct: 'تصحيح',
    choose_card: 'اختيار البطاقة',
    keep: 'الإبقاء عليها',
    take_back: 'استرجاعها',
  },
  explained: {
    resend: 'تُرسل كما هي. افعل ذلك بعد إصلاح السبب لدى الخدمة.',
    ask: 'تُسأل الخدمة هل وصلتها. إن لم تصل تُرسل مرة أخرى كما هي.',
    replace: 'تُرسل كعملية جديدة بمرجع جديد.',
    write_off: 'تُشطب، ولا يحصل العميل على شيء منها.',
    correct: 'تُرسل مرة أخرى بالمرجع نفسه، مع ما تغيّره هنا.',
    keep: 'تبقى كما هي لدى الخدمة وتُعدّ منفّذة. لا تُدخلها مرة أخرى.',
    take_back: 'تُعكس لدى الخدمة. افعل ذلك إذا أُدخلت مرة ثانية أو دُفع المبلغ كاملًا.',
  },
  reason: 'السبب',
  reasonNote: 'يُحفظ في السجل.',
  reasonMissing: 'أدخل السبب.',
  pin: 'رمز المدير',

  mend: {
    customer_not_found: 'لا تعرف الخدمة هذه البطاقة. سجّلها هناك ثم أعد الإرسال، أو اشطب العملية.',
    card_not_eligible: 'هذه البطاقة لا تقبل العملية. اختر بطاقة أخرى للعميل إن وُجدت، أو اشطب العملية.',
    card_choice_needed: 'لا تعرف الخدمة أي بطاقة هي المقصودة. اخترها لكل عملية.',
    currency_mismatch: 'عملة البطاقة مختلفة. اختر بطاقة أخرى للعميل إن وُجدت، أو اشطب العملية.',
    outside_window: 'وصلت إلى الخدمة متأخرة. اطلب من مزوّد الولاء قبولها ثم أعد إرسالها.',
    mechanics_unknown: 'لا تعرف الخدمة نظام هذه البطاقة. أعد الإرسال بعد أن يُعدّه مزوّد الولاء.',
    reference_taken: 'رقم الإيصال مستخدم لعملية أخرى لدى الخدمة. اشطبها وسجّل البيع من جديد.',
    changed_on_disk: 'قارنها بالإيصال، ثم أعد إرسالها كما هي أو اشطبها.',
    insufficient_balance: 'لم يكن رصيد البطاقة كافيًا. اشطبها بعد أن يسوّيها المتجر.',
    coupon_used: 'استُخدمت القسيمة من قبل. اشطبها بعد أن يسوّيها المتجر.',
    invalid: 'لم تقبل الخدمة ما أُرسل. صحّحه أو اتصل بالدعم الفني.',
    other: 'انظر إلى المراحل في السجل، أو اتصل بالدعم الفني.',
  },
  unknownTitle: 'النتيجة غير معروفة بعد',
  unknown: 'ضاع الرد. يسأل الصندوق تلقائيًا حتى يعرف؛ وبلا اتصال لا يلزم فعل شيء.',
  found: {
    stands: {
      title: 'قائمة لدى الخدمة رغم ذلك',
      mend: 'وصلت متأخرة بعد أن أظهرتها نقطة البيع غير منفّذة. أبقِ كلًّا منها أو استرجعها.',
    },
    earlier_version: {
      title: 'قائمة لدى الخدمة كما كانت قبل التصحيح',
      mend: 'ما أُرسل أولًا وصل متأخرًا وهو المعتمد. أبقِ كلًّا منها كذلك، أو استرجعها وسجّل البيع من جديد.',
    },
  },
  notAppliedTitle: 'لم تُضفها الخدمة',
  notApplied: 'استلمتها الخدمة ثم تعذّرت إضافتها. أرسلها من جديد أو اشطبها.',

  chooseAll: (written) => `الكل (${written})`,
  choose: (what) => `اختيار \u2068${what}\u2069`,
  showMore: (written) => `عرض ${written} أخرى`,
  someUnread: (written) => `تُعرض أقدم ${written} عملية، ويظهر غيرها كلما اتُّخذ قرار.`,
  bulk: {
    resend: (value, written) => `إعادة إرسال ${ofOperations(value, written)}`,
    replace: (value, written) => `إرسال ${ofOperations(value, written)} من جديد`,
    explained: {
      resend: 'تُرسل كما هي. افعل ذلك بعد إصلاح السبب لدى الخدمة.',
      replace: 'تُرسل كل منها كعملية جديدة بمرجع جديد.',
    },
    underWay: (done, of) => `${done} من ${of}`,
    stop: 'إيقاف',
    stopping: 'جارٍ الإيقاف',
    stopNote: 'إذا أوقفت الإرسال يبقى الباقي كما هو.',
    doneTitle: (value, written) => `${operations(value, written)} في الطريق`,
    doneNext: 'ما يُرفض مرة أخرى يعود إلى الظهور هنا.',
    notDone: (value, written) => `تعذّر إرسال ${ofOperations(value, written)}`,
    notDoneNext: 'تغيّرت حالتها في هذه الأثناء، أو لا يمكن إرسالها الآن. تبقى في القائمة.',
    left: (value, written) => `بقيت ${operations(value, written)}`,
    close: 'تم',
  },

  correct: {
    title: 'تصحيح وإعادة إرسال',
    value: { money: 'المبلغ', points: 'النقاط', stamps: 'الأختام', visits: 'الزيارات' },
    wasValue: (value) => `كانت القيمة \u2068${value}\u2069`,
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
      customer_not_found: { title: 'لا تعرف الخدمة هذا العميل', next: 'سجّل البطاقة هناك ثم أعد المحاولة.' },
      refused: { title: 'لم تُظهر الخدمة البطاقات', next: 'أعد المحاولة أو اتصل بالدعم الفني.' },
      other: { title: 'تعذّرت قراءة البطاقات الآن', next: 'أعد المحاولة.' },
    },
    lookAgain: 'إعادة المحاولة',
    cardMissing: 'اختر البطاقة.',
    nothingChanged: 'اختر بطاقة أخرى أو غيّر القيمة.',
    confirm: 'إعادة الإرسال',
  },
};
