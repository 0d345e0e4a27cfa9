import { apart } from '../direction.ts';
import type { DidWords } from '../en/did.ts';
import { countIn, type PluralForms } from '../plural.ts';

const count = countIn('ar');

const stampsLeft: PluralForms = {
  one: 'ختم واحد',
  two: 'ختمان',
  few: '# أختام',
  many: '# ختمًا',
  other: '# ختم',
};
const pointsLeft: PluralForms = {
  one: 'نقطة واحدة',
  two: 'نقطتان',
  few: '# نقاط',
  many: '# نقطة',
  other: '# نقطة',
};

/** What was done with a customer's card, told afterwards: a part of `ar`. */
export const did: DidWords = {
  did: {
    earned: (money) => `أُضيف عن ${apart(money)}`,
    added: {
      points: (written) => `أُضيفت ${written}`,
      stamps: (written) => `أُضيف ${written}`,
      visits: (written) => `أُضيفت ${written}`,
    },
    spent: {
      money: (written) => `صُرف ${apart(written)}`,
      points: (written) => `صُرفت ${written}`,
      stamps: (written) => `صُرف ${written}`,
      visits: (written) => `صُرفت ${written}`,
    },
    gave: (reward) => `مُنح ${apart(reward)}`,
    gaveReward: 'مُنحت مكافأة',
    usedNamed: (coupon) => `صُرفت ${apart(coupon)}`,
    usedCoupon: 'صُرفت قسيمة',
  },

  past: {
    title: 'آخر خمس عمليات',
    asOf: (when) => `حتى ${apart(when)}`,
    unknown: 'يحتاج إلى اتصال',
    nothing: 'لا شيء مسجّل بعد',
    firstVisit: 'أول زيارة',
    firstStep: (step) => `أول زيارة: ${step}`,
    lastVisit: (when) => `آخر زيارة ${when}`,
    balanceFrom: (when) => `الرصيد حتى ${apart(when)}`,
    onTheWay: (value) => `+ ${apart(value)} في الطريق`,
    toNext: {
      points: (value, written) => `${count(value, written, pointsLeft)} حتى المكافأة التالية`,
      stamps: (value, written) => `${count(value, written, stampsLeft)} حتى المكافأة التالية`,
    },
    toNamed: {
      points: (value, written, reward) => `${count(value, written, pointsLeft)} حتى ${apart(reward)}`,
      stamps: (value, written, reward) => `${count(value, written, stampsLeft)} حتى ${apart(reward)}`,
    },
    readyWhenBack: (rewards) => `${rewards} عند عودة الاتصال`,
  },
};
