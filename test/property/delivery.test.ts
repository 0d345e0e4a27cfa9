import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Shop, signal } from '../support/core-shop.ts';
import { type Act, answer, captivePortal, refusal } from '../support/scripted-service.ts';

/**
 * Any mix of sales, bad lines, lying answers, crashes and waiting: when the line is good again and time has passed, the
 * service holds every sale that was answered as saved exactly once, none that was taken back, and no other.
 */

const acts = {
  answer,
  lose_request: { kind: 'lose_request' },
  lose_answer: { kind: 'lose_answer' },
  half_answer: { kind: 'half_answer' },
  portal: captivePortal,
  nonsense: { kind: 'say', status: 202, body: '{"transaction_id":' },
  nonsense_done: { kind: 'say', status: 202, body: '{"status":"pending"}', does: true },
  broken: refusal(500, 'INTERNAL'),
  broken_done: refusal(500, 'INTERNAL', { does: true }),
  key_refused: refusal(401, 'UNAUTHENTICATED'),
  throttled: refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '3' } }),
  bad_gateway: { kind: 'say', status: 502, body: '<h1>502</h1>' },
} as const satisfies Record<string, Act>;
/** Besides those: the service does it, and answers when the test comes to its end. */
type ActName = keyof typeof acts | 'hold';
const actNames: readonly ActName[] = [...(Object.keys(acts) as (keyof typeof acts)[]), 'hold', 'hold'];

type Step =
  | { readonly do: 'save'; readonly customer: number; readonly copies: number }
  | { readonly do: 'save_and_crash'; readonly customer: number }
  | { readonly do: 'cancel'; readonly pick: number }
  | { readonly do: 'act'; readonly acts: readonly ActName[]; readonly reads: boolean }
  | { readonly do: 'cut' | 'restore' | 'restart' | 'crash' | 'look' | 'forget' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'jump'; readonly ms: number };

const customer = fc.integer({ min: 0, max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('save'), customer, copies: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('save_and_crash'), customer }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel'), pick: fc.nat({ max: 4 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('act'),
      acts: fc.array(fc.constantFrom(...actNames), { minLength: 1, maxLength: 6 }),
      reads: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('cut', 'restore', 'restart', 'crash', 'crash', 'look', 'look', 'forget', 'forget'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('wait'), ms: fc.constantFrom(1, 30, 400, 1_300, 8_000, 70_000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('jump'), ms: fc.constantFrom(-86_400_000, -3_000, 3_000, 86_400_000) }),
  },
) as fc.Arbitrary<Step>;

class World {
  /** Answered as saved, by reference. */
  readonly saved = new Map<string, string>();
  /** A save that a crash came upon: it may be there or not. */
  readonly perhaps = new Set<string>();
  readonly cancelled = new Set<string>();
  readonly #shop: Shop;
  #script: ActName[] = [];
  #tellsReadsToo = false;
  #number = 0;
  readonly #rest = signal();

  constructor(shop: Shop) {
    this.#shop = shop;
    shop.service.script = ({ call }) => {
      const isTold = call === 'earn' || this.#tellsReadsToo;
      const name = isTold ? (this.#script.shift() ?? 'answer') : 'answer';
      return name === 'hold' ? { kind: 'answer_after', until: this.#rest.promise } : acts[name];
    };
  }

  async take(step: Step): Promise<void> {
    const shop = this.#shop;
    switch (step.do) {
      case 'save': {
        this.#number += 1;
        const ref = `R-${this.#number}`;
        const request = { identifier: { loyalty_id: `LC-${step.customer}` }, amount_minor: this.#number };
        const outcomes = await Promise.all(Array.from({ length: step.copies }, () => shop.saveEarn(ref, request)));
        for (const outcome of outcomes) {
          if (outcome.kind !== 'saved') throw new Error(`${ref} was not saved: ${outcome.kind}`);
          this.saved.set(ref, outcome.operation.operationId);
        }
        expect(outcomes.filter((outcome) => outcome.kind === 'saved' && !outcome.duplicate)).toHaveLength(1);
        return;
      }
      case 'save_and_crash': {
        this.#number += 1;
        const ref = `R-${this.#number}`;
        this.perhaps.add(ref);
        void shop.saveEarn(ref, { identifier: { loyalty_id: `LC-${step.customer}` } });
        if (this.#number % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
        shop.crash();
        shop.start();
        return;
      }
      case 'cancel': {
        const refs = [...this.saved.keys()];
        const ref = refs.at(-1 - step.pick);
        if (ref === undefined) return;
        const outcome = await shop.core.cancel(this.saved.get(ref) ?? '');
        if (outcome.kind === 'cancelled') this.cancelled.add(ref);
        else expect(outcome.kind).toBe('too_late');
        return;
      }
      case 'act':
        this.#script.push(...step.acts);
        this.#tellsReadsToo = step.reads;
        return;
      case 'cut':
        await shop.service.stop();
        return;
      case 'restore':
        await shop.service.start();
        return;
      case 'restart': {
        const stopping = shop.stop();
        await shop.quiet();
        // What is held is waited for, not for ever.
        shop.clock.advance(4_000);
        await stopping;
        shop.start();
        return;
      }
      case 'crash':
        shop.crash();
        shop.start();
        return;
      case 'look':
        await shop.quiet();
        return;
      case 'forget': {
        // A service that lost what it had accepted and not applied yet.
        const pending = [...shop.service.recorded.values()].find(({ status }) => status === 'pending');
        const isAccepted = pending !== undefined && shop.state(pending.external_ref) === 'accepted';
        if (isAccepted) shop.service.forget(pending.external_ref);
        return;
      }
      case 'wait':
        await shop.quiet();
        shop.clock.advance(step.ms);
        return;
      case 'jump':
        shop.clock.jump(step.ms);
    }
  }

  async comeToRest(): Promise<void> {
    const shop = this.#shop;
    this.#script = [];
    this.#rest.give();
    await shop.service.start();
    await shop.passUntil(() => shop.core.status().oldestWaitingAtMs === null);
    await shop.quiet();
  }

  check(): void {
    const { service, core } = this.#shop;
    const delivered = [...this.saved.keys()].filter((ref) => !this.cancelled.has(ref));
    for (const ref of delivered) {
      expect(this.#shop.state(ref), ref).toBe('applied');
      expect(service.recorded.get(ref)?.status, ref).toBe('success');
      expect(service.recorded.get(ref)?.amount_minor, ref).toBe(Number(ref.slice(2)));
      expect(new Set(service.earnsOf(ref).map(({ body }) => body)).size, ref).toBe(1);
    }
    for (const ref of this.cancelled) {
      expect(this.#shop.state(ref), ref).toBe('cancelled');
      expect(service.recorded.has(ref), ref).toBe(false);
    }
    for (const ref of service.recorded.keys()) expect(this.saved.has(ref) || this.perhaps.has(ref), ref).toBe(true);
    for (const ref of this.perhaps) {
      const [operation] = core.operationsByReference(ref);
      expect(service.recorded.has(ref)).toBe(operation !== undefined);
    }
    for (const operation of core.recentOperations({ limit: 10_000 })) {
      const history = core.history(operation.rowId);
      expect(history.at(-1)?.to).toBe(operation.state);
      for (const [index, line] of history.entries()) expect(line.from).toBe(history[index - 1]?.to ?? null);
    }
    expect(this.#shop.errors).toEqual([]);
  }
}

describe('whatever happens on the way', () => {
  const isLong = process.env.LONG_TESTS === '1';

  it('every sale that was saved is at the service exactly once, and none that was taken back', {
    timeout: isLong ? 1_800_000 : 60_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: isLong ? 80 : 40 }), async (steps) => {
        const shop = await Shop.open();
        try {
          const world = new World(shop);
          for (const each of steps) await world.take(each);
          await world.comeToRest();
          world.check();
        } finally {
          await shop.end();
        }
      }),
      {
        numRuns: isLong ? 2_000 : 120,
        interruptAfterTimeLimit: isLong ? 1_500_000 : 30_000,
        markInterruptAsFailure: false,
        endOnFailure: !isLong,
      },
    );
  });
});
