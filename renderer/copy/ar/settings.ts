import { leftToRight } from '../../../shared/words/direction.ts';
import { countIn, type PluralForms } from '../../../shared/words/plural.ts';
import type { SettingsWords } from '../en/settings.ts';
import { connectionTest } from './settings/connection-test.ts';
import { settingsFields } from './settings/fields.ts';
import { people } from './settings/people.ts';
import { tokens } from './settings/tokens.ts';

const count = countIn('ar');

const sales: PluralForms = {
  zero: 'لا عمليات',
  one: 'عملية واحدة',
  two: 'عمليتان',
  few: '# عمليات',
  many: '# عملية',
  other: '# عملية',
};

export const words: SettingsWords = {
  reading: 'جارٍ قراءة الإعدادات',
  parts: 'أقسام الإعدادات',
  sections: {
    service: { title: 'خدمة الولاء', about: 'الخدمة التي يتصل بها هذا الصندوق، والمفتاح المستخدم معها.' },
    till: { title: 'هذا الصندوق', about: 'اسم هذا الصندوق واسم فرعه.' },
    sales: { title: 'البيع', about: 'العملة والحدود والبطاقات ويوم العمل.' },
    data: { title: 'دون اتصال والبيانات', about: 'كم يمكن أن تنتظر العمليات، وكم تُحفظ بيانات العملاء.' },
    pos: { title: 'برامج نقاط البيع', about: 'البرامج المسموح لها بإرسال العمليات عبر هذا الصندوق.' },
    people: { title: 'الأشخاص', about: 'المدير يؤكد برقمه السري، وشارة البائع تضع اسمه على كل عملية.' },
  },
  fields: settingsFields,
  modes: {
    sandbox: { title: 'التدريب', detail: 'للتجربة فقط' },
    production: { title: 'الإنتاج', detail: 'عملاء حقيقيون' },
  },
  switchSides: { off: 'متوقف', on: 'مفعّل' },
  distances: { close: 'قريب', normal: '٨٠ سم', far: 'بعيد' },
  byDefault: (value: string) => `عند تركه فارغًا: ${leftToRight(value)}`,
  nothingByDefault: 'لا شيء',
  builtIn: 'عند تركه فارغًا: خدمة التدريب المدمجة',
  changed: 'تغيّر ولم يُحفظ بعد',
  lockedBy: {
    managed: 'محدد في ملف إعدادات الدعم الفني',
    flag: 'محدد عند تشغيل البرنامج',
    environment: 'محدد في بيئة هذا الجهاز',
  },
  lockedNote: 'لا يمكن تغييره هنا.',
  needed: {
    base_url: 'وضع الإنتاج يحتاج إلى عنوان خدمة الولاء.',
    api_key: 'الاتصال بهذه الخدمة يحتاج إلى مفتاح.',
  },
  key: {
    kept: 'يوجد مفتاح محفوظ ينتهي بـ',
    none: 'لا يوجد مفتاح محفوظ',
    noneNeeded: 'خدمة التدريب المدمجة لا تحتاج إلى مفتاح.',
    sealed: 'لا يستطيع Tillbridge قراءة المفتاح المحفوظ. أدخله مجددًا.',
    otherMode: (mode: string) => `لوضع ${mode} مفتاح خاص به. أدخل مفتاحًا فقط إن لم يكن له مفتاح، أو لاستبداله.`,
    replace: 'استبدال',
    enter: 'إدخال مفتاح',
    remove: 'إزالة',
    keep: 'إبقاء المفتاح الحالي',
    label: 'المفتاح الجديد',
    removed: 'يُزال عند الحفظ.',
    starts: (prefix: string) => `يبدأ بـ ${leftToRight(prefix)}`,
    wrongKind: (mode: string, prefix: string) =>
      `هذا المفتاح للوضع الآخر. وضع ${mode} يحتاج إلى مفتاح يبدأ بـ ${leftToRight(prefix)}.`,
    forAnotherAddress: 'المفتاح المحفوظ أُدخل لعنوان آخر. أدخل المفتاح الخاص بهذا العنوان.',
    noKey: (prefix: string) => `هذا ليس مفتاحًا. المفتاح يبدأ بـ ${leftToRight(prefix)}.`,
  },
  leave: { title: 'الخروج دون حفظ؟', stay: 'البقاء', leave: 'الخروج' },
  save: {
    changes: (n: number, written: string) =>
      count(n, written, {
        one: 'تغيير واحد لم يُحفظ',
        two: 'تغييران لم يُحفظا',
        few: '# تغييرات لم تُحفظ',
        many: '# تغييرًا لم يُحفظ',
        other: '# تغيير لم يُحفظ',
      }),
    save: 'حفظ',
    saving: 'جارٍ الحفظ',
    discard: 'تجاهل',
    saved: 'حُفظ',
    refused: (n: number, written: string) =>
      count(n, written, {
        one: 'لم يُحفظ شيء: حقل واحد يحتاج إلى مراجعة.',
        two: 'لم يُحفظ شيء: حقلان يحتاجان إلى مراجعة.',
        few: 'لم يُحفظ شيء: # حقول تحتاج إلى مراجعة.',
        many: 'لم يُحفظ شيء: # حقلًا يحتاج إلى مراجعة.',
        other: 'لم يُحفظ شيء: # حقل يحتاج إلى مراجعة.',
      }),
    needsLook: 'يحتاج إلى مراجعة',
    refusedWhole: 'لم يُحفظ شيء:',
    locked: 'أصبح هذا الحقل مقفلًا. تجاهل التغيير.',
  },
  restart: {
    title: 'حُفظت الإعدادات للتشغيل القادم',
    next: 'أغلق Tillbridge وافتحه من جديد لاستخدام الإعدادات الجديدة.',
  },
  warnings: { title: 'يوجد خطأ في ملف إعدادات', next: 'تُستخدم آخر إعدادات صحيحة. على الدعم الفني إصلاح التالي:' },
  broken: { title: 'لا يمكن تشغيل Tillbridge بهذه الإعدادات', next: 'على الدعم الفني إصلاح التالي:' },
  confirm: {
    title: (n: number, written: string) => `ما زالت تنتظر: ${count(n, written, sales)}`,
    inMode: {
      sandbox: (n: number, written: string) => `${count(n, written, sales)} في وضع التدريب`,
      production: (n: number, written: string) => `${count(n, written, sales)} في وضع الإنتاج`,
    },
    unread: {
      title: 'قد تكون عمليات في الانتظار',
      inMode: { sandbox: 'عدد غير معروف في وضع التدريب', production: 'عدد غير معروف في وضع الإنتاج' },
    },
    about: 'سُجّلت بمفتاح أو عنوان أو وضع آخر. لن تضيع أي منها:',
    points: [
      'يسأل Tillbridge الخدمة أولًا عمّا وصلها من العمليات.',
      'العمليات التي لا يجدها المفتاح الجديد تحتاج إلى متابعة.',
      'الأفضل الانتظار حتى يُرسل كل شيء.',
    ],
    save: 'الحفظ رغم ذلك',
    back: 'رجوع',
  },
  gate: {
    title: 'الرقم السري للمدير',
    about: 'أدخل الرقم السري لعرض الإعدادات والمفاتيح والأشخاص.',
    label: 'الرقم السري للمدير',
    open: 'فتح',
    checking: 'جارٍ التحقق',
    keypad: 'أرقام',
    erase: 'مسح',
    wrong: (n: number, written: string) =>
      count(n, written, {
        one: 'رقم سري خاطئ. بقيت محاولة واحدة.',
        two: 'رقم سري خاطئ. بقيت محاولتان.',
        few: 'رقم سري خاطئ. بقيت # محاولات.',
        many: 'رقم سري خاطئ. بقيت # محاولة.',
        other: 'رقم سري خاطئ. بقيت # محاولة.',
      }),
    wrongPlain: 'رقم سري خاطئ. أدخله مرة أخرى.',
    locked: (time: string) => `محاولات خاطئة كثيرة. أعد المحاولة بعد ${leftToRight(time)}.`,
    again: 'يُطلب الرقم السري مجددًا بعد ٥ دقائق دون لمس.',
  },
  test: connectionTest,
  tokens,
  people,
  cancel: 'إلغاء الأمر',
  failed: 'لم ينجح ذلك',
  failedNext: {
    notSaved: 'لم يتغير شيء. تعذّرت الكتابة على القرص. اتصل بالدعم الفني.',
    noAnswer: 'انتظر رد Tillbridge، ثم تحقّق هل حُفظ التغيير.',
  },
};
