import type { EndpointName } from '../../../shared/contract/endpoints.ts';

/** What a call looks like: its body, and its answers by status. */
interface CallExample {
  readonly body?: object;
  readonly answers: Readonly<Record<number, object>>;
}

const customerId = 'cus_01JDEM00000000000000000001';
const cardId = 'card_01JDEM00000000000000000001';
const earnId = 'txn_01JD6Z3K8QW4H0V2N5C7RBT9XM';
const redeemId = 'txn_01JD6Z4B5S7X1M3P8T2KDYQ0WE';
const reversalId = 'txn_01JD6Z5F9C2N6R8V4HJ1GAKZ3T';
const reservationId = 'res_01JD6Z6M4E8W0Q3B7YTS5XNDPK';
const enrollmentId = 'enr_01JD6Z7R1G5K9V2C6FHW8MJXQA';
const identifier = { loyalty_id: 'LC-1001' };

const balances = {
  points: 245.5,
  cashback_minor: null,
  stamps: null,
  visits: null,
  rewards_available: 2,
  currency: null,
};

const earned = {
  transaction_id: earnId,
  intent: 'earn',
  status: 'success',
  external_ref: 'R-1001',
  customer_id: customerId,
  card_id: cardId,
  amount_minor: 12500,
  currency: 'KWD',
  points: null,
  stamps: null,
  visits: null,
  new_balances: { ...balances, points: 257.5 },
  error: null,
  occurred_at: '2026-11-20T18:13:00.000Z',
  completed_at: '2026-11-20T18:13:01.000Z',
};

const redeemed = {
  ...earned,
  transaction_id: redeemId,
  intent: 'redeem',
  amount_minor: null,
  currency: null,
  points: 100,
  new_balances: { ...balances, points: 157.5, rewards_available: 1 },
  completed_at: '2026-11-20T18:13:00.000Z',
};

const enrolled = {
  status: 'enrolled',
  customer_id: customerId,
  card_id: cardId,
  wallet_install_url: `https://wallet.example/install/${cardId}`,
  verified: true,
  duplicate: false,
};

const reservation = {
  reservation_id: reservationId,
  state: 'reserved',
  card_id: cardId,
  points: 100,
  amount_minor: null,
  discount_value_minor: null,
  currency: null,
  expires_at: '2026-11-20T18:28:00.000Z',
  duplicate: false,
};

const reversal = {
  transaction_id: reversalId,
  status: 'pending',
  duplicate: false,
  reverses_transaction_id: redeemId,
};

/** One of every call; a test holds each against the contract. */
export const examples: Readonly<Record<EndpointName, CallExample>> = {
  identify: {
    body: identifier,
    answers: {
      200: {
        customer_id: customerId,
        name: 'Fatima Al-Sabah',
        phone: '+96599887766',
        email: 'fatima.alsabah@example.com',
        verified: true,
        balances_as_of: '2026-11-20T18:13:00.000Z',
        cards: [
          {
            card_id: cardId,
            template_name: 'Rewards club',
            card_type: 7,
            balances,
            available_rewards: [
              { reward_id: 'rwd_coffee', name: 'Free coffee' },
              { reward_id: 'rwd_cake', name: 'Free cake' },
            ],
            allowed_operations: ['earn_amount', 'earn_points', 'redeem_points', 'redeem_reward'],
          },
        ],
      },
    },
  },
  enroll: {
    body: { external_ref: 'E-1001', phone: '+96555512345', name: 'Noura Al-Enezi', channel: 'pos' },
    answers: {
      200: { ...enrolled, duplicate: true },
      201: enrolled,
      202: { enrollment_id: enrollmentId, status: 'awaiting_otp', otp_expires_at: '2026-11-20T18:18:00.000Z' },
    },
  },
  verify: {
    body: { enrollment_id: enrollmentId, otp: '493027' },
    answers: { 200: { ...enrolled, duplicate: true }, 201: enrolled },
  },
  history: { answers: { 200: { data: [redeemed, earned], next_cursor: null } } },
  earn: {
    body: { identifier, external_ref: 'R-1001', amount_minor: 12500, occurred_at: '2026-11-20T18:13:00Z' },
    answers: {
      200: { ...earned, duplicate: true },
      202: { transaction_id: earnId, status: 'pending', duplicate: false },
    },
  },
  redeem: {
    body: { identifier, external_ref: 'R-1001', points: 100 },
    answers: { 200: { ...redeemed, duplicate: false } },
  },
  reverse: {
    body: { external_ref: 'R-1001', intent: 'redeem', reason: 'returned goods' },
    answers: { 200: { ...reversal, duplicate: true }, 202: reversal },
  },
  reverseById: {
    body: { reversal_ref: 'RV-1001' },
    answers: { 200: { ...reversal, duplicate: true }, 202: reversal },
  },
  transaction: { answers: { 200: earned } },
  transactionsByReference: { answers: { 200: { data: [earned, redeemed] } } },
  reserve: {
    body: { identifier, external_ref: 'CART-77', points: 100, ttl_minutes: 15 },
    answers: { 200: { ...reservation, duplicate: true }, 201: reservation },
  },
  commit: {
    body: { external_ref: 'ORDER-5001' },
    answers: { 200: { ...redeemed, external_ref: 'ORDER-5001', duplicate: false } },
  },
  release: { answers: { 200: { ...reservation, state: 'released' } } },
};

/** Of a path parameter, by its name. */
export const parameterExamples: Readonly<Record<string, string>> = {
  customer_id: customerId,
  transaction_id: earnId,
  reservation_id: reservationId,
  external_ref: 'R-1001',
};
