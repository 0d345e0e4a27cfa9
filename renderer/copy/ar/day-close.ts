import { dayOutcomeWords } from '../../../shared/till/state-words.ts';
import { apart } from '../../../shared/words/direction.ts';
import { countIn } from '../../../shared/words/plural.ts';
import type { DayCloseWords } from '../en/day-close.ts';
import { sumNames } from './sum-names.ts';

const count = countIn('ar');

/** `عملية واحدة`, `عمليتان`, `٣ عمليات`: the forms of Arabic counting. */
const operations = (value: number, written: string): string =>
  count(value, written, {
    one: 'عملية واحدة',
    two: 'عمليتان',
    few: '# عمليات',
    many: '# عملية',
    other: '# عملية',
  });

export const words: DayCloseWords = {
  earlier: 'اليوم السابق',
  later: 'اليوم التالي',
  day: 'يوم العمل',
  today: 'اليوم',
  from: (time) => `يُحسب من الساعة ${time} إلى الساعة ${time}`,
  print: 'طباعة',
  csv: 'حفظ كملف CSV',
  close: 'إقفال اليوم',
  notClosed: 'لم يُقفل بعد',
  closedBy: (who, when) => `أقفله ${apart(who)}، ${when}`,
  countedAt: (when) => `كما هو في ${when}`,
  asClosed: 'كما كان عند إقفال اليوم',

  outcomes: dayOutcomeWords.ar,
  outcomeNotes: {
    applied: 'حُدّثت الأرصدة',
    waiting: 'لم تكتمل بعد',
    refused: 'تحتاج إلى متابعة',
    written_off: 'أغلقها المدير',
    taken_back: 'عمليات استُرجعت أو أُلغيت',
  },
  byCashier: 'حسب أمين الصندوق',
  byCashierNote: 'تُحسب المسترجعة لمن باعها، والمحجوز ما ينتظر طلبًا.',
  cashier: 'أمين الصندوق',
  nobody: 'بلا تسجيل دخول',
  notCounted: 'أُغلق هذا اليوم بإصدار سابق دون أمناء الصندوق.',
  sums: sumNames,
  figures: 'أرقام اليوم',
  operation: 'العملية',
  nothing: 'لا شيء',
  times: (value, written) =>
    count(value, written, { one: 'مرة واحدة', two: 'مرتان', few: '# مرات', many: '# مرة', other: '# مرة' }),
  earnsTakenBack: 'مبيعات مُسترجعة',
  spendsTakenBack: 'استخدامات مُسترجعة',

  emptyTitle: 'لا مبيعات في هذا اليوم',
  emptyNext: 'تظهر هنا مبيعات اليوم واستخداماته.',
  failedTitle: 'تعذّر حساب اليوم',
  again: 'إعادة المحاولة',

  since: (value, written) => `${operations(value, written)} بعد الإقفال`,
  sinceNext: 'سُجّلت بعد إقفال اليوم. هي من هذا اليوم، ويبقى الإقفال كما كان.',
  carriedIn: (value, written, day) => `${operations(value, written)} مُرحّلة من ${day}`,
  carriedInNext: 'كانت مفتوحة عند إقفال ذلك اليوم. حالتها الآن:',
  carriedOut: (value, written) => `${operations(value, written)} مُرحّلة إلى اليوم التالي`,
  carriedOutNext: 'كانت مفتوحة عند إقفال هذا اليوم. حالتها الآن:',
  late: (value, written, day) => `${operations(value, written)} أُضيفت إلى ${day} بعد إقفاله`,
  more: (written) => `و${written} غيرها`,

  closes: 'الأيام المُقفلة',
  closesEmptyTitle: 'لم يُقفل أي يوم بعد',
  closesEmptyNext: 'يظهر هنا كل يوم مُقفل واسم من أقفله.',
  openThen: (value, written) => `رُحّلت ${operations(value, written)}`,
  moreCloses: 'عرض أيام أسبق',

  dialog: {
    title: (day) => `إقفال ${day}`,
    why: 'تُحفظ أرقامه كما هي الآن، ويُقفل اليوم مرة واحدة.',
    wellTitle: 'لا شيء معلّق',
    openTitle: (value, written) => `${operations(value, written)} لم تنتهِ بعد`,
    waiting: (value, written) => `${operations(value, written)} في الانتظار`,
    attention: (value, written) => `${operations(value, written)} تحتاج إلى متابعة`,
    acknowledge: 'اطّلعت على ذلك. تُرحّل إلى اليوم التالي.',
    acknowledgeMissing: 'أكّد أنك اطّلعت على ما لم ينتهِ بعد.',
    more: 'تغيّر عدد ما لم ينتهِ بعد. انظر مرة أخرى.',
    by: 'اسم من يُقفل اليوم',
    byNote: 'يُكتب اسمك على الإقفال.',
    byMissing: 'أدخل اسمك.',
    pin: 'رمز المدير',
    pinNote: 'يُكتب اسم المدير على الإقفال. أو سجّل الدخول ببطاقتك أولاً.',
    pinMissing: 'أدخل الرمز.',
    confirm: 'إقفال اليوم',
    closing: 'جارٍ الإقفال',
    cancel: 'إلغاء',
    already: (who, when) => ({
      title: 'هذا اليوم مُقفل من قبل',
      next: `أقفله ${apart(who)}، ${when}. ويبقى الإقفال كما كان.`,
    }),
    notBegun: { title: 'لم يبدأ هذا اليوم بعد', next: 'لا يُقفل إلا يوم قد بدأ.' },
    done: 'تم',
  },

  paper: {
    title: 'إقفال اليوم',
    till: 'الصندوق',
    branch: 'الفرع',
    printed: 'طُبع في',
    practice: 'تدريب: ليست مبيعات حقيقية',
    signature: 'التوقيع',
  },
};
