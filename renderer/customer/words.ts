import type { Locale } from '../../shared/till/locales.ts';
import { deedWords as arabic } from '../../shared/words/ar.ts';
import type { DeedWords } from '../../shared/words/deeds.ts';
import { deedWords as english } from '../../shared/words/en.ts';

export interface CustomerWords {
  readonly collect: string;
  readonly typePhone: string;
  readonly noThanks: string;
  readonly checkIn: string;
  readonly clear: string;
  readonly erase: string;
  readonly pad: string;
  readonly wait: string;
  readonly found: string;
  readonly foundNext: string;
  readonly join: string;
  readonly joinTitle: string;
  readonly joinNext: string;
  readonly codeTitle: string;
  readonly codeNext: (phone: string) => string;
  readonly confirm: string;
  readonly joined: string;
  readonly joinedNext: string;
  readonly qr: string;
  readonly done: string;
  readonly thanks: string;
  readonly hello: (name: string) => string;
  readonly helloNobody: string;
  /** The words that the cashier's screen and the receipt use, too. */
  readonly deeds: DeedWords;
  readonly yours: (reward: string) => string;
  readonly rewardYours: string;
  readonly tellUs: string;
  readonly thisSale: string;
  readonly added: (amount: string) => string;
  readonly saved: string;
  readonly soon: string;
  readonly follow: string;
  readonly followNext: string;
  readonly given: (reward: string) => string;
  readonly rewardGiven: string;
  readonly spent: (amount: string) => string;
  readonly earlier: string;
  readonly lost: string;
  readonly lostNext: string;
  readonly problems: Readonly<
    Record<'not_a_phone' | 'offline' | 'too_often' | 'wrong_code' | 'spent_code' | 'failed', string>
  >;
}

export const customerWords: Readonly<Record<Locale, CustomerWords>> = {
  en: {
    collect: 'Collect points?',
    typePhone: 'Type your phone number, or show your card.',
    noThanks: 'No thanks',
    checkIn: 'Check in',
    clear: 'Clear',
    erase: 'Erase',
    pad: 'Number keys',
    wait: 'One moment',
    found: 'You are checked in',
    foundNext: 'The cashier sees you now.',
    join: 'Join',
    joinTitle: 'New here?',
    joinNext: 'To join, we save your phone number and send you a code.',
    codeTitle: 'Type the code',
    codeNext: (phone) => `We sent a code to ${phone}.`,
    confirm: 'Confirm',
    joined: 'Welcome!',
    joinedNext: 'Scan this with your phone to get your card.',
    qr: 'QR code with the address of your card',
    done: 'Done',
    thanks: 'Thank you',
    hello: (name) => `Hello ${name}`,
    helloNobody: 'Hello',
    deeds: english,
    yours: (reward) => `Yours: ${reward}`,
    rewardYours: 'A reward is yours',
    tellUs: 'Tell us before you pay.',
    thisSale: 'This sale',
    added: (amount) => `${amount} added`,
    saved: 'Saved',
    soon: 'Points in a moment',
    follow: 'Points follow',
    followNext: 'They come when the till is online again.',
    given: (reward) => `Enjoy: ${reward}`,
    rewardGiven: 'Enjoy your reward',
    spent: (amount) => `${amount} spent`,
    earlier: 'No connection: the balance is an earlier one.',
    lost: 'No connection to the till',
    lostNext: 'Please ask the cashier.',
    problems: {
      not_a_phone: 'This is no phone number. Type it again.',
      offline: 'No connection now. Show your card instead.',
      too_often: 'Too many tries. Wait a minute.',
      wrong_code: 'This code is wrong. Type it again.',
      spent_code: 'This code has expired. Start again.',
      failed: 'That did not work. Ask the cashier.',
    },
  },
  ar: {
    collect: 'جمع النقاط؟',
    typePhone: 'اكتب رقم الهاتف أو اعرض البطاقة.',
    noThanks: 'لا، شكرًا',
    checkIn: 'تسجيل الحضور',
    clear: 'مسح',
    erase: 'حذف رقم',
    pad: 'مفاتيح الأرقام',
    wait: 'لحظة من فضلك',
    found: 'سُجّل الحضور',
    foundNext: 'يراك أمين الصندوق الآن.',
    join: 'انضمام',
    joinTitle: 'زيارة أولى؟',
    joinNext: 'للانضمام نحفظ رقم الهاتف ونرسل إليه رمزًا.',
    codeTitle: 'اكتب الرمز',
    codeNext: (phone) => `أرسلنا رمزًا إلى ${phone}.`,
    confirm: 'تأكيد',
    joined: 'أهلًا وسهلًا!',
    joinedNext: 'امسح الرمز بالهاتف للحصول على البطاقة.',
    qr: 'رمز QR فيه عنوان البطاقة',
    done: 'تم',
    thanks: 'شكرًا',
    hello: (name) => `أهلًا ${name}`,
    helloNobody: 'أهلًا',
    deeds: arabic,
    yours: (reward) => `لك: ${reward}`,
    rewardYours: 'لك مكافأة',
    tellUs: 'أخبرنا قبل الدفع.',
    thisSale: 'هذه العملية',
    added: (amount) => `أُضيف عن ${amount}`,
    saved: 'حُفظ',
    soon: 'تصل النقاط بعد لحظة',
    follow: 'تُضاف النقاط لاحقًا',
    followNext: 'تُضاف عند عودة الاتصال.',
    given: (reward) => `بالهناء: ${reward}`,
    rewardGiven: 'بالهناء مع مكافأتك',
    spent: (amount) => `صُرف ${amount}`,
    earlier: 'لا اتصال: الرصيد من وقت سابق.',
    lost: 'لا اتصال بالصندوق',
    lostNext: 'اسأل أمين الصندوق من فضلك.',
    problems: {
      not_a_phone: 'هذا ليس رقم هاتف. اكتبه من جديد.',
      offline: 'لا اتصال الآن. اعرض البطاقة بدلًا منه.',
      too_often: 'محاولات كثيرة. انتظر دقيقة.',
      wrong_code: 'الرمز خاطئ. اكتبه من جديد.',
      spent_code: 'انتهت صلاحية الرمز. ابدأ من جديد.',
      failed: 'لم ينجح ذلك. اسأل أمين الصندوق.',
    },
  },
};
