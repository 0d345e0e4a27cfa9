import { beforeEach, expect } from 'vitest';
import type { Operation } from '../../app/store/schema/operation.ts';
import type { CounterShop } from './counter-shop.ts';
import { openShop } from './open-shop.ts';

/** The shop of the running test. */
export let shop: CounterShop;
/** Paths that the till asked for. */
let asked: string[];

/** Opens a shop before each test. */
export function openLateShop(): void {
  beforeEach(async () => {
    asked = [];
    shop = await openShop((line) =>
      line.compose((dispatch) => (options, handler) => {
        asked.push(`${options.path} ${JSON.stringify(options.query ?? {})}`);
        return dispatch(options, handler);
      }),
    );
  });
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
/** How often the books were asked for a reference. */
export const lookCount = (ref: string): number => asked.filter((path) => path.includes(ref)).length;
export const decider = { person: 'Huda', reason: 'asked by the customer' };
export const pointsAtFirst = 245.5;

export const only = (ref: string): Operation => {
  const [found] = shop.core.operationsByReference(ref);
  if (found === undefined) throw new Error(`No ${ref}`);
  return found;
};
export const attention = () => shop.core.needingAttention({ limit: 10 });
export const earn = (ref: string): Promise<Operation> => shop.saved(ref);
export const refuse = (path: string, times = 1) =>
  shop.fault(path, { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, times);

/** The bytes of an attempt, as they went out, arrive now. */
interface OnTheWay {
  arrive(): Promise<void>;
}
export function bytesOf(operation: Operation): OnTheWay {
  const sent = shop.core.sentRequest(operation.rowId);
  if (sent === null || sent.body === null) throw new Error(`No request of ${operation.externalRef}`);
  const { path, body } = sent;
  return {
    async arrive() {
      await shop.call('POST', `/v1${path}`, JSON.parse(body));
      await shop.quiet();
    },
  };
}

/** An earn of which one attempt never got an answer, and the next one was refused. */
export async function refusedInDoubt(ref: string): Promise<OnTheWay> {
  await shop.fault('/transactions/earn', { type: 'drop_request' }, 1);
  await refuse('/transactions/earn');
  const late = bytesOf(await earn(ref));
  await shop.pass(15_000);
  expect(only(ref).state).toBe('refused');
  return late;
}

/** A redemption whose bytes are on their way while the till has given it up. */
export async function paidInFull(ref: string): Promise<OnTheWay> {
  await shop.fault('/transactions/redeem', { type: 'drop_request' });
  const outcome = await shop.passUntil(shop.core.perform(shop.redemption(ref, { points: 40 }), { waitMs: 2_000 }));
  expect(outcome.kind).toBe('unknown');
  const operation = only(ref);
  const late = bytesOf(operation);
  expect(await shop.core.decide(operation.operationId, 'take_full_payment')).toMatchObject({ kind: 'decided' });
  await shop.mend();
  await shop.pass(2 * minuteMs);
  expect(only(ref).state).toBe('cancelled');
  return late;
}
