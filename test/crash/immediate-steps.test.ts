import { afterEach, describe, expect, it } from 'vitest';
import type { Operation } from '../../app/operations/operation.ts';
import { CounterShop } from '../support/counter-shop.ts';

// Everything that the agent does is done in this thread, a piece at each turn of the event loop. So a kill after the
// first turn, after the second, and so on until nothing is left to do, meets every state that the disk can be found in
// between saving, marking, sending and settling.

/** More turns than any of these needs. */
const mostTurns = 80;

let shop: CounterShop;
afterEach(() => shop.end());

interface Scenario {
  readonly name: string;
  /** What has to stand before. */
  readonly prepare?: (shop: CounterShop) => Promise<void>;
  /** The same at each call: also for a caller who asks again after the kill. */
  readonly ask: (shop: CounterShop) => Promise<unknown>;
  readonly reference: string;
  readonly intent: string;
  /** Whether it takes back what was prepared. */
  readonly isReversal?: boolean;
  /** Somebody waits for it: it is never sent again once they have gone. */
  readonly isImmediate?: boolean;
  /** Effects of the line at this call, which the service's faults make. */
  readonly fault?: { readonly path: string; readonly type: string };
}

const noWait = { waitMs: 0 };
const identifier = { loyalty_id: 'LC-1001' };

/** An earn that is applied before anything else happens. */
async function applied(at: CounterShop, externalRef: string): Promise<Operation> {
  await at.core.saveEarn({
    origin: 'till',
    operationId: '00000000-0000-4000-8000-00000000beef',
    request: { identifier, external_ref: externalRef, points: 5 },
    customerName: null,
    receiptNumber: null,
    idempotencyKey: null,
  });
  for (let time = 0; time < 40; time += 1) {
    await at.pass(500);
    const [row] = at.core.operationsByReference(externalRef);
    if (row?.state === 'applied') return row;
  }
  throw new Error(`${externalRef} was not applied`);
}

const write = (at: CounterShop, part: object) =>
  at.core.perform(
    { ...at.redemption('X-1', { points: 7 }), operationId: '00000000-0000-4000-8000-00000000cafe', ...part },
    noWait,
  );

const reverseRequest = {
  origin: 'till',
  operationId: '00000000-0000-4000-8000-00000000fade',
  reversalRef: null,
  reason: null,
  idempotencyKey: null,
} as const;

async function reverse(at: CounterShop, externalRef: string): Promise<unknown> {
  const [row] = at.core.operationsByReference(externalRef);
  const outcome = await at.core.reverse(row?.rowId ?? 0, reverseRequest);
  return outcome.kind === 'immediate' ? at.core.perform(outcome.write, noWait) : outcome;
}

const redeem: Omit<Scenario, 'name'> = {
  ask: (at) => write(at, {}),
  reference: 'X-1',
  intent: 'redeem',
  isImmediate: true,
};
const lines = [
  { words: '', fault: undefined },
  { words: ' whose request is lost', fault: 'drop_request' },
  { words: ' whose answer is lost', fault: 'drop_response' },
  { words: ' whose answer is cut', fault: 'partial_response' },
] as const;

const scenarios: readonly Scenario[] = [
  ...lines.map(({ words, fault }) => ({
    ...redeem,
    name: `a redemption${words}`,
    ...(fault === undefined ? {} : { fault: { path: '/transactions/redeem', type: fault } }),
  })),
  ...lines.map(({ words, fault }) => ({
    name: `the reversal of an earn${words}`,
    prepare: async (at: CounterShop) => void (await applied(at, 'X-1')),
    ask: (at: CounterShop) => reverse(at, 'X-1'),
    isReversal: true,
    reference: 'X-1',
    intent: 'earn',
    ...(fault === undefined ? {} : { fault: { path: '/transactions/*', type: fault } }),
  })),
  ...lines.map(({ words, fault }) => ({
    name: `the reversal of a redemption${words}`,
    prepare: async (at: CounterShop) => void (await at.passUntil(write(at, {}))),
    ask: (at: CounterShop) => reverse(at, 'X-1'),
    isReversal: true,
    reference: 'X-1',
    intent: 'redeem',
    ...(fault === undefined ? {} : { fault: { path: '/transactions/*', type: fault } }),
  })),
  ...lines.map(({ words, fault }) => ({
    name: `an earn${words}`,
    ask: (at: CounterShop) =>
      at.core.saveEarn({
        origin: 'bridge',
        operationId: '00000000-0000-4000-8000-00000000feed',
        request: { identifier, external_ref: 'X-1', points: 5 },
        customerName: null,
        receiptNumber: null,
        idempotencyKey: null,
      }),
    reference: 'X-1',
    intent: 'earn',
    ...(fault === undefined ? {} : { fault: { path: '/transactions/earn', type: fault } }),
  })),
];

/** Kills the agent after so many turns. @returns whether it had ended by itself before, and what it had answered */
async function killAfter(
  turns: number,
  scenario: Scenario,
): Promise<{ readonly hasEnded: boolean; readonly told: unknown }> {
  let told: unknown = null;
  let hasEnded = false;
  void scenario.ask(shop).then(
    (outcome) => {
      told = outcome;
      hasEnded = true;
    },
    () => undefined,
  );
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  const answer = { hasEnded, told };
  shop.crash();
  return answer;
}

const kindOf = (told: unknown) => (typeof told === 'object' && told !== null && 'kind' in told ? told.kind : null);

describe.each(scenarios)('a kill at any step of $name', (scenario) => {
  it.each([
    ['nobody asks again', false],
    ['the caller asks again', true],
  ])(
    'ends with what the service holds, once, when %s',
    async (_, asksAgain) => {
      let quietTurns = 0;
      for (let turns = 0; turns < mostTurns && quietTurns < 6; turns += 1) {
        shop = new CounterShop();
        await shop.pass(1_000);
        await scenario.prepare?.(shop);
        if (scenario.fault !== undefined) await shop.fault(scenario.fault.path, { type: scenario.fault.type }, 1);
        const { hasEnded, told } = await killAfter(turns, scenario);
        if (hasEnded) quietTurns += 1;
        // What is on the wire arrives.
        await shop.quiet();
        const heldAtKill = await statusAtService(scenario);
        await shop.mend();
        shop.start();
        const answers = [told];
        if (asksAgain) {
          await shop.pass(500);
          answers.push(await shop.passUntil(scenario.ask(shop)));
        }
        await shop.pass(400_000, 5_000);
        await checkBooks({ scenario, turns, answers, heldAtKill });
        // The one that was killed still finds its files gone.
        expect(shop.errors.filter((line) => !line.includes('deleted or replaced'))).toEqual([]);
        await shop.end();
      }
      expect(quietTurns).toBe(6);
      shop = new CounterShop();
    },
    120_000,
  );
});

async function statusAtService({ reference, intent }: Scenario): Promise<string> {
  const rows = (await shop.held(reference)).filter((row) => row.intent === intent);
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0]?.status ?? 'nothing';
}

const agreeing: Readonly<Record<string, readonly (string | undefined)[]>> = {
  nothing: [undefined, 'cancelled', 'refused'],
  success: ['applied'],
  reversed: ['reversed'],
};

async function checkBooks(run: {
  readonly scenario: Scenario;
  readonly turns: number;
  readonly answers: readonly unknown[];
  readonly heldAtKill: string;
}): Promise<void> {
  const { scenario, turns, answers, heldAtKill } = run;
  const [row] = shop.core.operationsByReference(scenario.reference).filter(({ intent }) => intent === scenario.intent);
  const status = await statusAtService(scenario);
  const kinds = answers.map(kindOf);
  const what = `killed after ${turns} turns; told ${kinds.join()}; ${row?.state}; held ${heldAtKill} and then ${status}`;
  expect(agreeing[status], what).toContain(row?.state);
  // What was saved or done is never lost, whatever comes after.
  if (kinds.includes('saved') || kinds.includes('done')) {
    expect(status, what).toBe(scenario.isReversal === true ? 'reversed' : 'success');
  }
  // Whoever has gone without an answer has paid in another way.
  if (scenario.isImmediate === true && answers.length === 1) expect(status, what).toBe(heldAtKill);
  const { queued, sending, unknown, accepted } = shop.core.status().operations;
  expect({ queued, sending, unknown, accepted }, what).toEqual({ queued: 0, sending: 0, unknown: 0, accepted: 0 });
  const gained = status === 'success' ? ({ earn: 5, redeem: -7 }[scenario.intent] ?? 0) : 0;
  expect(await shop.points(), what).toBe(245.5 + gained);
}
