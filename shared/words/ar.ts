import type { DeedWords } from './deeds.ts';
import { apart } from './direction.ts';
import { countIn, type PluralForms } from './plural.ts';

const count = countIn('ar');

const points: PluralForms = { one: 'نقطة واحدة', two: 'نقطتان', few: '# نقاط', many: '# نقطة', other: '# نقطة' };
const stamps: PluralForms = { one: 'ختم واحد', two: 'ختمان', few: '# أختام', many: '# ختمًا', other: '# ختم' };
const visits: PluralForms = { one: 'زيارة واحدة', two: 'زيارتان', few: '# زيارات', many: '# زيارة', other: '# زيارة' };
const rewards: PluralForms = {
  one: 'مكافأة واحدة',
  two: 'مكافأتان',
  few: '# مكافآت',
  many: '# مكافأة',
  other: '# مكافأة',
};

export const deedWords: DeedWords = {
  counts: {
    points: (value, written) => count(value, written, points),
    stamps: (value, written) => count(value, written, stamps),
    visits: (value, written) => count(value, written, visits),
    rewards: (value, written) => count(value, written, rewards),
  },
  units: {
    cashback: () => 'رصيد نقدي',
    points: (value) => count(value, '', { few: 'نقاط', other: 'نقطة' }),
    stamps: (value) => count(value, '', { few: 'أختام', many: 'ختمًا', other: 'ختم' }),
    visits: (value) => count(value, '', { few: 'زيارات', other: 'زيارة' }),
    rewards: (value) => count(value, '', { few: 'مكافآت', other: 'مكافأة' }),
  },
  did: {
    earned: (value) => `إضافة عن ${apart(value)}`,
    added: (value) => `إضافة ${apart(value)}`,
    spent: (value) => `صرف ${apart(value)}`,
    used: (value) => `صرف ${apart(value)}`,
    gave: (name) => `منح ${apart(name)}`,
    gaveReward: 'منح مكافأة',
    usedCoupon: 'صرف قسيمة',
    held: (value) => `حجز ${apart(value)}`,
    tookBack: (value) => `استرجاع ${apart(value)}`,
    gaveBack: (value) => `إعادة ${apart(value)}`,
    notAdded: (value) => `لم تُضف: ${apart(value)}`,
    notSpent: (value) => `لم تُصرف: ${apart(value)}`,
    notUsed: (name) => `لم تُصرف: ${apart(name)}`,
    notGiven: (name) => `لم تُمنح: ${apart(name)}`,
    notHeld: (value) => `لم تُحجز: ${apart(value)}`,
  },
  plus: (value) => `+${apart(value)}`,
  now: (balance) => `الرصيد الآن ${balance}`,
  toNext: {
    points: (value, written) => `${count(value, written, points)} حتى المكافأة التالية`,
    stamps: (value, written) => `${count(value, written, stamps)} حتى المكافأة التالية`,
  },
  toNamed: {
    points: (value, written, reward) => `${count(value, written, points)} حتى ${apart(reward)}`,
    stamps: (value, written, reward) => `${count(value, written, stamps)} حتى ${apart(reward)}`,
  },
};
