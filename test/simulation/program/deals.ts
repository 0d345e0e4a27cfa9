import type { RandomSource } from '../../../shared/lib/random.ts';
import { pick, wholeBelow } from '../engine/draws.ts';
import type { Deal, RequestedValues } from './steps.ts';

interface DealFact {
  readonly loyaltyId: string;
  readonly values: (random: RandomSource) => RequestedValues;
}

/** Sales on the demo customers' cards; two are refused by the service, and one customer is nobody. */
const earns: readonly DealFact[] = [
  { loyaltyId: 'LC-1001', values: (random) => ({ amount_minor: 1000 * (1 + wholeBelow(random, 5)) }) },
  { loyaltyId: 'LC-1014', values: (random) => ({ points: 1 + wholeBelow(random, 5) }) },
  { loyaltyId: 'LC-1003', values: () => ({ stamps: 1 }) },
  { loyaltyId: 'LC-1002', values: (random) => ({ amount_minor: 1000 * (1 + wholeBelow(random, 5)) }) },
  { loyaltyId: 'LC-1004', values: () => ({ visits: 1 }) },
  { loyaltyId: 'LC-1015', values: () => ({ amount_minor: 1000 }) },
  { loyaltyId: 'LC-9999', values: () => ({ amount_minor: 1000 }) },
];

/** The coupon card of the sixth demo customer. */
const couponCode = `card_01JDEM${'0'.repeat(18)}06`;

const redemptions: readonly DealFact[] = [
  { loyaltyId: 'LC-1001', values: (random) => ({ points: 1 + wholeBelow(random, 9) }) },
  { loyaltyId: 'LC-1001', values: (random) => ({ points: 1 + wholeBelow(random, 9) }) },
  { loyaltyId: 'LC-1002', values: (random) => ({ amount_minor: 10 + wholeBelow(random, 50) }) },
  { loyaltyId: 'LC-1008', values: (random) => ({ amount_minor: 10 + wholeBelow(random, 50) }) },
  { loyaltyId: 'LC-1004', values: () => ({ visits: 1 }) },
  { loyaltyId: 'LC-1003', values: () => ({ stamps: 1 }) },
  { loyaltyId: 'LC-1003', values: () => ({ reward: true }) },
  { loyaltyId: 'LC-1006', values: () => ({ coupon_code: couponCode }) },
  { loyaltyId: 'LC-1001', values: () => ({ reward: true, reward_id: 'rwd_cake' }) },
];

export function drawEarn(random: RandomSource): Deal {
  return drawDeal(random, earns);
}

export function drawRedemption(random: RandomSource): Deal {
  return drawDeal(random, redemptions);
}

/** A cart is held in points, which only one demo card has enough of. */
export function drawHold(random: RandomSource): Deal {
  return { loyaltyId: 'LC-1001', values: { points: 1 + wholeBelow(random, 20) } };
}

function drawDeal(random: RandomSource, facts: readonly DealFact[]): Deal {
  const { loyaltyId, values } = pick(random, facts);
  return { loyaltyId, values: values(random) };
}
