import type { WordsOf } from '../parts.ts';

/** The words of the first screen of a new till. */
export const words: WordsOf<'first-run'> = {
  title: 'ما غرض هذا الصندوق؟',
  about: 'Tillbridge جديد على هذا الصندوق. اختر مرة واحدة.',
  modes: {
    sandbox: { title: 'تدريب', next: 'جرّب كل شيء مع عملاء للتدريب، دون بيع حقيقي.' },
    production: { title: 'عملاء حقيقيون (إنتاج)', next: 'أدخل عنوان خدمة الولاء ومفتاحها.' },
  },
  failed: 'لم يُحفظ الاختيار. حاول مجددًا، أو اتصل بالدعم الفني.',
  later: 'يمكنك تغيير هذا لاحقًا من الإعدادات.',
};
