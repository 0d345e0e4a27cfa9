import { countIn } from '../plural.ts';

const count = countIn('en');

/** What was done with a customer's card, told afterwards: a part of `en`. */
export const did = {
  did: {
    earned: (money: string) => `Earned ${money}`,
    added: {
      points: (written: string) => `Added ${written}`,
      stamps: (written: string) => `Added ${written}`,
      visits: (written: string) => `Added ${written}`,
    },
    spent: {
      money: (written: string) => `Spent ${written}`,
      points: (written: string) => `Spent ${written}`,
      stamps: (written: string) => `Used ${written}`,
      visits: (written: string) => `Used ${written}`,
    },
    gave: (reward: string) => `Gave ${reward}`,
    gaveReward: 'Gave a reward',
    usedNamed: (coupon: string) => `Used ${coupon}`,
    usedCoupon: 'Used a coupon',
  },

  /** The customer's own past and next step. */
  past: {
    title: 'Last five',
    asOf: (when: string) => `as of ${when}`,
    unknown: 'Needs connection',
    nothing: 'Nothing recorded yet',
    firstVisit: 'First visit',
    firstStep: (step: string) => `First visit: ${step}`,
    lastVisit: (when: string) => `Last visit ${when}`,
    balanceFrom: (when: string) => `Balance from ${when}`,
    onTheWay: (value: string) => `+ ${value} on the way`,
    toNext: {
      points: (_value: number, written: string) => `${written} more to the next reward`,
      stamps: (value: number, written: string) =>
        count(value, written, { one: '# more stamp to the next reward', other: '# more stamps to the next reward' }),
    },
    toNamed: {
      points: (_value: number, written: string, reward: string) => `${written} more to ${reward}`,
      stamps: (value: number, written: string, reward: string) =>
        count(value, written, { one: `# more stamp to ${reward}`, other: `# more stamps to ${reward}` }),
    },
    readyWhenBack: (rewards: string) => `${rewards} when the connection is back`,
  },
};

export type DidWords = typeof did;
