import { beforeEach, describe, expect, test } from 'vitest';
import type { Operation } from '../../app/store/schema/operation.ts';
import type { BridgeReply } from '../support/bridge-server.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

// Every combination of what became of the original, of an earlier reversal, of the reference and of the way it is asked
// for. Whatever the answer is: what was promised is done in the end, and the till's books are the service's.
let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
});

const identifier = { loyalty_id: 'LC-1001' };
const post = (path: string, body?: object) => shop.passUntil(bridge.call('POST', `/v1${path}`, body));

const intents = ['earn', 'redeem'] as const;
/** What was asked for before, and when. */
const earlierOnes = [
  'none',
  'before the original came: unknown to the service',
  'before the original came: its request was lost',
  'after the original: done',
  'after the original: its request was lost',
  'after the original: its answer was lost',
] as const;
const references = ['the same', 'another', 'none'] as const;
const ways = ['by reference', 'by id'] as const;
type Case = {
  readonly ref: string;
  readonly intent: (typeof intents)[number];
  readonly earlier: (typeof earlierOnes)[number];
  readonly reference: (typeof references)[number];
  readonly way: (typeof ways)[number];
};
const cases: readonly Case[] = intents.flatMap((intent) =>
  earlierOnes.flatMap((earlier) =>
    references.flatMap((reference) =>
      ways.map((way) => {
        const ref = [intent, earlierOnes.indexOf(earlier), references.indexOf(reference), ways.indexOf(way)].join('-');
        return { ref, intent, earlier, reference, way };
      }),
    ),
  ),
);

const faultOf = (path: string, ref: string, effect: object, times?: number) =>
  shop.call('POST', '/_sandbox/faults', { match: { path, external_ref: ref }, effect, ...(times ? { times } : {}) });

/** How the original comes to stand as it does when its reversal is asked for. */
const originals = {
  'is not here': async () => undefined,
  'is applied': async (one: Case) => void (await take(one)),
  'is on its way': async (one: Case) => {
    await faultOf(`/transactions/${one.intent}`, one.ref, { type: 'drop_request' }, 1);
    await take(one);
  },
  'was refused': async (one: Case) => {
    await faultOf(`/transactions/${one.intent}`, one.ref, { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
    await take(one);
  },
  'was refused, and the service holds another till’s': async (one: Case) => {
    await faultOf(`/transactions/${one.intent}`, one.ref, { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
    await take(one);
    await shop.pass(1_000);
    await shop.call('POST', `/v1/transactions/${one.intent}`, { identifier, external_ref: one.ref, points: 1 });
  },
  'gave way to another till’s': async (one: Case) => {
    await shop.call('POST', `/v1/transactions/${one.intent}`, { identifier, external_ref: one.ref, points: 2 });
    await shop.pass(1_000);
    await take(one);
  },
  'is reversed at another till': async (one: Case) => {
    await take(one);
    await shop.pass(3_000);
    await shop.call('POST', '/v1/transactions/reverse', { external_ref: one.ref, intent: one.intent });
    await shop.pass(2_000);
  },
} as const;

const take = ({ intent, ref }: Case) => post(`/transactions/${intent}`, { identifier, external_ref: ref, points: 1 });

const originalOf = ({ ref, intent }: Case): Operation | undefined =>
  shop.core.operationsByReference(ref).find((operation) => operation.intent === intent);

function reverse(one: Case, way: Case['way'], reversalRef: string | null): Promise<BridgeReply> {
  const named = reversalRef === null ? {} : { reversal_ref: reversalRef };
  const original = originalOf(one);
  if (way === 'by id' && original !== undefined) return post(`/transactions/${original.transactionId}/reverse`, named);
  return post('/transactions/reverse', { external_ref: one.ref, intent: one.intent, ...named });
}

const firstRef = ({ ref }: Case) => `undo-${ref}`;
const askedRef = (one: Case) => ({ 'the same': firstRef(one), another: `other-${one.ref}`, none: null })[one.reference];

async function askEarlier(one: Case, when: 'before' | 'after'): Promise<void> {
  if (!one.earlier.startsWith(when)) return;
  if (one.earlier.endsWith('was lost')) {
    const type = one.earlier.includes('its answer') ? 'drop_response' : 'drop_request';
    await faultOf('/transactions/reverse', when === 'before' ? one.ref : one.ref, { type }, 1);
  }
  await reverse(one, 'by reference', firstRef(one));
}

describe.each(Object.keys(originals) as (keyof typeof originals)[])('an original that %s', (original) => {
  // So many earns that are refused alike would pause the queue.
  const tried = original === 'gave way to another till’s' ? (['redeem'] as const) : intents;
  test.each(tried)(
    'agrees with the service, however its reversal is asked for (%s)',
    { timeout: 120_000 },
    async (intent) => {
      const ours = cases.filter((one) => one.intent === intent);
      const answers = new Map<Case, BridgeReply>();
      for (const one of ours) {
        await askEarlier(one, 'before');
        await originals[original](one);
        await shop.pass(original === 'is on its way' ? 250 : 3_000);
        await askEarlier(one, 'after');
        answers.set(one, await reverse(one, one.way, askedRef(one)));
        await shop.mend();
      }
      await shop.pass(12 * 60_000, 5_000);
      for (const [one, answer] of answers) {
        if (original === 'gave way to another till’s') await judgeGivenWay(one, answer);
        else await judge(one, answer);
      }
      const { queued, sending, unknown, accepted } = shop.core.status().operations;
      expect({ queued, sending, unknown, accepted }).toEqual({ queued: 0, sending: 0, unknown: 0, accepted: 0 });
    },
  );
});

/** What was promised is done; what stands here stands there; what was refused has done nothing. */
async function judge(one: Case, answer: BridgeReply): Promise<void> {
  const said = `${JSON.stringify(one)} ${answer.status} ${JSON.stringify(answer.json)}`;
  const original = originalOf(one);
  const [held] = (await shop.held(one.ref)).filter(({ intent }) => intent === one.intent);
  if (answer.status < 300) {
    const told = await bridge.call('GET', `/v1/transactions/${answer.json.transaction_id}`);
    expect(told.json.status, said).not.toBe('pending');
    expect(held?.status ?? 'reversed', said).toBe('reversed');
  }
  if (original === undefined) return;
  const showsDone = original.state === 'applied';
  const showsReversed = original.state === 'reversed';
  if (showsDone) expect(held?.status, said).toBe('success');
  if (showsReversed) expect(held?.status, said).toBe('reversed');
  const isOurs = held !== undefined && held.transaction_id === original.serviceTransactionId;
  if (isOurs && held.status === 'reversed') expect(original.state, said).toBe('reversed');
  if (original.state === 'cancelled' || original.state === 'refused') expect(isOurs, said).toBe(false);
}

/** Whoever takes back what came to nothing never takes back the other till's, which kept it from happening. */
async function judgeGivenWay(one: Case, answer: BridgeReply): Promise<void> {
  const said = `${JSON.stringify(one)} ${answer.status} ${JSON.stringify(answer.json)}`;
  expect(await shop.held(one.ref), said).toMatchObject([{ intent: one.intent, status: 'success' }]);
  expect(originalOf(one)?.state, said).toMatch(/refused|cancelled/);
  expect(answer.status, said).toBe(400);
}
