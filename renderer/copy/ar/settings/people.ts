import { apart, leftToRight } from '../../../../shared/words/direction.ts';
import { countIn } from '../../../../shared/words/plural.ts';
import type { SettingsWords } from '../../en/settings.ts';

const count = countIn('ar');

/** The words for managers and cashiers. */
export const people: SettingsWords['people'] = {
  modeNote: {
    sandbox: 'هؤلاء أشخاص وضع التدريب. لوضع الإنتاج قائمة خاصة به.',
    production: 'هؤلاء أشخاص وضع الإنتاج. لوضع التدريب قائمة خاصة به.',
  },
  managers: 'المديرون',
  cashiers: 'البائعون',
  addManager: 'إضافة مدير',
  addCashier: 'إضافة بائع',
  managersEmptyTitle: 'لا يوجد مدير بعد',
  managersEmptyNext: 'يمكن لأي شخص فتح هذه الإعدادات وشطب العمليات. أضف مديرًا ليُطلب رقم سري.',
  cashiersEmptyTitle: 'لا يوجد بائع بعد',
  cashiersEmptyNext: 'بالشارة يظهر على كل عملية من سجّلها.',
  reference: 'الموظف',
  hasPin: 'يؤكد برقم سري',
  name: 'الاسم',
  pin: 'الرقم السري',
  pinNote: 'من ٤ إلى ١٢ رقمًا، وليس رقمًا واحدًا مكررًا.',
  pinAgain: 'الرقم السري مرة أخرى',
  employeeRef: 'رمز الموظف',
  employeeRefNote: 'اسمه لدى خدمة الولاء.',
  badge: 'الشارة',
  badgeNote: 'امسحها ضوئيًا أو اكتب الرمز الذي عليها. لا تُعرض مرة أخرى.',
  badgeRead: (n: number, written: string, ending: string) =>
    `${count(n, written, { one: 'حرف واحد', two: 'حرفان', few: '# أحرف', many: '# حرفًا', other: '# حرف' })}، تنتهي بـ ${leftToRight(ending)}`,
  add: 'إضافة',
  remove: 'إزالة',
  removeTitle: (name: string) => `إزالة ${apart(name)}؟`,
  removeManager: 'يتوقف الرقم السري عن العمل. تبقى قرارات المدير في السجل.',
  removeLastManager: 'هذا آخر مدير: بعد ذلك لن يُطلب رقم سري من أحد في هذا الوضع.',
  removeCashier: 'تتوقف الشارة عن العمل. تبقى العمليات السابقة بالاسم.',
  wrong: {
    nameEmpty: 'أدخل اسمًا.',
    nameTaken: 'يوجد شخص بهذا الاسم في القائمة.',
    name: 'استخدم ٦٤ حرفًا على الأكثر، دون مسافة في البداية أو النهاية.',
    pin: 'أدخل من ٤ إلى ١٢ رقمًا، وليس رقمًا واحدًا مكررًا.',
    pinTaken: 'لا يمكن استخدام هذا الرقم السري. اختر رقمًا آخر.',
    pinDiffers: 'الرقمان السريان مختلفان. أدخلهما مرة أخرى.',
    employeeRef: 'أدخل رمز الموظف، دون مسافة في البداية أو النهاية.',
    badge: 'امسح الشارة ضوئيًا أو اكتب رمزها.',
    badgeLong: 'رمز الشارة ٦٤ حرفًا على الأكثر. امسح شارة أخرى.',
    badgeTaken: 'هذه الشارة لبائع آخر.',
  },
};
