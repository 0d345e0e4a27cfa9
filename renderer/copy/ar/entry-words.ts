import { apart } from '../../../shared/words/direction.ts';
import { countIn } from '../../../shared/words/plural.ts';
import type { EntryWords } from '../en/entry-words.ts';

const count = countIn('ar');

/** The words for what is entered on the sale screen: a part of `ar`. */
export const entryWords: EntryWords = {
  entry: {
    labels: { money: 'المبلغ', points: 'النقاط', stamps: 'الأختام', visits: 'الزيارات' },
    receiptShort: 'رقم الإيصال',
    confirm: 'تأكيد',
    act: {
      earn_amount: (amount) => `إضافة عن ${apart(amount)}`,
      earn_points: (amount) => `إضافة ${apart(amount)}`,
      earn_stamp: (amount) => `إضافة ${apart(amount)}`,
      earn_visit: (amount) => `إضافة ${apart(amount)}`,
      redeem_amount: (amount) => `صرف ${apart(amount)}`,
      redeem_points: (amount) => `صرف ${apart(amount)}`,
      redeem_stamp: (amount) => `صرف ${apart(amount)}`,
      redeem_visit: (amount) => `صرف ${apart(amount)}`,
      redeem_reward: (name) => `منح ${apart(name)}`,
      redeem_coupon: (name) => `صرف ${apart(name)}`,
    },
    enter: {
      money: 'أدخل المبلغ',
      points: 'أدخل النقاط',
      stamps: 'أدخل الأختام',
      visits: 'أدخل الزيارات',
      reward: 'اختر المكافأة',
      coupon: 'امسح الرمز أو أدخله',
    },
    cancel: 'إلغاء',
    change: 'تعديل',
    saving: 'جارٍ الحفظ',
    asking: 'لحظة واحدة',
    useAll: (balance) => `صرف الكل ${apart(balance)}`,
    after: (balance) => `يتبقى ${apart(balance)}`,
    onlyOnCard: (balance) => `على البطاقة ${apart(balance)} فقط`,
    rewards: 'المكافأة',
    namelessReward: 'مكافأة',
    couponCode: 'رمز القسيمة',
    couponHint: 'رمز هذه البطاقة نفسها، ويمكن مسح قسيمة أخرى.',
    once: 'تُعطى مرة واحدة ولا يمكن التراجع عنها.',
    keypad: 'لوحة الأرقام',
    pin: 'رمز المدير',
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
    aboveLimit: {
      sale: (limit) => `حدّ هذا الصندوق ${apart(limit)}.`,
      hour: (limit) => `حدّ هذا الصندوق ${apart(limit)} في الساعة.`,
    },
    limitOfRewards: (value, written) =>
      count(value, written, {
        one: 'مكافأة أو قسيمة واحدة',
        two: 'مكافأتان أو قسيمتان',
        few: '# مكافآت أو قسائم',
        other: '# مكافأة أو قسيمة',
      }),
    receiptTooLong: (most) => `الحد الأقصى ${most} حرفًا.`,
    large: (amount) => ({ title: `${apart(amount)}: هل هذا صحيح؟`, next: 'المبلغ أكبر من المعتاد.' }),
    repeat: (amount) => ({
      title: `${apart(amount)} مرة أخرى؟`,
      next: 'العميل نفسه والقيمة نفسها خلال ١٠ دقائق. لعملية جديدة فقط.',
    }),
    scanWaits: 'مُسحت بطاقة أخرى. أكمل هذه العملية أولًا أو ألغها.',
    cardWaits: 'توجد بطاقة ممسوحة تنتظر.',
    scanWaitsFor: (who) => `هذه العملية لـ ${apart(who)}. البطاقة الممسوحة تنتظر.`,
    scanSwitch: 'انتقال',
    scanSwitchTo: 'انتقال إلى تلك البطاقة',
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
};
