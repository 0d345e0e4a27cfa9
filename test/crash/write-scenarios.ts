import { expect } from 'vitest';
import type { Decision } from '../../app/store/schema/operation-values.ts';
import { appliedEarn, earn, enroll, id, redeem, reserved, reverse, untilState, write } from './counter-acts.ts';
import type { KillableShop } from './killable.ts';
import {
  agrees,
  type Findings,
  identifier,
  isTakenBack,
  onEachLine,
  type Scenario,
  standsAsTold,
  startPoints,
} from './scenario.ts';

let reservationId = '';
let enrollmentId = '';
const prepareHold = async (at: KillableShop) => {
  reservationId = await reserved(at);
};

const decisionScenario = (decision: Decision, fault: string): Scenario => ({
  name: `the decision ${decision} over a redemption (${fault}), and all that follows`,
  async work(at) {
    await at.shop.fault('/transactions/redeem', { type: fault });
    await at.shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
    await redeem(at, { points: 7 }, 2_000);
    await at.ask('decide', () => at.shop.core.decide(id('cafe'), decision));
    await at.shop.mend();
    await at.pass(90_000);
  },
  async again(at) {
    await redeem(at);
  },
  points: { 'redeem X-1': -7 },
  async check(found) {
    const held = await found.held('X-1', 'redeem');
    const row = found.row('X-1', 'redeem');
    agrees(found, held, row);
    if (found.told('decide').includes('decided') || row?.decision === decision) {
      if (decision === 'give_it') expect(held, found.what).toBe('success');
      else expect(['nothing', 'reversed'], found.what).toContain(held);
    } else await standsAsTold(found, { what: 'redeem', intent: 'redeem' });
    // Nobody is told that points were spent in the place of what was paid.
    const after = found.answers.slice(found.answers.findIndex(({ kind }) => kind === 'decided') + 1);
    if (row?.decision === 'take_full_payment' && found.told('decide').includes('decided')) {
      expect(
        after.map(({ kind }) => kind),
        found.what,
      ).not.toContain('done');
    }
  },
});

const codeScenario = (name: string, waitMs: number): Scenario => ({
  name,
  async prepare(at) {
    const outcome = await enroll(at);
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
    enrollmentId = (outcome.answer as { enrollment_id: string }).enrollment_id;
  },
  async work(at) {
    const { otp } = await at.shop.call('GET', `/_sandbox/otp/${enrollmentId}`);
    const path = '/customers/enroll/verify';
    const body = { enrollment_id: enrollmentId, otp };
    await write(at, 'verify', { intent: 'verify', path, externalRef: `${enrollmentId}#1`, body }, { waitMs });
  },
  points: {},
  async check({ shop, told, what }) {
    const found = await shop.call('POST', '/v1/customers/identify', { phone: '+96550009977' });
    if (told('verify').includes('done')) expect(found.name, what).toBe('Huda');
    if (told('verify').at(-1) === 'not_saved') expect(found.error?.code, what).toBe('CUSTOMER_NOT_FOUND');
  },
  restMs: 4 * 3_600_000,
});

const decider = { person: 'Maha', reason: 'seen at the till' };

const attentionScenario = (
  name: string,
  decide: (at: KillableShop) => Promise<{ readonly kind: string }>,
  check: (found: Findings, isDecided: boolean) => Promise<void>,
): Scenario => ({
  name,
  async prepare(at) {
    await at.shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
    await earn(at);
    await untilState(at, 'X-1', 'refused');
  },
  async work(at) {
    await at.ask('decide', () => decide(at));
    await at.pass(10_000);
  },
  points: { 'earn X-1': 5 },
  check: (found) => check(found, found.told('decide').includes('done')),
});

const handful = ['X-1', 'X-2', 'X-3', 'X-4'] as const;

/** Every write and every decision, on every line. */
export const scenarios: readonly Scenario[] = [
  ...onEachLine('/transactions/earn', {
    name: 'an earn',
    async work(at) {
      await earn(at);
      await at.pass(5_000);
    },
    points: { 'earn X-1': 5 },
    async check(found) {
      const held = await found.held('X-1', 'earn');
      agrees(found, held, found.row('X-1', 'earn'));
      if (found.told('earn X-1').includes('saved')) expect(held, found.what).toBe('success');
    },
  }),
  {
    name: 'an earn that the service records and then fails',
    async work(at) {
      await earn(at);
      for (let looks = 0; looks < 20; looks += 1) {
        await at.pass(250);
        const [held] = await at.shop.held('X-1');
        if (held?.status === 'pending') {
          await at.shop.call('POST', `/_sandbox/transactions/${held.transaction_id}/fail`, { code: 'INTERNAL' });
        }
      }
    },
    points: { 'earn X-1': 5 },
    async check(found) {
      const held = await found.held('X-1', 'earn');
      agrees(found, held, found.row('X-1', 'earn'));
      if (found.told('earn X-1').includes('saved')) expect(['success', 'failed'], found.what).toContain(held);
    },
  },
  ...onEachLine('/transactions/earn', {
    name: 'a handful of earns',
    async work(at) {
      await Promise.all(handful.map((reference) => earn(at, reference)));
      await at.pass(8_000);
    },
    points: { 'earn X-1': 5, 'earn X-2': 6, 'earn X-3': 0, 'earn X-4': 0 },
    async check(found) {
      for (const reference of handful) {
        const held = await found.held(reference, 'earn');
        agrees(found, held, found.row(reference, 'earn'));
        const isSaved = found.told(`earn ${reference}`).includes('saved');
        if (isSaved) expect(held, found.what).toBe(reference === 'X-4' ? 'nothing' : 'success');
      }
    },
  }),
  ...onEachLine('/transactions/redeem', {
    name: 'a redemption',
    work: async (at) => void (await redeem(at)),
    points: { 'redeem X-1': -7 },
    check: (found) => standsAsTold(found, { what: 'redeem', intent: 'redeem' }),
  }),
  ...onEachLine('/transactions/redeem', {
    name: 'a redemption for which somebody waits',
    work: async (at) => void (await redeem(at, { points: 7 }, 60_000)),
    points: { 'redeem X-1': -7 },
    check: (found) => standsAsTold(found, { what: 'redeem', intent: 'redeem' }),
  }),
  ...onEachLine('/transactions/redeem', {
    name: 'a claimed reward',
    work: async (at) => void (await redeem(at, { reward: true, reward_id: 'rwd_cake' })),
    points: { 'redeem X-1': -100 },
    check: (found) => standsAsTold(found, { what: 'redeem', intent: 'redeem' }),
  }),
  ...onEachLine('/transactions/reverse', {
    name: 'the reversal of an applied earn',
    prepare: appliedEarn,
    async work(at) {
      await reverse(at, 'earn');
      await at.pass(5_000);
    },
    points: { 'earn X-1': 5 },
    check: (found) => isTakenBack(found, 'earn'),
  }),
  ...onEachLine('/transactions/earn', {
    name: 'the reversal of an earn that is on its way',
    async work(at) {
      await earn(at);
      await reverse(at, 'earn');
      await at.pass(10_000);
    },
    async again(at) {
      await earn(at);
      await reverse(at, 'earn');
    },
    points: { 'earn X-1': 5 },
    async check(found) {
      const held = await found.held('X-1', 'earn');
      agrees(found, held, found.row('X-1', 'earn'));
      const isPromised = found.told('reverse').some((kind) => kind === 'saved' || kind === 'cancelled');
      if (isPromised) expect(['reversed', 'nothing'], found.what).toContain(held);
      // A kill between the two: what was saved is either still a sale, or was taken back though nobody heard of it.
      else if (found.told('earn X-1').includes('saved')) expect(held, found.what).not.toBe('failed');
    },
  }),
  ...onEachLine('/transactions/reverse', {
    name: 'the reversal of a redemption',
    prepare: async (at) => void (await redeem(at)),
    work: (at) => reverse(at, 'redeem'),
    points: { 'redeem X-1': -7, 'reverse reverse-redeem-X-1': 0 },
    check: (found) => isTakenBack(found, 'redeem'),
  }),
  ...onEachLine('/redemptions/*', {
    name: 'a hold',
    work: async (at) =>
      void (await write(at, 'reserve', {
        intent: 'reserve',
        path: '/redemptions/reserve',
        externalRef: 'CART-1#1',
        body: { identifier, external_ref: 'CART-1', points: 245 },
      })),
    points: {},
    check({ points, what }) {
      expect(points, what).toBe(startPoints);
    },
    restMs: 4 * 3_600_000,
  }),
  ...onEachLine('/redemptions/*', {
    name: 'the commit of a hold',
    prepare: prepareHold,
    work: async (at) =>
      void (await write(at, 'commit', {
        intent: 'commit',
        path: `/redemptions/${reservationId}/commit`,
        externalRef: 'X-1',
        body: { external_ref: 'X-1' },
      })),
    points: { 'commit X-1': -245 },
    check: (found) => standsAsTold(found, { what: 'commit', intent: 'commit' }),
  }),
  ...onEachLine('/redemptions/*', {
    name: 'the release of a hold',
    prepare: prepareHold,
    work: async (at) =>
      void (await write(at, 'release', {
        intent: 'release',
        path: `/redemptions/${reservationId}/release`,
        externalRef: `${reservationId}#1`,
        body: null,
      })),
    points: {},
    async check({ shop, row, what }) {
      const spent = await shop.call('POST', '/v1/transactions/redeem', {
        identifier,
        external_ref: 'ALL',
        points: 245,
      });
      // Whatever was saved of it is finished: somebody wants the points free.
      if (row(`${reservationId}#1`, 'release') !== undefined) expect(spent.status, what).toBe('success');
    },
  }),
  ...onEachLine('/customers/enroll', {
    name: 'an enrollment',
    work: async (at) => void (await enroll(at)),
    points: {},
    check: () => undefined,
    restMs: 4 * 3_600_000,
  }),
  ...onEachLine('/customers/enroll/verify', codeScenario('a code', 0)),
  ...onEachLine('/customers/enroll/verify', codeScenario('a code for which somebody waits', 60_000)),
  decisionScenario('take_full_payment', 'drop_request'),
  decisionScenario('take_full_payment', 'drop_response'),
  decisionScenario('give_it', 'drop_request'),
  decisionScenario('give_it', 'drop_response'),
  attentionScenario(
    'sending a refused sale again',
    (at) => at.shop.core.resend(id('feed'), decider),
    async (found, isDecided) => {
      const held = await found.held('X-1', 'earn');
      agrees(found, held, found.row('X-1', 'earn'));
      if (isDecided) expect(held, found.what).toBe('success');
      if (found.told('decide').includes('not_saved')) expect(held, found.what).toBe('nothing');
    },
  ),
  attentionScenario(
    'giving up a refused sale',
    (at) => at.shop.core.writeOff(id('feed'), decider),
    async (found, isDecided) => {
      expect(await found.held('X-1', 'earn'), found.what).toBe('nothing');
      const isNotSaved = found.told('decide').includes('not_saved');
      const states = isDecided ? ['written_off'] : isNotSaved ? ['refused'] : ['refused', 'written_off'];
      expect(states, found.what).toContain(found.row('X-1', 'earn')?.state);
    },
  ),
  {
    ...attentionScenario(
      'correcting a refused sale',
      (at) => at.shop.core.correct(id('feed'), { points: 9 }, decider),
      async (found, isDecided) => {
        const held = await found.held('X-1', 'earn');
        agrees(found, held, found.row('X-1', 'earn'));
        if (isDecided) expect(held, found.what).toBe('success');
        if (found.told('decide').includes('not_saved')) expect(held, found.what).toBe('nothing');
      },
    ),
    points: { 'earn X-1': 9 },
  },
  {
    name: 'a new operation in the place of a failed one',
    async prepare(at) {
      await earn(at);
      const { serviceTransactionId } = await untilState(at, 'X-1', 'accepted');
      await at.shop.call('POST', `/_sandbox/transactions/${serviceTransactionId}/fail`, { code: 'INTERNAL' });
      await untilState(at, 'X-1', 'failed');
    },
    async work(at) {
      await at.ask('decide', () => at.shop.core.replace(id('feed'), decider));
      await at.pass(10_000);
    },
    points: { 'earn X-1-2': 5 },
    async check(found) {
      const held = await found.held('X-1-2', 'earn');
      agrees(found, held, found.row('X-1-2', 'earn'));
      if (found.told('decide').includes('done')) expect(held, found.what).toBe('success');
      // The old one is never open beside the new one.
      const old = found.row('X-1', 'earn')?.state;
      expect(old, found.what).toBe(held === 'nothing' ? 'failed' : 'written_off');
    },
  },
];
