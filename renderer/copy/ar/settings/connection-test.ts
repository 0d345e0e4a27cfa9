import { verdictWords } from '../../../../shared/till/state-words.ts';
import { leftToRight } from '../../../../shared/words/direction.ts';
import { countIn } from '../../../../shared/words/plural.ts';
import type { SettingsWords } from '../../en/settings.ts';

const count = countIn('ar');

/** The words of "Test connection". */
export const connectionTest: SettingsWords['test'] = {
  title: 'الاتصال',
  about: 'يسأل الخدمة سؤالًا واحدًا بما هو مكتوب هنا، محفوظًا كان أم لا. لا يتغيّر شيء.',
  start: 'اختبار الاتصال',
  running: 'جارٍ سؤال الخدمة',
  refused: 'هذه الإعدادات لا تتوافق بعد. صحّح الحقول أعلاه.',
  checks: {
    address: 'العنوان',
    secure_line: 'أمان الاتصال',
    key: 'مفتاح الخدمة',
    clock: 'الساعة',
    time: 'زمن الرد',
  },
  verdicts: {
    reached: 'خدمة الولاء ترد من هناك.',
    built_in: 'مدمجة: لا شيء يمكن أن يعيقها.',
    no_address: 'لا يوجد عنوان.',
    unreachable: 'لا شيء يرد من هناك.',
    no_answer_in_time: 'لا رد خلال ١٠ ثوانٍ.',
    something_else_answers: 'يرد شيء آخر من هناك، وليس خدمة الولاء.',
    service_fault: 'يوجد عطل في خدمة الولاء نفسها.',
    question_refused: 'الخدمة لا تعرف هذا السؤال.',
    encrypted: 'مشفّر بشهادة صحيحة.',
    not_encrypted: 'غير مشفّر: يمكن لغيرك في الشبكة الاطلاع عليه.',
    certificate_refused: 'الشهادة غير موثوقة.',
    key_taken: 'الخدمة تقبله.',
    no_key: 'لا يوجد مفتاح.',
    key_refused: 'الخدمة لا تقبله.',
    suspended: 'أوقفت الخدمة هذا المتجر.',
    throttled: 'الخدمة تقبله وتطلب الانتظار قليلًا.',
    clock_agrees: 'مطابقة لساعة الخدمة.',
    clock_behind: (written: string) => `ساعة هذا الجهاز متأخرة ${written}.`,
    clock_ahead: (written: string) => `ساعة هذا الجهاز متقدمة ${written}.`,
    quick: (written: string) => `${written}: سريع بما يكفي.`,
    slow: (written: string) => `${written}: بطيء، وسينتظر العملاء.`,
    not_known: 'غير معروف بعد: انظر أعلاه.',
  },
  next: {
    no_address: 'أدخل العنوان أعلاه.',
    unreachable: 'تحقّق من العنوان ومن كابل الشبكة أو الشبكة اللاسلكية.',
    no_answer_in_time: 'تحقّق من الشبكة، فقد يعيقه جدار حماية.',
    something_else_answers: 'تحقّق من العنوان، ومما إذا كانت الشبكة تطلب تسجيل دخول أولًا.',
    service_fault: 'انتظر دقيقة وأعد الاختبار، وإن استمر فاتصل بمزوّد خدمة الولاء.',
    question_refused: `تحقّق من أن العنوان ينتهي بـ ${leftToRight('/v1')}.`,
    not_encrypted: `استخدم عنوانًا يبدأ بـ ${leftToRight('https://')}.`,
    certificate_refused: 'تحقّق من تاريخ هذا الجهاز ومن العنوان، ثم اتصل بمزوّد خدمة الولاء.',
    no_key: 'أدخل المفتاح أعلاه.',
    key_refused: 'أدخل مفتاحًا آخر. ما ينتظر يبقى محفوظًا.',
    suspended: 'اتصل بمزوّد خدمة الولاء.',
    throttled: 'انتظر دقيقة وأعد الاختبار.',
    clock_behind: 'اضبط ساعة هذا الجهاز أو اجعلها تتبع خادم وقت.',
    clock_ahead: 'اضبط ساعة هذا الجهاز أو اجعلها تتبع خادم وقت.',
    slow: 'تحقّق من شبكة المتجر.',
  },
  tones: { ...verdictWords.ar, not_known: 'غير معروف' },
  seconds: (n: number, written: string) =>
    count(n, written, {
      one: 'ثانية واحدة',
      two: 'ثانيتين',
      few: '# ثوانٍ',
      many: '# ثانية',
      other: '# ثانية',
    }),
  milliseconds: (written: string) => `${written} مللي ثانية`,
};
