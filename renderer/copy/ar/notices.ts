import type { NoticeWords } from '../en/notices.ts';

/** The words for what somebody should know before it stops sales: a part of `ar`. */
export const notices: NoticeWords = {
  notices: {
    notSaving: {
      locked: { title: 'تعذّر حفظ المبيعات', next: 'برنامج آخر يحجز ذاكرة الصندوق. اتصل بالدعم الفني.' },
      disk_full: { title: 'تعذّر حفظ المبيعات: القرص ممتلئ', next: 'احتفظ بالإيصالات واتصل بالدعم الفني.' },
      disk_refuses: { title: 'تعذّر حفظ المبيعات', next: 'القرص لا يقبل الكتابة. اتصل بالدعم الفني.' },
    },
    databaseDamaged: { title: 'جزء من ذاكرة الصندوق تالف', next: 'أعد تشغيل الصندوق، وسيُصلح نفسه.' },
    databaseRestored: (carried) => ({
      title: 'استُعيدت ذاكرة الصندوق من نسخة احتياطية',
      next: `نُقلت ${carried} عملية أُجريت بعد النسخة.`,
    }),
    databaseRecovered: (carried, lost) => ({
      title: 'استُبدلت ذاكرة الصندوق',
      next: `نُقلت ${carried} عملية، وتعذّرت قراءة ${lost}. اتصل بالدعم الفني.`,
    }),
    databaseUnknown: (carried, backupAt) => ({
      title: 'فُقد جزء من ذاكرة الصندوق',
      next: `نُقلت ${carried} عملية، ولا يُعرف ما هو الناقص. ${backupAt === null ? 'لم تُحفظ هنا أي نسخة احتياطية.' : `آخر نسخة احتياطية: ${backupAt}.`} اتصل بالدعم الفني.`,
    }),
    settingsLost: {
      sandbox: { title: 'فُقدت إعدادات هذا الصندوق', next: 'يتدرّب بالإعدادات الافتراضية. اتصل بالدعم الفني.' },
      production: { title: 'فُقدت إعدادات هذا الصندوق', next: 'يبيع بالإعدادات الافتراضية. اتصل بالدعم الفني.' },
    },
    sandboxBeganAnew: { title: 'بدأت بيئة التجربة من جديد', next: 'تعذّرت قراءة دفاترها. لم تُفقد أي عملية بيع.' },
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
      next: 'اتصل بالدعم الفني؛ يتوقف البيع عند امتلائه.',
    }),
    queueNearlyFull: (waiting, limit) => ({
      title: `${waiting} من ${limit} عملية في الانتظار`,
      next: 'اتصل بالدعم الفني؛ لا تُقبل عمليات أخرى عند الحد.',
    }),
    keyChanged: (waiting) => ({
      title: 'تغيّر المفتاح',
      next: `سُجّلت ${waiting} عملية بمفتاح آخر، ويُبحث عنها أولًا.`,
    }),
    productionWaiting: {
      sending: (waiting) => ({ title: `${waiting} عملية حقيقية في الانتظار`, next: 'تُرسل في الخلفية.' }),
      held: (waiting) => ({
        title: `${waiting} عملية حقيقية في الانتظار`,
        next: 'تُرسل عند عودة الصندوق إلى وضع الإنتاج.',
      }),
    },
  },
};
