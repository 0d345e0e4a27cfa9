import { expect } from 'vitest';
import type { Answer, CallOptions, TestFace } from '../../support/service-faces.ts';
import { openTill, type Till } from './till.ts';

/** A write that is ready to be sent, any number of times, and what it has done so far. */
interface PreparedWrite {
  send(options?: CallOptions): Promise<Answer>;
  /** Lets what is pending be applied, and looks at what has come of it. */
  effect(): Promise<unknown>;
}

/** One of the service's writes, with everything that a test of idempotency has to know. */
interface WriteCase {
  readonly name: string;
  /** The path to match in a fault rule. */
  readonly path: string;
  readonly firstStatus: number;
  readonly replayStatus: number;
  /** Whether the answer's shape has the field `duplicate`. */
  readonly saysDuplicate: boolean;
  /** What has come of it when it acted once. */
  readonly once: unknown;
  readonly prepare: (face: TestFace) => Promise<PreparedWrite>;
}

const pointsCard = { template_id: 'tpl_reward', balances: { points: 100 } };

/** How much could be redeemed now: told by refusals alone, so that looking changes nothing. */
async function freePoints(till: Till): Promise<number> {
  const { points } = await till.balances();
  let free = points;
  for (let more = 0; more <= points; more += 10) {
    const answer = await till.reserve(`PROBE-${more}`, { points: points - more });
    if (answer.status === 201) {
      await till.release(answer.body.reservation_id);
      free = points - more;
      break;
    }
    expect(answer.body.error.code).toBe('INSUFFICIENT_BALANCE');
  }
  return free;
}

async function rowsOf(till: Till): Promise<readonly string[]> {
  return (await till.history()).map((row: { intent: string; status: string }) => `${row.intent} ${row.status}`);
}

async function enrollmentOf(face: TestFace, externalRef: string, phone: string) {
  const { body } = await face.post('/customers/enroll', { external_ref: externalRef, phone });
  const { otp } = (await face.control('GET', `/otp/${body.enrollment_id}`)).body;
  return { enrollmentId: body.enrollment_id, otp };
}

/** The specification's writes, all of them; the redemptions once for each kind of value. */
export const everyWrite: readonly WriteCase[] = [
  {
    name: 'enroll',
    path: '/customers/enroll',
    firstStatus: 202,
    replayStatus: 202,
    saysDuplicate: false,
    once: { sends: 1, attempts: 0 },
    async prepare(face) {
      const body = { external_ref: 'E-1', phone: '+96555512399' };
      return {
        send: (options) => face.post('/customers/enroll', body, options),
        async effect() {
          // The very enrollment that the repeats name, with one code sent.
          const { enrollment_id: enrollmentId } = (await face.post('/customers/enroll', body)).body;
          const { sends, attempts } = (await face.control('GET', `/otp/${enrollmentId}`)).body;
          return { sends, attempts };
        },
      };
    },
  },
  {
    name: 'verify',
    path: '/customers/enroll/verify',
    firstStatus: 201,
    replayStatus: 200,
    saysDuplicate: true,
    once: { cards: 1, rows: ['enroll'] },
    async prepare(face) {
      const { enrollmentId, otp } = await enrollmentOf(face, 'E-1', '+96555512399');
      return {
        send: (options) => face.post('/customers/enroll/verify', { enrollment_id: enrollmentId, otp }, options),
        async effect() {
          const { body } = await face.post('/customers/identify', { phone: '+96555512399' });
          const { data } = (await face.get(`/customers/${body.customer_id}/transactions`)).body;
          return { cards: body.cards.length, rows: data.map((row: { intent: string }) => row.intent) };
        },
      };
    },
  },
  {
    name: 'earn',
    path: '/transactions/earn',
    firstStatus: 202,
    replayStatus: 202,
    saysDuplicate: true,
    once: { points: 107, rows: ['earn success'] },
    async prepare(face) {
      const till = await openTill(face, [pointsCard]);
      return {
        send: (options) => till.earn('R-1', { amount_minor: 7500 }, options),
        async effect() {
          await face.advance(1000);
          return { points: (await till.balances()).points, rows: await rowsOf(till) };
        },
      };
    },
  },
  ...(
    [
      ['points', pointsCard, { points: 30 }, { points: 70 }],
      [
        'amount_minor',
        { template_id: 'tpl_cashback', balances: { cashback_minor: 500 } },
        { amount_minor: 200 },
        { cashback_minor: 300 },
      ],
      ['stamps', { template_id: 'tpl_stamp', balances: { stamps: 9 } }, { stamps: 2 }, { stamps: 7 }],
      ['visits', { template_id: 'tpl_membership', balances: { visits: 9 } }, { visits: 2 }, { visits: 7 }],
      ['coupon_code', { template_id: 'tpl_coupon' }, {}, { rewards_available: 0 }],
      [
        'reward',
        { template_id: 'tpl_reward', balances: { points: 300 } },
        { reward: true, reward_id: 'rwd_cake' },
        { points: 200 },
      ],
    ] as const
  ).map(
    ([kind, card, fields, after]): WriteCase => ({
      name: `redeem, ${kind}`,
      path: '/transactions/redeem',
      firstStatus: 200,
      replayStatus: 200,
      saysDuplicate: true,
      once: { balances: expect.objectContaining(after), rows: ['redeem success'] },
      async prepare(face) {
        const till = await openTill(face, [card]);
        const value = kind === 'coupon_code' ? { coupon_code: till.cardId() } : fields;
        return {
          send: (options) => till.redeem('R-1', value, options),
          effect: async () => ({ balances: await till.balances(), rows: await rowsOf(till) }),
        };
      },
    }),
  ),
  ...(['earn', 'redeem'] as const).flatMap((intent) =>
    ([{ by: 'reference' }, { by: 'reversal_ref' }, { by: 'id' }] as const).map(
      ({ by }): WriteCase => ({
        name: `reverse, ${intent}, by ${by}`,
        path: by === 'id' ? '/transactions/{transaction_id}/reverse' : '/transactions/reverse',
        firstStatus: 202,
        replayStatus: 200,
        saysDuplicate: true,
        once: { points: 100, rows: ['reverse success', `${intent} reversed`] },
        async prepare(face) {
          const till = await openTill(face, [pointsCard]);
          const id =
            intent === 'earn'
              ? await till.earned('R-1', { points: 30 })
              : (await till.redeem('R-1', { points: 30 })).body.transaction_id;
          const fields = by === 'reversal_ref' ? { reversal_ref: 'V-1' } : {};
          return {
            send: (options) =>
              by === 'id' ? till.reverseById(id, {}, options) : till.reverse('R-1', intent, fields, options),
            async effect() {
              await face.advance(1000);
              return { points: (await till.balances()).points, rows: await rowsOf(till) };
            },
          };
        },
      }),
    ),
  ),
  {
    name: 'reserve',
    path: '/redemptions/reserve',
    firstStatus: 201,
    replayStatus: 200,
    saysDuplicate: true,
    once: { points: 100, free: 90, rows: [] },
    async prepare(face) {
      const till = await openTill(face, [pointsCard]);
      return {
        send: (options) => till.reserve('CART-1', { points: 10 }, options),
        effect: async () => ({
          points: (await till.balances()).points,
          free: await freePoints(till),
          rows: await rowsOf(till),
        }),
      };
    },
  },
  {
    name: 'commit',
    path: '/redemptions/{reservation_id}/commit',
    firstStatus: 200,
    replayStatus: 200,
    saysDuplicate: true,
    once: { points: 90, free: 90, rows: ['redeem success'] },
    async prepare(face) {
      const till = await openTill(face, [pointsCard]);
      const reservationId = await till.reserved('CART-1', { points: 10 });
      return {
        send: (options) => till.commit(reservationId, 'ORDER-1', options),
        effect: async () => ({
          points: (await till.balances()).points,
          free: await freePoints(till),
          rows: await rowsOf(till),
        }),
      };
    },
  },
  {
    name: 'release',
    path: '/redemptions/{reservation_id}/release',
    firstStatus: 200,
    replayStatus: 200,
    saysDuplicate: true,
    // Another cart's hold is not let go of.
    once: { points: 100, free: 80, rows: [] },
    async prepare(face) {
      const till = await openTill(face, [pointsCard]);
      const reservationId = await till.reserved('CART-1', { points: 10 });
      await till.reserved('CART-2', { points: 20 });
      return {
        send: (options) => till.release(reservationId, options),
        effect: async () => ({
          points: (await till.balances()).points,
          free: await freePoints(till),
          rows: await rowsOf(till),
        }),
      };
    },
  },
];
