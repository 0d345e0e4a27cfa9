import type { NoticeWords } from '../en/notices.ts';

/** The words for warnings before sales stop: a part of `ar`. */
export const words: NoticeWords = {
  notSaving: {
    locked: { title: 'تعذّر حفظ المبيعات', next: 'برنامج آخر يحجز قاعدة البيانات. اتصل بالدعم الفني.' },
    disk_full: { title: 'تعذّر حفظ المبيعات: القرص ممتلئ', next: 'احتفظ بالإيصالات واتصل بالدعم الفني.' },
    disk_refuses: { title: 'تعذّر حفظ المبيعات', next: 'القرص لا يقبل الكتابة. اتصل بالدعم الفني.' },
  },
  databaseDamaged: {
    title: 'قاعدة البيانات تالفة',
    next: 'أغلق Tillbridge وافتحه من جديد لإصلاحها.',
  },
  databaseRestored: (carried) => ({
    title: 'استُعيدت بيانات الصندوق من نسخة احتياطية',
    next: `العمليات الأحدث التي بقيت: ${carried}.`,
  }),
  databaseLeftOut: (leftOut) => ({
    title: 'استُعيدت بيانات الصندوق من نسخة صندوق آخر',
    next: `عمليات لم تُؤخذ لأن أرقامها مستخدمة في هذا الصندوق: ${leftOut}. اتصل بالدعم الفني.`,
  }),
  databaseLeftBehind: (leftBehind) => ({
    title: 'استُبدلت قاعدة البيانات',
    next: `عمليات بقيت في الملف القديم وحده لأن أرقامها مستخدمة الآن: ${leftBehind}. اتصل بالدعم الفني.`,
  }),
  databaseStrayLog: {
    title: 'وُجد ملف غريب بجانب قاعدة البيانات',
    next: 'أُبعد الملف ولم يُفقد شيء. اتصل بالدعم الفني.',
  },
  databaseRecovered: (carried, lost) => ({
    title: 'استُبدلت قاعدة البيانات',
    next: `العمليات التي بقيت: ${carried}. التي تعذّرت قراءتها: ${lost}. اتصل بالدعم الفني.`,
  }),
  databaseUnknown: (carried, backupAt) => ({
    title: 'فُقد جزء من قاعدة البيانات',
    next: `العمليات التي بقيت: ${carried}. ${backupAt === null ? 'لم تُحفظ هنا أي نسخة احتياطية.' : `آخر نسخة احتياطية: ${backupAt}.`} اتصل بالدعم الفني.`,
  }),
  settingsLost: {
    sandbox: { title: 'فُقدت إعدادات هذا الصندوق', next: 'يتدرّب بالإعدادات الافتراضية. اتصل بالدعم الفني.' },
    production: { title: 'فُقدت إعدادات هذا الصندوق', next: 'يبيع بالإعدادات الافتراضية. اتصل بالدعم الفني.' },
  },
  settingsFileWrong: {
    title: 'في ملف الإعدادات خطأ',
    next: 'يستخدم Tillbridge آخر إعدادات سليمة. اتصل بالدعم الفني.',
  },
  settingsFileUnchecked: { title: 'تعذّر التحقق من ملف الإعدادات', next: 'يستخدم Tillbridge الملف. اتصل بالدعم الفني.' },
  sandboxBeganAnew: { title: 'بدأت بيئة التجربة من جديد', next: 'تعذّرت قراءة بياناتها. لم تُفقد أي عملية بيع.' },
  backupLate: (lastAt) => ({
    title: 'تأخّرت النسخة الاحتياطية',
    next: `${lastAt === null ? 'لم تُحفظ أي نسخة بعد.' : `آخر نسخة من ${lastAt}.`} اتصل بالدعم الفني.`,
  }),
  backupFails: (lastAt) => ({
    title: 'تعذّر حفظ نسخة احتياطية',
    next: `${lastAt === null ? 'لم تُحفظ أي نسخة بعد.' : `آخر نسخة من ${lastAt}.`} اتصل بالدعم الفني.`,
  }),
  diskNearlyFull: (megabytes) => ({
    title: `لم يبقَ على القرص سوى ${megabytes} م.ب`,
    next: 'اتصل بالدعم الفني. امتلاء القرص يوقف البيع.',
  }),
  queueNearlyFull: (waiting, limit) => ({
    title: `${waiting} من ${limit} عملية في الانتظار`,
    next: 'اتصل بالدعم الفني. بلوغ الحد يوقف البيع.',
  }),
  keyChanged: (waiting) => ({
    title: 'تغيّر مفتاح الخدمة',
    next: `يبحث Tillbridge أولًا عن ${waiting} عملية من المفتاح السابق.`,
  }),
  peopleChanged: {
    title: 'تغيّرت قائمة العاملين من خارج Tillbridge',
    next: 'لا يستطيع بعضهم تسجيل الدخول. اتصل بالدعم الفني.',
  },
  productionWaiting: {
    sending: (waiting) => ({ title: `${waiting} عملية حقيقية في الانتظار`, next: 'يرسلها Tillbridge في الخلفية.' }),
    held: (waiting) => ({
      title: `${waiting} عملية حقيقية في الانتظار`,
      next: 'يرسلها Tillbridge في وضع الإنتاج.',
    }),
    unread: { title: 'قد تكون عمليات حقيقية في الانتظار', next: 'لا يستطيع Tillbridge قراءتها. اتصل بالدعم الفني.' },
  },
  inProduction: (title) => `وضع الإنتاج: ${title}`,
  updateReady: (version) => ({
    title: `الإصدار ${version} جاهز`,
    next: 'يثبّته Tillbridge في أول وقت هادئ.',
  }),
  updateHeld: (version) => ({ title: `الإصدار ${version} موقوف مؤقتًا`, next: 'واصل البيع.' }),
  updateRefused: { title: 'لم يُثبَّت التحديث', next: 'واصل البيع واتصل بالدعم الفني.' },
  updateWentBack: (from, to) => ({
    title: `لم يعمل الإصدار ${from}`,
    next: `عاد Tillbridge إلى الإصدار ${to}. اتصل بالدعم الفني.`,
  }),
};
