import { countIn } from '../plural.ts';

const count = countIn('en');

/** The customer's own past and next step. */
export const words = {
  title: 'Last five',
  asOf: (when: string) => `as of ${when}`,
  unknown: 'Needs connection',
  nothing: 'Nothing recorded yet',
  usedCoupon: 'Used a coupon',
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
};
