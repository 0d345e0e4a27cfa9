import { connectionWords as glossary } from '../../../shared/till/state-words.ts';
import { apart } from '../direction.ts';
import type { Words } from '../en/start.ts';
import { countIn, type PluralForms } from '../plural.ts';
import { notices } from './notices.ts';
import { outcomes } from './outcomes.ts';

const count = countIn('ar');
const connectionWords = glossary.ar;

const points: PluralForms = {
  zero: '# نقطة',
  one: 'نقطة واحدة',
  two: 'نقطتان',
  few: '# نقاط',
  many: '# نقطة',
  other: '# نقطة',
};
const stamps: PluralForms = {
  zero: '# ختم',
  one: 'ختم واحد',
  two: 'ختمان',
  few: '# أختام',
  many: '# ختمًا',
  other: '# ختم',
};
const visits: PluralForms = {
  zero: '# زيارة',
  one: 'زيارة واحدة',
  two: 'زيارتان',
  few: '# زيارات',
  many: '# زيارة',
  other: '# زيارة',
};
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
  product: 'Tillbridge',
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
    menu: 'الشاشات',
    back: 'العودة إلى البيع',
    sandbox: 'SANDBOX',
    sandboxDetail: 'وضع التدريب: للتجربة فقط، ولا شيء هنا يصل إلى عملاء حقيقيين.',
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
    justNow: 'الآن',
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
    hint: 'امسح بطاقتك الوظيفية، أو اكتب رقمها.',
    signIn: 'تسجيل الدخول',
    signOut: (name) => `تسجيل خروج ${apart(name)}`,
  },

  ...notices,

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
    submit: 'بحث',
    clear: 'مسح',
    keypad: 'لوحة المفاتيح',
    enroll: 'تسجيل عميل',
    takenFor: 'نوع المُدخل',
    kinds: { card: 'بطاقة', phone: 'هاتف', email: 'بريد' },
    ready: 'جاهز للمسح',
    unclear: 'ليس رقم بطاقة ولا هاتفًا ولا بريدًا',
    unclearNext: 'تحقّق مما كُتب، أو حدّد نوعه: بطاقة أو هاتف أو بريد.',
    notACard: (code) => `${apart(code)} ليس بطاقة ولاء. امسح بطاقة العميل.`,
  },

  customer: {
    region: 'العميل',
    nameless: 'عميل',
    verified: 'موثّق',
    notVerified: 'غير موثّق',
    asOf: (relative, exact) => `الأرصدة ${relative} · ${exact}`,
    kept: (relative) => `بيانات محفوظة على هذا الصندوق ${relative}`,
    keptNext: (exact) => `الأرصدة حتى ${exact}، وربما تغيّرت منذ ذلك الحين.`,
    cards: 'البطاقات',
    noCards: 'لا توجد بطاقة بعد',
    noCardsNext: 'لا يملك هذا العميل أي بطاقة ولاء.',
    searching: 'جارٍ البحث عن العميل',
    emptyTitle: 'امسح بطاقة للبدء',
    emptyNext: 'سيظهر هنا اسم العميل وبطاقاته ومكافآته.',
    emptySandbox: 'وضع التدريب: امسح بطاقة تجريبية أو اكتب رقمها.',
    practice: 'وضع التدريب: جرّب بطاقة عميل تجريبي.',
    next: 'العميل التالي',
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
    failed: 'تعذّر البحث عن العميل',
    failedNext: 'أعد المحاولة أو امسح البطاقة.',
    failedCardNext: 'أعد المحاولة أو أضف الرصيد برقم البطاقة.',
    earnByCard: 'إضافة برقم البطاقة',
    again: 'إعادة المحاولة',
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
  balanceUnits: {
    cashback: () => 'رصيد نقدي',
    points: (value) => count(value, '', { two: 'نقطة', few: 'نقاط', other: 'نقطة' }),
    stamps: (value) => count(value, '', { few: 'أختام', many: 'ختمًا', other: 'ختم' }),
    visits: (value) => count(value, '', { few: 'زيارات', other: 'زيارة' }),
    rewards: (value) => count(value, '', { few: 'مكافآت', other: 'مكافأة' }),
  },
  amounts: {
    cashback: (_value, written) => `${apart(written)} رصيد نقدي`,
    points: (value, written) => count(value, written, points),
    stamps: (value, written) => count(value, written, stamps),
    visits: (value, written) => count(value, written, visits),
    rewards: (value, written) => count(value, written, rewards),
  },
  stampsOf: (have, goal) => `${have} من ${goal} أختام`,
  ofStamps: (goal) => `من ${goal} أختام`,
  noBalance: 'لا رصيد',

  operations: {
    group: 'العمليات',
    emptyTitle: 'لا يوجد عميل بعد',
    emptyNext: 'تظهر هنا عمليات بطاقة العميل.',
    none: 'لا توجد عملية متاحة لهذه البطاقة الآن.',
    names: {
      earn_amount: 'إضافة عن الشراء',
      earn_points: 'إضافة نقاط',
      earn_stamp: 'إضافة أختام',
      earn_visit: 'إضافة زيارة',
      redeem_amount: 'استخدام الرصيد النقدي',
      redeem_points: 'استخدام النقاط',
      redeem_stamp: 'استخدام الأختام',
      redeem_visit: 'استخدام زيارة',
      redeem_reward: 'منح مكافأة',
      redeem_coupon: 'استخدام القسيمة',
    },
    unavailable: {
      needs_connection: 'يحتاج إلى اتصال',
      checking: 'جارٍ التحقق، لا تكرّر العملية',
      unknown_operation: 'يحتاج إلى إصدار أحدث',
    },
  },

  entry: {
    labels: { money: 'المبلغ', points: 'النقاط', stamps: 'الأختام', visits: 'الزيارات' },
    receipt: 'رقم الإيصال',
    receiptHint: 'اختياري، ويُنشأ تلقائيًا إن تُرك فارغًا.',
    confirm: 'تأكيد',
    cancel: 'إلغاء',
    change: 'تعديل',
    saving: 'جارٍ الحفظ',
    asking: 'لحظة واحدة',
    useAll: 'استخدام الكل',
    after: (balance) => `يتبقى ${apart(balance)}`,
    onlyOnCard: (balance) => `على البطاقة ${apart(balance)} فقط`,
    rewards: 'المكافأة',
    couponCode: 'رمز القسيمة',
    couponHint: 'رمز هذه البطاقة نفسها، ويمكن مسح قسيمة أخرى.',
    once: 'تُعطى مرة واحدة ولا يمكن التراجع عنها.',
    keypad: 'لوحة الأرقام',
    pin: 'رمز المدير',
    upTo: (limit) => `حتى ${apart(limit)}`,
    problems: {
      empty: 'أدخل القيمة.',
      not_a_number: 'هذا ليس رقمًا. استخدم الأرقام وفاصلة عشرية واحدة.',
      too_many_decimals: 'الخانات العشرية أكثر من اللازم.',
      negative: 'يجب أن تكون القيمة أكبر من صفر.',
      zero: 'يجب أن تكون القيمة أكبر من صفر.',
      too_large: 'هذه القيمة كبيرة جدًا.',
      unknown_currency: 'هذه العملة غير معروفة. اتصل بالدعم الفني.',
      above_limit: 'أعلى من حدّ هذا الصندوق.',
      whole_number_only: 'أعداد صحيحة فقط.',
      choose_reward: 'اختر المكافأة.',
      no_code: 'امسح الرمز أو أدخله.',
      above_balance: 'أكثر مما على البطاقة.',
    },
    tooManyDecimals: (decimals) => `الحد الأقصى ${decimals} خانات عشرية.`,
    aboveLimit: (limit) => `حدّ هذا الصندوق ${apart(limit)}.`,
    receiptTooLong: 'الحد الأقصى ٢٥٥ حرفًا.',
    large: (amount) => ({ title: `${apart(amount)}: هل هذا صحيح؟`, next: 'المبلغ أكبر من المعتاد. اضغط تأكيد لحفظه.' }),
    repeat: (amount) => ({
      title: `${apart(amount)} مرة أخرى؟`,
      next: 'العميل نفسه والقيمة نفسها خلال ١٠ دقائق. أكّد عملية جديدة فقط.',
    }),
    scanWaits: 'مُسحت بطاقة أخرى. أكمل هذه العملية أولًا أو ألغها.',
    scanWaitsFor: (who) => `هذه العملية لـ ${apart(who)}. البطاقة الممسوحة تنتظر.`,
    passed: (amount, who, state) => `${apart(amount)} لـ ${apart(who)}: ${state}`,
    notTaken: {
      nobody: (amount) => `لم تُسجَّل ${apart(amount)}: لم يُعثر على العميل.`,
      cannot_earn: (amount) => `لم تُسجَّل ${apart(amount)}: هذه البطاقة لا تكسب شيئًا.`,
    },
    scanSwitch: 'الانتقال إلى تلك البطاقة',
  },

  keys: {
    erase: 'حذف',
    space: 'مسافة',
    shift: 'حروف كبيرة',
    toLetters: 'حروف',
    toDigits: 'أرقام',
    toArabic: 'حروف عربية',
    toLatin: 'حروف لاتينية',
  },

  errors: {
    invalid: { title: 'لم يُقبل المُدخل', next: 'تحقّق مما أدخلته.' },
    customer_not_found: { title: 'لا يوجد عميل بهذه البيانات', next: 'تحقّق من الرقم مع العميل.' },
    offline: { title: 'لا يوجد اتصال', next: 'أعد المحاولة عند عودة الاتصال.' },
    refused: { title: 'رفضت خدمة الولاء الطلب', next: 'تحقّق مما أدخلته أو اتصل بالدعم الفني.' },
    reference_taken: { title: 'رقم الإيصال مستخدم لعملية أخرى', next: 'تحقّق من رقم الإيصال أو اتركه فارغًا.' },
    looks_like_a_repeat: { title: 'تبدو العملية مكررة', next: 'أكّد فقط إن كانت عملية جديدة.' },
    looks_large: { title: 'هذا مبلغ كبير', next: 'راجعه مع العميل ثم أكّده مجددًا.' },
    above_limit: { title: 'أعلى من حدّ هذا الصندوق', next: 'أدخل مبلغًا أصغر أو اتصل بالمدير.' },
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
    people_changed: { title: 'لا يمكن لأي مدير تأكيد ذلك', next: 'اتصل بالدعم الفني: تغيّرت قائمة العاملين.' },
    sign_in_needed: { title: 'يجب تسجيل الدخول أولاً', next: 'سجّل الدخول ببطاقتك الوظيفية ثم حاول مرة أخرى.' },
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
      next: 'اضغط تأكيد مرة أخرى. تُحتسب العملية مرة واحدة.',
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
    spent: (amount) => `استُخدم ${apart(amount)}`,
    undoing: {
      sale: {
        ask: (amount) => `التراجع عن عملية بقيمة ${apart(amount)}؟`,
        yes: 'التراجع عن العملية',
        underWay: 'جارٍ التراجع',
      },
      spend: { ask: (amount) => `إعادة ${apart(amount)} إلى البطاقة؟`, yes: 'إعادة', underWay: 'جارٍ الإعادة' },
    },
    undoNo: 'إبقاء',
    takesBack: (amount) => `تراجع عن ${apart(amount)}`,
    oneShot: 'تُعطى مرة واحدة ولا يمكن التراجع عنها',
    emptyTitle: 'لا توجد عمليات بعد',
    emptyNext: 'تظهر هنا آخر عمليات هذا الصندوق.',
    undo: 'تراجع',
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
