import { afterAll, describe, expect, it } from 'vitest';
import type { ImmediateWrite } from '../../app/operations/immediate-write.ts';
import type { Decision, Operation } from '../../app/operations/operation.ts';
import { KillableShop, type Told } from './killable.ts';
import { watchStatements } from './statement-watch.ts';

const watch = watchStatements();
afterAll(() => watch.stop());

// LONG_TESTS=1 makes it long.
const isLong = process.env.LONG_TESTS === '1';

/** More effects than any of these has. */
const mostEffects = 80;
const startPoints = 245.5;
const identifier = { loyalty_id: 'LC-1001' };
const id = (last: string) => `00000000-0000-4000-8000-00000000${last}`;

/** What is found when everything has come to rest. */
interface Findings {
  /** What the service holds of an intent under a reference; every one exactly once. */
  readonly held: (reference: string, intent?: string) => Promise<string>;
  readonly heldAtKill: (reference: string, intent?: string) => string;
  /** What the agent says of it. */
  readonly row: (reference: string, intent?: string) => Operation | undefined;
  readonly told: (what: string) => readonly string[];
  readonly answers: readonly Told[];
  readonly points: number;
  readonly asksAgain: boolean;
  readonly shop: KillableShop['shop'];
  /** For messages. */
  readonly what: string;
}

interface Scenario {
  readonly name: string;
  /** What has to stand before. */
  readonly prepare?: (at: KillableShop) => Promise<void>;
  /** What is cut short by the kill. */
  readonly work: (at: KillableShop) => Promise<void>;
  /** What a caller who got no answer asks after the kill; the work once more without it. */
  readonly again?: (at: KillableShop) => Promise<void>;
  readonly check: (found: Findings) => Promise<void> | void;
  /** References that the books are compared for, with what they do to the card's points. */
  readonly points: Readonly<Record<string, number>>;
  /** How long until everything is known: codes and holds are not in the books, and have to run out. */
  readonly restMs?: number;
}

const atOnce = { waitMs: 0 };

const earn = (at: KillableShop, reference = 'X-1', points = 5) =>
  at.ask(`earn ${reference}`, () =>
    at.shop.core.saveEarn({
      origin: 'bridge',
      operationId: id(reference === 'X-1' ? 'feed' : 'beef'),
      request: { identifier, external_ref: reference, points },
      customerName: null,
      receiptNumber: null,
      idempotencyKey: null,
    }),
  );

async function appliedEarn(at: KillableShop): Promise<void> {
  await earn(at);
  await untilState(at, 'X-1', 'applied');
}

async function untilState(at: KillableShop, reference: string, state: string): Promise<Operation> {
  for (let time = 0; time < 200; time += 1) {
    const [row] = at.shop.core.operationsByReference(reference);
    if (row?.state === state) return row;
    await at.pass(250);
  }
  throw new Error(`${reference} did not come to be ${state}`);
}

const redemption = (at: KillableShop, value: object, part: Partial<ImmediateWrite> = {}) => ({
  ...at.shop.redemption('X-1', value),
  operationId: id('cafe'),
  ...part,
});

const redeem = (at: KillableShop, value: object = { points: 7 }, waitMs = 0, part: Partial<ImmediateWrite> = {}) =>
  at.ask('redeem', () => at.shop.core.perform(redemption(at, value, part), { waitMs }));

const write = (at: KillableShop, what: string, part: Partial<ImmediateWrite>) =>
  at.ask(what, () =>
    at.shop.core.perform(
      { ...redemption(at, {}), identifier: null, operationId: id(`${what.length}abc`), ...part },
      atOnce,
    ),
  );

async function reverse(at: KillableShop, intent: 'earn' | 'redeem'): Promise<void> {
  const row = at.shop.core.operationsByReference('X-1').find((operation) => operation.intent === intent);
  if (row === undefined) throw new Error('There is nothing to take back');
  const asked = await at.ask('reverse', () =>
    at.shop.core.reverse(row.rowId, {
      origin: 'till',
      operationId: id('fade'),
      reversalRef: null,
      reason: null,
      idempotencyKey: null,
    }),
  );
  if (asked.kind === 'immediate') await at.ask('reversal', () => at.shop.core.perform(asked.write, atOnce));
}

const faults = [
  { words: '', fault: null },
  { words: ' whose request is lost', fault: 'drop_request' },
  { words: ' whose answer is lost', fault: 'drop_response' },
  { words: ' whose answer is cut', fault: 'partial_response' },
] as const;

/** The same with every way in which the line can fail it. */
function onEachLine(path: string, scenario: Scenario): readonly Scenario[] {
  // An answer that is cut is an answer that is lost, but for the client's eyes.
  const lines = faults.filter(
    ({ fault }) => isLong || scenario.name === 'a redemption' || fault !== 'partial_response',
  );
  return lines.map(({ words, fault }) => ({
    ...scenario,
    name: scenario.name + words,
    async prepare(at: KillableShop) {
      await scenario.prepare?.(at);
      if (fault !== null) await at.shop.fault(path, { type: fault }, 1);
    },
  }));
}

/** Who was told that it is done can rely on it; who was told nothing has paid in another way. */
async function standsAsTold(found: Findings, part: { what: string; intent: string }): Promise<void> {
  const { what, intent } = part;
  const held = await found.held('X-1', intent);
  if (found.told(what).includes('done')) expect(held, found.what).toBe('success');
  else if (!found.asksAgain) expect(held, found.what).toBe(found.heldAtKill('X-1', intent));
  agrees(found, held, found.row('X-1', intent));
}

function agrees(found: Findings, held: string, row: Operation | undefined): void {
  const agreeing: Readonly<Record<string, readonly (string | undefined)[]>> = {
    nothing: [undefined, 'cancelled', 'refused'],
    success: ['applied'],
    reversed: ['reversed'],
  };
  expect(agreeing[held], found.what).toContain(row?.state);
}

async function isTakenBack(found: Findings, intent: 'earn' | 'redeem'): Promise<void> {
  const held = await found.held('X-1', intent);
  agrees(found, held, found.row('X-1', intent));
  const isPromised = found.told('reverse').some((kind) => kind === 'saved' || kind === 'cancelled');
  if (isPromised || found.told('reversal').includes('done'))
    expect(['reversed', 'nothing'], found.what).toContain(held);
  // What was saved goes out by itself. What somebody had to wait for does not, once they have gone.
  else if (!found.asksAgain && intent === 'redeem') {
    const hasArrived = found.heldAtKill('reverse-redeem-X-1', 'reverse') !== 'nothing';
    expect(held, found.what).toBe(hasArrived ? 'reversed' : 'success');
  }
}

async function reserved(at: KillableShop): Promise<string> {
  const outcome = await write(at, 'reserve', {
    intent: 'reserve',
    path: '/redemptions/reserve',
    externalRef: 'CART-1#1',
    body: { identifier, external_ref: 'CART-1', points: 245 },
  });
  if (outcome.kind !== 'done') throw new Error(outcome.kind);
  return (outcome.answer as { reservation_id: string }).reservation_id;
}

let reservationId = '';
let enrollmentId = '';
const prepareHold = async (at: KillableShop) => {
  reservationId = await reserved(at);
};

const enroll = (at: KillableShop) =>
  write(at, 'enroll', {
    intent: 'enroll',
    path: '/customers/enroll',
    externalRef: 'EN-1#1',
    body: { external_ref: 'EN-1', phone: '+96550009977', name: 'Huda' },
  });

const decisionScenario = (decision: Decision, fault: string): Scenario => ({
  name: `the decision ${decision} over a redemption (${fault}), and all that follows`,
  async prepare(at) {
    await at.shop.fault('/transactions/redeem', { type: fault });
    await at.shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
  },
  async work(at) {
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

const scenarios: readonly Scenario[] = [
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
  ...onEachLine('/customers/enroll/verify', {
    name: 'a code',
    async prepare(at) {
      const outcome = await enroll(at);
      if (outcome.kind !== 'done') throw new Error(outcome.kind);
      enrollmentId = (outcome.answer as { enrollment_id: string }).enrollment_id;
    },
    async work(at) {
      const { otp } = await at.shop.call('GET', `/_sandbox/otp/${enrollmentId}`);
      const path = '/customers/enroll/verify';
      const body = { enrollment_id: enrollmentId, otp };
      await write(at, 'verify', { intent: 'verify', path, externalRef: `${enrollmentId}#1`, body });
    },
    points: {},
    async check({ shop, told, what }) {
      const found = await shop.call('POST', '/v1/customers/identify', { phone: '+96550009977' });
      if (told('verify').includes('done')) expect(found.name, what).toBe('Huda');
    },
    restMs: 4 * 3_600_000,
  }),
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
    },
  ),
  attentionScenario(
    'giving up a refused sale',
    (at) => at.shop.core.writeOff(id('feed'), decider),
    async (found, isDecided) => {
      expect(await found.held('X-1', 'earn'), found.what).toBe('nothing');
      const states = isDecided ? ['written_off'] : ['refused', 'written_off'];
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

const intentInBooks: Readonly<Record<string, string>> = { commit: 'redeem' };

async function standing(at: KillableShop, reference: string, intent: string): Promise<string> {
  const rows = (await at.shop.held(reference)).filter((row) => row.intent === (intentInBooks[intent] ?? intent));
  expect(rows.length, `${intent} ${reference} once`).toBeLessThanOrEqual(1);
  return rows[0]?.status ?? 'nothing';
}

function waiting({ shop }: KillableShop) {
  const { queued, sending, unknown, accepted } = shop.core.status().operations;
  return { queued, sending, unknown, accepted };
}

const nothing = { queued: 0, sending: 0, unknown: 0, accepted: 0 };

/** Until nothing waits any more, and then for a while: what is at rest stays so. */
async function rest(at: KillableShop, restMs: number): Promise<void> {
  for (let steps = 0; steps < 80; steps += 1) {
    const isQuiet = Object.values(waiting(at)).every((count) => count === 0);
    if (isQuiet && steps > 0) break;
    await at.shop.pass(restMs / 80, restMs / 80);
  }
  await at.shop.pass(120_000, 15_000);
}

/** @returns whether the work ended before the kill */
async function killAndCompare(scenario: Scenario, effects: number, asksAgain: boolean): Promise<boolean> {
  const at = new KillableShop(watch);
  try {
    await at.shop.pass(1_000);
    await scenario.prepare?.(at);
    at.told.length = 0;
    at.killAfter(effects);
    const hasEnded = await at.work(() => scenario.work(at));
    // What is on the wire arrives, before anybody looks.
    await at.shop.quiet();
    await at.shop.mend();
    const heldAtKill = new Map<string, string>();
    for (const key of Object.keys(scenario.points)) {
      const [intent = '', reference = ''] = key.split(' ');
      heldAtKill.set(key, await standing(at, reference, intent));
    }
    const before = at.effects;
    await at.comeBack();
    if (asksAgain) {
      await at.shop.pass(500);
      await (scenario.again ?? scenario.work)(at);
    }
    const restMs = scenario.restMs ?? 400_000;
    await rest(at, restMs);
    const told = (what: string) => at.told.filter((entry) => entry.what === what).map(({ kind }) => kind);
    const words = at.told.map(({ what, kind }) => `${what}: ${kind}`).join('; ');
    const what = `killed after [${before}]; told [${words}]; at the kill [${[...heldAtKill].join(' ')}]`;
    let points = startPoints;
    for (const [key, value] of Object.entries(scenario.points)) {
      const [intent = '', reference = ''] = key.split(' ');
      if ((await standing(at, reference, intent)) === 'success') points += value;
    }
    expect(await at.shop.points(), what).toBe(points);
    expect(waiting(at), what).toEqual(nothing);
    await scenario.check({
      held: (reference, intent = 'earn') => standing(at, reference, intent),
      heldAtKill: (reference, intent = 'earn') => heldAtKill.get(`${intent} ${reference}`) ?? 'nothing',
      row: (reference, intent = 'earn') =>
        at.shop.core.operationsByReference(reference).find((operation) => operation.intent === intent),
      told,
      answers: at.told,
      points,
      asksAgain,
      shop: at.shop,
      what,
    });
    // The one that was killed still finds its files gone.
    expect(at.shop.errors.filter((line) => !line.includes('deleted or replaced'))).toEqual([]);
    return hasEnded;
  } finally {
    await at.shop.end();
  }
}

describe.each(scenarios)('a kill after any effect of $name', (scenario) => {
  it.each([
    ['nobody asks again', false],
    ['the caller asks again', true],
  ])(
    'ends with what the service holds, once, when %s',
    async (_, asksAgain) => {
      let effects = 0;
      while (!(await killAndCompare(scenario, effects, asksAgain))) {
        effects += 1;
        expect(effects).toBeLessThan(mostEffects);
      }
      expect(effects).toBeGreaterThan(0);
    },
    120_000,
  );
});
