import type { DeedWords } from './deeds.ts';
import { countIn } from './plural.ts';

const count = countIn('en');

export const deedWords: DeedWords = {
  counts: {
    points: (value, written) => count(value, written, { one: '# point', other: '# points' }),
    stamps: (value, written) => count(value, written, { one: '# stamp', other: '# stamps' }),
    visits: (value, written) => count(value, written, { one: '# visit', other: '# visits' }),
    rewards: (value, written) => count(value, written, { one: '# reward', other: '# rewards' }),
  },
  units: {
    cashback: () => 'cashback',
    points: (value) => count(value, '', { one: 'point', other: 'points' }),
    stamps: (value) => count(value, '', { one: 'stamp', other: 'stamps' }),
    visits: (value) => count(value, '', { one: 'visit', other: 'visits' }),
    rewards: (value) => count(value, '', { one: 'reward', other: 'rewards' }),
  },
  did: {
    earned: (value) => `Earned ${value}`,
    added: (value) => `Added ${value}`,
    spent: (value) => `Spent ${value}`,
    used: (value) => `Used ${value}`,
    gave: (name) => `Gave ${name}`,
    gaveReward: 'Gave a reward',
    usedCoupon: 'Used a coupon',
    held: (value) => `Held ${value}`,
    tookBack: (value) => `Took back ${value}`,
    gaveBack: (value) => `Gave back ${value}`,
    notAdded: (value) => `Not added: ${value}`,
    notSpent: (value) => `Not spent: ${value}`,
    notUsed: (name) => `Not used: ${name}`,
    notGiven: (name) => `Not given: ${name}`,
    notHeld: (value) => `Not held: ${value}`,
  },
  plus: (value) => `+${value}`,
  now: (balance) => `${balance} now`,
  toNext: {
    points: (_value, written) => `${written} more to the next reward`,
    stamps: (value, written) =>
      count(value, written, { one: '# more stamp to the next reward', other: '# more stamps to the next reward' }),
  },
  toNamed: {
    points: (_value, written, reward) => `${written} more to ${reward}`,
    stamps: (value, written, reward) =>
      count(value, written, { one: `# more stamp to ${reward}`, other: `# more stamps to ${reward}` }),
  },
};
