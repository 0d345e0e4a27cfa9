import type { Words } from './en.ts';
import { type PluralForms, plural } from './plural.ts';

const count = (value: number, written: string, forms: PluralForms): string => plural('ar', value, written, forms);

/** Money has its currency in Latin letters: set apart, it does not turn the sentence around it. */
const apart = (money: string): string => `\u2068${money}\u2069`;

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
const rewards: PluralForms = {
  zero: 'لا مكافآت جاهزة',
  one: 'مكافأة واحدة جاهزة',
  two: 'مكافأتان جاهزتان',
  few: '# مكافآت جاهزة',
  many: '# مكافأة جاهزة',
  other: '# مكافأة جاهزة',
};

export const ar: Words = {
  product: 'Tillbridge',
  otherLanguage: 'English',
  otherLanguageHint: 'التبديل إلى الإنجليزية',

  frame: {
    saleScreen: 'البيع',
    sandbox: 'SANDBOX',
    sandboxDetail: 'وضع التدريب: للتجربة فقط، ولا شيء هنا يصل إلى عملاء حقيقيين.',
    connection: 'الاتصال',
    reconnecting: 'جارٍ الاتصال ببرنامج الصندوق',
    reconnectingNext: 'انتظر لحظة',
    gone: {
      title: 'جارٍ الاتصال ببرنامج الصندوق',
      next: 'لا يمكن حفظ أي عملية حتى يعود. تُعاد المحاولة تلقائيًا؛ احتفظ بالإيصالات حتى ذلك الحين.',
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
    oldest: (age, window) => `أقدمها منذ ${age} من ${window}`,
    justNow: 'الآن',
    underMinute: 'أقل من دقيقة',
    minutes: (value, written) =>
      count(value, written, { one: 'دقيقة', two: 'دقيقتين', few: '# دقائق', other: '# دقيقة' }),
    hours: (value, written) => count(value, written, { one: 'ساعة', two: 'ساعتين', few: '# ساعات', other: '# ساعة' }),
    queue: 'قائمة الانتظار',
    time: 'الوقت',
    theme: 'المظهر',
    themes: { system: 'حسب النظام', light: 'فاتح', dark: 'داكن' },
  },

  connection: {
    online: { title: () => 'متصل', next: 'تُرسل العمليات فورًا' },
    checking: { title: () => 'جارٍ التحقق', next: 'واصل البيع' },
    offline: { title: (since) => `غير متصل منذ ${since}`, next: 'واصل البيع؛ العمليات محفوظة' },
    key_refused: { title: () => 'المفتاح مرفوض', next: 'اتصل بالدعم الفني؛ العمليات محفوظة' },
    suspended: { title: () => 'الخدمة موقوفة', next: 'اتصل بالإدارة؛ العمليات محفوظة' },
    clock_wrong: { title: () => 'الساعة غير صحيحة', next: 'اضبط التاريخ والوقت' },
  },

  find: {
    title: 'بحث',
    label: 'امسح أو اكتب رقم البطاقة أو الهاتف أو البريد الإلكتروني',
    submit: 'بحث',
    clear: 'مسح',
    keypad: 'لوحة الأرقام',
    erase: 'حذف',
    takenFor: 'نوع المُدخل',
    kinds: { card: 'بطاقة', phone: 'هاتف', email: 'بريد' },
    ready: 'جاهز للمسح',
    unclear: 'هذا ليس رقم بطاقة ولا هاتفًا ولا بريدًا',
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
    emptySandbox: 'هذا وضع التدريب: امسح بطاقة عميل تجريبي أو اكتب رقمها.',
    practice: 'هذا وضع التدريب. جرّب بطاقة عميل تجريبي:',
    next: 'العميل التالي',
    missing: {
      card: 'لا يوجد عميل بهذه البطاقة',
      phone: 'لا يوجد عميل بهذا الهاتف',
      email: 'لا يوجد عميل بهذا البريد',
    },
    missingNext: 'تحقّق من الرقم مع العميل ثم أعد المحاولة.',
    missingCardNext: 'تحقّق من الرقم. ويمكنك أيضًا إضافة الرصيد برقم البطاقة وحده.',
    offline: {
      card: 'هذه البطاقة غير محفوظة على هذا الصندوق',
      phone: 'لا يمكن البحث برقم الهاتف دون اتصال',
      email: 'لا يمكن البحث بالبريد دون اتصال',
    },
    offlineNext: 'امسح بطاقة العميل بدلًا من ذلك.',
    offlineCardNext: 'يمكنك إضافة الرصيد برقم البطاقة، وسيُرسل عند عودة الاتصال.',
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
    emptyNext: 'يظهر هنا ما تتيحه بطاقته.',
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
      later_version: 'غير متاح على هذا الصندوق بعد',
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
    erase: 'حذف',
    keypad: 'لوحة الأرقام',
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
    },
    tooManyDecimals: (decimals) => `الحد الأقصى ${decimals} خانات عشرية.`,
    aboveLimit: (limit) => `حدّ هذا الصندوق ${apart(limit)}.`,
    receiptTooLong: 'الحد الأقصى ٢٥٥ حرفًا.',
    large: (amount) => ({ title: `${apart(amount)}: هل هذا صحيح؟`, next: 'المبلغ أكبر من المعتاد. اضغط تأكيد لحفظه.' }),
    repeat: (amount) => ({
      title: `${apart(amount)} مرة أخرى؟`,
      next: 'سُجّلت القيمة نفسها لهذا العميل خلال آخر عشر دقائق. أكّد فقط إن كانت عملية بيع جديدة.',
    }),
    scanWaits: 'مُسحت بطاقة أخرى. أكمل هذه العملية أولًا أو ألغها.',
    scanSwitch: 'الانتقال إلى تلك البطاقة',
  },

  errors: {
    invalid: { title: 'لم يُقبل المُدخل', next: 'تحقّق مما أدخلته.' },
    customer_not_found: { title: 'لا يوجد عميل بهذه البيانات', next: 'تحقّق من الرقم مع العميل.' },
    offline: { title: 'لا يوجد اتصال', next: 'أعد المحاولة عند عودة الاتصال.' },
    refused: { title: 'رفضت خدمة الولاء الطلب', next: 'تحقّق مما أدخلته أو اتصل بالدعم الفني.' },
    reference_taken: { title: 'رقم الإيصال مستخدم لعملية أخرى', next: 'تحقّق من رقم الإيصال أو اتركه فارغًا.' },
    looks_like_a_repeat: { title: 'تبدو العملية مكررة', next: 'أكّد فقط إن كانت عملية جديدة.' },
    above_limit: { title: 'أعلى من حدّ هذا الصندوق', next: 'أدخل مبلغًا أصغر أو اتصل بالمدير.' },
    not_saved: {
      title: 'لم تُحفظ العملية',
      next: 'تعذّرت الكتابة على قرص الصندوق. احتفظ بالإيصال واتصل بالدعم الفني.',
    },
    queue_full: {
      title: 'لم تُحفظ: عمليات كثيرة في الانتظار',
      next: 'احتفظ بالإيصال واتصل بالدعم الفني.',
    },
    cannot_cancel: { title: 'فات أوان التراجع', next: 'العملية في طريقها إلى العميل.' },
    operation_not_found: {
      title: 'هذه العملية ليست على هذا الصندوق',
      next: 'ابحث عنها في الصندوق الذي سجّلها.',
    },
    agent_gone: {
      title: 'لا رد من برنامج الصندوق',
      next: 'اضغط تأكيد مرة أخرى: مهما ضغطت تُحتسب مرة واحدة.',
    },
  },

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

  refusals: {
    customer_not_found: { title: 'لا يوجد عميل بهذه البطاقة', next: 'اطلب بطاقة أخرى وسجّل العملية من جديد.' },
    card_not_eligible: { title: 'هذه البطاقة لا تقبل العملية', next: 'اختر بطاقة أخرى للعميل.' },
    card_choice_needed: { title: 'لدى العميل عدة بطاقات', next: 'ابحث عن العميل واختر البطاقة.' },
    currency_mismatch: { title: 'البطاقة بعملة أخرى', next: 'اختر بطاقة أخرى للعميل.' },
    outside_window: { title: 'العملية أقدم من أن تُحتسب', next: 'احتفظ بالإيصال واتصل بالدعم الفني.' },
    mechanics_unknown: { title: 'الخدمة لا تعرف هذه البطاقة', next: 'احتفظ بالإيصال واتصل بالدعم الفني.' },
    reference_taken: { title: 'رقم الإيصال مستخدم من قبل', next: 'احتفظ بالإيصال واتصل بالدعم الفني.' },
    invalid: { title: 'لم تقبل خدمة الولاء العملية', next: 'احتفظ بالإيصال واتصل بالدعم الفني.' },
    other: { title: 'رفضت خدمة الولاء العملية', next: 'احتفظ بالإيصال واتصل بالدعم الفني.' },
  },

  recent: {
    region: 'آخر العمليات',
    emptyTitle: 'لا توجد عمليات بعد',
    emptyNext: 'تظهر هنا آخر عمليات هذا الصندوق.',
    undo: 'تراجع',
    otherIntents: {
      redeem: 'استخدام',
      reverse: 'إلغاء',
      enroll: 'تسجيل عميل',
      verify: 'تحقّق',
      reserve: 'حجز',
      commit: 'استخدام حجز',
      release: 'إلغاء حجز',
    },
  },
};
