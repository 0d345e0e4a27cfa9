import type { IncomingCall, Outcome } from '../../app/service/calls/exchange.ts';
import type { Carry, CounterShop } from './counter-shop.ts';

type IsCall = (call: IncomingCall) => boolean;

/** A call of the service by its method and path, and by a text in its body or query. */
export function callOf(method: string, path: string | RegExp, has = ''): IsCall {
  return (call) => {
    const [target = ''] = call.target.split('?');
    const own = target.replace(/^\/v1/, '');
    const isPath = typeof path === 'string' ? own === path : path.test(own);
    return call.method === method && isPath && textOf(call).includes(has);
  };
}

function textOf({ body, target }: IncomingCall): string {
  return `${target} ${body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : ''}`;
}

/** Both calls reach the service; the first answer waits for the second, and each gets the other's. Once. */
export function swapOnce(shop: CounterShop, isFirst: IsCall, isSecond: IsCall): { readonly isDone: boolean } {
  const first = Promise.withResolvers<Outcome>();
  const second = Promise.withResolvers<Outcome>();
  const swapped = { isFirstSeen: false, isSecondSeen: false };
  shop.meddle = async (call, carry) => {
    if (!swapped.isFirstSeen && isFirst(call)) {
      swapped.isFirstSeen = true;
      first.resolve(await carry(call));
      return second.promise;
    }
    if (!swapped.isSecondSeen && isSecond(call)) {
      swapped.isSecondSeen = true;
      second.resolve(await carry(call));
      return first.promise;
    }
    return carry(call);
  };
  return {
    get isDone() {
      return swapped.isFirstSeen && swapped.isSecondSeen;
    },
  };
}

/** Some calls do not reach the service until `end` is called. `begun`: when there is one. */
export function holdCalls(
  shop: CounterShop,
  isMeant: IsCall,
  { times = Number.POSITIVE_INFINITY }: { readonly times?: number } = {},
): { readonly begun: () => Promise<void>; readonly end: () => void } {
  const held = Promise.withResolvers<void>();
  let count = 0;
  const { meddle } = shop;
  shop.meddle = async (call, carry) => {
    if (count < times && isMeant(call)) {
      count += 1;
      await held.promise;
    }
    return meddle(call, carry);
  };
  return {
    async begun() {
      while (count === 0) await shop.pass(250);
    },
    end: () => held.resolve(),
  };
}

/** Answers some calls by itself, so many times; the service does what was asked unless `isLost`. */
export function answerInstead(
  shop: CounterShop,
  isMeant: IsCall,
  answer: (own: Outcome | null) => Outcome,
  { times = Number.POSITIVE_INFINITY, isLost = false }: { readonly times?: number; readonly isLost?: boolean } = {},
): { readonly count: number } {
  const told = { count: 0 };
  const before = shop.meddle;
  shop.meddle = async (call: IncomingCall, carry: Carry) => {
    if (!isMeant(call) || told.count >= times) return before(call, carry);
    told.count += 1;
    return answer(isLost ? null : await before(call, carry));
  };
  return told;
}

export function said(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Outcome {
  return {
    kind: 'response',
    response: { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) },
  };
}

/** An answer with some of its fields changed. */
export function withFields(outcome: Outcome | null, part: object): Outcome {
  if (outcome?.kind !== 'response') throw new Error('There is no answer to change');
  return said(outcome.response.status, { ...JSON.parse(outcome.response.body), ...part });
}
