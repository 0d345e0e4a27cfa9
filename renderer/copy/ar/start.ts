import { connectionWords as glossary } from '../../../shared/till/state-words.ts';
import { deedWords } from '../../../shared/words/ar.ts';
import { apart } from '../../../shared/words/direction.ts';
import { countIn, type PluralForms } from '../../../shared/words/plural.ts';
import type { Words } from '../en/start.ts';
import { entryWords } from './entry-words.ts';
import { outcomes } from './outcomes.ts';

const count = countIn('ar');
const connectionWords = glossary.ar;

const waits: PluralForms = { one: 'دقيقة', two: 'دقيقتين', few: '# دقائق', other: '# دقيقة' };
const rewards: PluralForms = {
  zero: 'لا مكافآت جاهزة',
  one: 'مكافأة واحدة جاهزة',
  two: 'مكافأتان جاهزتان',
  few: '# مكافآت جاهزة',
  many: '# مكافأة جاهزة',
  other: '# مكافأة جاهزة',
};

export const words: Words = {
  otherLanguage: (language) => `التبديل إلى ${language}`,

  screens: {
    sale: 'البيع',
    activity: 'السجل',
    attention: 'تحتاج إلى متابعة',
    'day-close': 'إقفال اليوم',
    settings: 'الإعدادات',
    diagnostics: 'التشخيص',
    lab: 'مختبر التدريب',
  },

  frame: {
    more: 'المزيد',
    help: 'المساعدة والمفاتيح',
    practiceShift: 'وردية تدريب',
    menu: 'الشاشات',
    back: 'العودة إلى البيع',
    sandbox: 'تدريب',
    sandboxDetail: 'للتجربة فقط، ولا شيء هنا يصل إلى عملاء حقيقيين.',
    connection: 'الاتصال',
    reconnecting: 'جارٍ الاتصال بـ Tillbridge',
    reconnectingNext: 'انتظر لحظة',
    gone: {
      title: 'جارٍ الاتصال بـ Tillbridge',
      next: 'لا يمكن حفظ أي عملية حتى يعود Tillbridge. احتفظ بالإيصالات.',
    },
    starting: 'جارٍ البدء',
    waiting: (value, written) =>
      count(value, written, { one: 'عملية في الانتظار', two: 'عمليتان في الانتظار', other: '# في الانتظار' }),
    attention: (value, written) =>
      count(value, written, {
        one: 'عملية تحتاج إلى متابعة',
        two: 'عمليتان تحتاجان إلى متابعة',
        other: '# تحتاج إلى متابعة',
      }),
    oldest: (age, window) => `الأقدم ${age} من ${window}`,
    nearlyTooOld: 'اتصل بالدعم الفني. العمليات محفوظة.',
    underMinute: 'أقل من دقيقة',
    minutes: (value, written) => count(value, written, waits),
    hours: (value, written) => count(value, written, { one: 'ساعة', two: 'ساعتين', few: '# ساعات', other: '# ساعة' }),
    held: 'العمليات تنتظر: رُفض كثير منها',
    queue: 'قائمة الانتظار',
    notices: 'تنبيهات',
    time: 'الوقت',
    theme: 'المظهر',
    themes: { system: 'حسب النظام', light: 'فاتح', dark: 'داكن' },
  },

  cashier: {
    title: 'من يبيع الآن؟',
    badge: 'البطاقة الوظيفية',
    hint: 'أو اكتب رقم بطاقتك الوظيفية.',
    scan: 'امسح بطاقتك الوظيفية',
    scanOrName: 'امسح بطاقتك الوظيفية، أو اضغط على اسمك',
    names: 'أمناء الصندوق الذين لديهم رقم سري',
    pinOf: (name) => `الرقم السري لـ ${apart(name)}`,
    pinHint: 'من ٤ إلى ١٢ رقمًا',
    pinKeys: 'مفاتيح الرقم السري',
    back: 'رجوع',
    sellsNow: (name) => `${apart(name)} على الصندوق الآن`,
    signIn: 'تسجيل الدخول',
    signOut: (name) => `تسجيل خروج ${apart(name)}`,
    switch: 'تبديل أمين الصندوق',
    lock: 'قفل الشاشة',
    lockedTitle: 'الشاشة مقفلة',
    neededTitle: 'سجّل الدخول للبيع',
    waits: 'لم يضِع شيء، ويستمر إرسال العمليات المنتظرة.',
    tooSoon: 'أُقفلت الشاشة للتو. امسح البطاقة الوظيفية مرة أخرى.',
  },

  lab: {
    faults: {
      offline: 'لا يوجد اتصال',
      drop_request: 'الطلبات تضيع',
      drop_response: 'الردود تضيع',
      delay: 'اتصال بطيء',
      error: 'الخدمة ترد بأخطاء',
      partial_response: 'الردود تنقطع',
      malformed_response: 'الردود غير مفهومة',
    },
    manyFaults: (value, written) =>
      count(value, written, {
        two: 'عطلان مفعّلان',
        few: '# أعطال مفعّلة',
        many: '# عطلًا مفعّلًا',
        other: '# عطل مفعّل',
      }),
    held: 'الساعة متوقفة',
    ahead: (time) => `الساعة متقدمة ${time}`,
  },

  connection: {
    online: { title: () => connectionWords.online, next: 'تُرسل العمليات فورًا' },
    checking: { title: () => connectionWords.checking, next: 'واصل البيع' },
    offline: { title: (since) => `${connectionWords.offline} منذ ${since}`, next: 'واصل البيع. العمليات محفوظة.' },
    key_refused: { title: () => connectionWords.key_refused, next: 'اتصل بالدعم الفني. العمليات محفوظة.' },
    suspended: { title: () => connectionWords.suspended, next: 'اتصل بمزوّد خدمة الولاء. العمليات محفوظة.' },
    clock_wrong: { title: () => connectionWords.clock_wrong, next: 'اضبط التاريخ والوقت' },
  },

  find: {
    title: 'بحث',
    label: 'امسح أو اكتب رقم البطاقة أو الهاتف أو البريد الإلكتروني',
    placeholder: 'بطاقة أو هاتف أو بريد',
    submit: 'بحث',
    clear: 'مسح',
    keypad: 'لوحة المفاتيح',
    enroll: 'عميل جديد',
    takenFor: 'نوع المُدخل',
    kinds: { card: 'بطاقة', phone: 'هاتف', email: 'بريد' },
    unclear: 'ليس رقم بطاقة ولا هاتفًا ولا بريدًا',
    unclearNext: 'تحقّق مما كُتب، أو حدّد نوعه: بطاقة أو هاتف أو بريد.',
    notACard: (code) => `${apart(code)} ليس بطاقة ولاء. امسح بطاقة العميل.`,
  },

  customer: {
    region: 'العميل',
    nameless: 'عميل',
    verified: 'موثّق',
    notVerified: 'غير موثّق',
    cards: 'البطاقات',
    noCards: 'لا توجد بطاقة بعد',
    noCardsNext: 'لا يملك هذا العميل أي بطاقة ولاء.',
    searching: 'جارٍ البحث عن العميل',
    emptyTitle: 'امسح بطاقة للبدء',
    emptyNext: 'سيظهر هنا اسم العميل وبطاقاته ومكافآته.',
    emptySandbox: 'وضع التدريب: امسح بطاقة تجريبية أو اكتب رقمها.',
    practice: 'وضع التدريب: جرّب بطاقة عميل تجريبي.',
    next: 'العميل التالي',
    strangerCard: 'رقم البطاقة',
  },

  cardTypes: {
    Stamp: 'بطاقة أختام',
    Cashback: 'استرداد نقدي',
    Subscription: 'اشتراك',
    Coupon: 'قسيمة',
    Discount: 'خصم',
    Certificate: 'شهادة هدية',
    Membership: 'عضوية',
    Reward: 'مكافآت',
  },
  unknownCardType: 'بطاقة',
  balanceUnits: deedWords.units,
  amounts: {
    cashback: (_value, written) => `${apart(written)} رصيد نقدي`,
    ...deedWords.counts,
    rewards: (value, written) => count(value, written, rewards),
  },
  ofStamps: (goal, written) => `من ${deedWords.counts.stamps(goal, written)}`,
  noBalance: 'لا رصيد',

  operations: {
    group: 'العمليات',
    others: 'أخرى',
    emptyTitle: 'لا يوجد عميل بعد',
    emptyNext: 'تظهر هنا عمليات بطاقة العميل.',
    none: 'لا توجد عملية متاحة لهذه البطاقة الآن.',
    names: {
      earn_amount: 'إضافة عن الشراء',
      earn_points: 'إضافة نقاط',
      earn_stamp: 'إضافة أختام',
      earn_visit: 'إضافة زيارة',
      redeem_amount: 'صرف الرصيد النقدي',
      redeem_points: 'صرف النقاط',
      redeem_stamp: 'صرف الأختام',
      redeem_visit: 'صرف زيارة',
      redeem_reward: 'منح مكافأة',
      redeem_coupon: 'صرف القسيمة',
    },
    unavailable: {
      needs_connection: 'يحتاج إلى اتصال',
      checking: 'قيد التحقق، لا تكرّر العملية',
      unknown_operation: 'يحتاج إلى إصدار أحدث',
    },
  },

  ...entryWords,

  errors: {
    invalid: { title: 'لم يُقبل المُدخل', next: 'تحقّق مما أدخلته.' },
    customer_not_found: { title: 'لا يوجد عميل بهذه البيانات', next: 'تحقّق من الرقم مع العميل.' },
    offline: { title: 'لا يوجد اتصال', next: 'أعد المحاولة عند عودة الاتصال.' },
    refused: { title: 'رفضت خدمة الولاء الطلب', next: 'تحقّق مما أدخلته أو اتصل بالدعم الفني.' },
    reference_taken: { title: 'رقم الإيصال مستخدم لعملية أخرى', next: 'تحقّق من رقم الإيصال أو اتركه فارغًا.' },
    looks_like_a_repeat: { title: 'تبدو العملية مكررة', next: 'اضغط مجددًا فقط إن كانت عملية جديدة.' },
    looks_large: { title: 'هذا مبلغ كبير', next: 'راجعه مع العميل ثم اضغط مجددًا.' },
    above_limit: { title: 'أعلى من حدّ هذا الصندوق', next: 'أدخل مبلغًا أصغر.' },
    not_saved: {
      title: 'لم تُحفظ العملية',
      next: 'تعذّرت الكتابة على القرص. احتفظ بالإيصال واتصل بالدعم الفني.',
    },
    queue_full: {
      title: 'لم تُحفظ: عمليات كثيرة في الانتظار',
      next: 'احتفظ بالإيصال واتصل بالدعم الفني.',
    },
    cannot_cancel: { title: 'فات أوان التراجع', next: 'انظر إلى حالة العملية في آخر العمليات.' },
    not_sent: { title: 'لم تتم: تعذّر الوصول إلى الخدمة', next: 'لم يُخصم شيء. أعد المحاولة أو خذ المبلغ كاملًا.' },
    books_unread: { title: 'النتيجة غير معروفة بعد', next: 'لا تكرّر العملية. انظر مجددًا بعد قليل.' },
    irreversible: { title: 'لا يمكن التراجع عن هذه العملية', next: 'القسائم والمكافآت تُعطى مرة واحدة.' },
    not_now: { title: 'تغيّرت حالتها في هذه الأثناء', next: 'انظر إلى حالتها الآن.' },
    pin_needed: { title: 'يلزم تأكيد المدير', next: 'اطلب رمز المدير.' },
    pin_wrong: { title: 'الرمز غير صحيح', next: 'أدخله مرة أخرى.' },
    pin_locked: { title: 'محاولات خاطئة كثيرة', next: 'انتظر بضع دقائق ثم أدخل الرمز مرة أخرى.' },
    answered_for_another: { title: 'ردّت الخدمة ببيانات عميل آخر', next: 'أعد المحاولة.' },
    people_changed: { title: 'لا يمكن لأي مدير تأكيد ذلك', next: 'اتصل بالدعم الفني: تغيّرت قائمة العاملين.' },
    people_unread: { title: 'لا يمكن لأي مدير تأكيد ذلك', next: 'اتصل بالدعم الفني: تعذّرت قراءة قائمة العاملين.' },
    sign_in_needed: {
      title: 'يجب تسجيل الدخول أولاً',
      next: 'سجّل الدخول ببطاقتك الوظيفية أو برقمك السري، ثم حاول مرة أخرى.',
    },
    locked: { title: 'الشاشة مقفلة', next: 'امسح بطاقتك الوظيفية أو أدخل رقمك السري، ثم حاول مرة أخرى.' },
    badge_locked: {
      title: 'بطاقات وظيفية غير معروفة كثيرة',
      next: 'انتظر بضع دقائق ثم امسح البطاقة مرة أخرى. المبيعات مستمرة.',
    },
    badge_unknown: { title: 'هذه البطاقة الوظيفية غير معروفة هنا', next: 'امسحها مرة أخرى أو اسأل المدير.' },
    operation_not_found: {
      title: 'هذه العملية ليست على هذا الصندوق',
      next: 'ابحث عنها في الصندوق الذي سجّلها.',
    },
    no_lab: { title: 'لا توجد بيئة تدريب هنا', next: 'هذا الصندوق متصل بخدمة أخرى.' },
    lab_refused: { title: 'لم تقبل بيئة التدريب ذلك', next: 'تحقّق مما أدخلته.' },
    agent_gone: {
      title: 'لا رد من Tillbridge',
      next: 'اضغط الزر مرة أخرى. تُحتسب العملية مرة واحدة.',
    },
  },
  waitThen: {
    pin_locked: (minutes, written) => `انتظر ${count(minutes, written, waits)} ثم أدخل الرمز مرة أخرى.`,
    badge_locked: (minutes, written) =>
      `انتظر ${count(minutes, written, waits)} ثم امسح البطاقة مرة أخرى. المبيعات مستمرة.`,
  },

  ...outcomes,

  recent: {
    region: 'آخر العمليات',
    all: 'الكل',
    checking: (what) => `قيد التحقق: ${apart(what)}`,
    tries: (value, written) =>
      count(value, written, { one: 'محاولة واحدة', two: 'محاولتان', few: '# محاولات', other: '# محاولة' }),
    undoing: {
      sale: {
        ask: (amount, who) =>
          who === null
            ? `التراجع عن عملية بقيمة ${apart(amount)}؟`
            : `التراجع عن عملية بقيمة ${apart(amount)} لـ ${apart(who)}؟`,
        yes: () => 'التراجع عن العملية',
        underWay: 'جارٍ التراجع',
      },
      earn: {
        ask: (amount, who) =>
          who === null ? `استرجاع ${apart(amount)}؟` : `استرجاع ${apart(amount)} من ${apart(who)}؟`,
        yes: (amount) => `استرجاع ${apart(amount)}`,
        underWay: 'جارٍ التراجع',
      },
      spend: {
        ask: (amount, who) => (who === null ? `إعادة ${apart(amount)}؟` : `إعادة ${apart(amount)} إلى ${apart(who)}؟`),
        yes: (amount) => `إعادة ${apart(amount)}`,
        underWay: 'جارٍ الإعادة',
      },
    },
    discountEnds: (money) => `يسقط خصم ${apart(money)}.`,
    undoNo: 'إبقاء',
    close: 'رجوع',
    emptyTitle: 'لا توجد عمليات بعد',
    emptyNext: 'تظهر هنا آخر عمليات هذا الصندوق.',
    undo: 'تراجع',
    did: deedWords.did,
    otherIntents: {
      redeem: 'مكافأة أو قسيمة',
      reverse: 'استرجاع',
      enroll: 'تسجيل عميل',
      verify: 'عميل جديد',
      reserve: 'حجز',
      commit: 'استخدام حجز',
      release: 'إلغاء حجز',
    },
  },
};
