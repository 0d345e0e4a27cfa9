import type { RandomSource } from '../../../shared/lib/random.ts';
import { chance, drawsOf, pick, wholeBelow } from '../engine/draws.ts';
import type { MixName } from '../engine/faults.ts';
import type { Plan } from '../engine/plan.ts';
import { drawEarn, drawHold, drawRedemption } from './deals.ts';
import { drawEvent } from './make-events.ts';
import type { Deal, Patience, Step, StepKind } from './steps.ts';

/** What was made so far and can be taken back, or used again. */
interface Made {
  readonly till: number;
  readonly ref: string;
  readonly deal: Deal;
}

interface Memory {
  readonly earns: Made[];
  readonly spends: Made[];
  readonly carts: string[];
  readonly orders: string[];
  readonly enrollments: { readonly ref: string; readonly phone: string }[];
}

const nightMs = 20 * 3_600_000;
/** So often something happens to the shop, and nobody asks for anything. */
const eventProbability = 0.15;

/** Makes the history of a plan. Each step draws from a row of its own. */
export function makeSteps(plan: Plan): readonly Step[] {
  const { seed, stepCount, tillCount, mixes, limits } = plan;
  const memory: Memory = { earns: [], spends: [], carts: [], orders: [], enrollments: [] };
  const steps: Step[] = [];
  let atMs = 2_000;
  for (let step = 0; step < stepCount; step += 1) {
    const random = drawsOf(seed, `step ${step}`);
    atMs += pick(random, limits.stepGapsMs);
    if (chance(random, 0.08) && mixes.has('days')) atMs += nightMs;
    const till = wholeBelow(random, tillCount);
    const event = chance(random, eventProbability) ? drawEvent(random, plan.faults) : null;
    const kind = event ?? drawAsking({ random, step, till, mixes, memory });
    if (kind === null) continue;
    const isAtItsTill = kind.kind === 'reverse' && chance(random, 0.7);
    const owner = isAtItsTill ? ownerOf(kind.ref, memory) : null;
    steps.push({ step, atMs, till: owner ?? till, ...kind });
  }
  return steps;
}

interface Asking {
  readonly random: RandomSource;
  readonly step: number;
  readonly till: number;
  readonly mixes: ReadonlySet<MixName>;
  readonly memory: Memory;
}

/** What somebody asks for. @returns null when there is nothing yet to ask it about */
function drawAsking(asking: Asking): StepKind | null {
  const { random, mixes, memory } = asking;
  const which = random.next();
  if (which < 0.24) return drawEarning(asking);
  if (which < 0.4) return drawRedeeming(asking);
  if (which < 0.53) return drawScreenRedeeming(asking);
  if (which < 0.71) return drawReversing(asking);
  if (which < 0.84) return drawReserving(asking);
  if (which < 0.89) return mixes.has('enrollment') ? drawEnrolling(asking) : drawEarning(asking);
  if (which < 0.95 && mixes.has('manager')) {
    const decision = pick(random, ['resend', 'resend', 'write_off', 'correct'] as const);
    return { kind: 'decide_attention', which: random.next(), decision };
  }
  if (which < 0.97 && mixes.has('days')) return { kind: 'close_day' };
  const [first] = memory.earns;
  return first === undefined ? null : { kind: 'read', ref: pick(random, memory.earns).ref };
}

/** A new reference: tills that count alike have the same ones. */
function ownReference(prefix: string, { step, till, mixes }: Asking): string {
  const counter = mixes.has('same_receipts') ? '' : ('ABC'[till] ?? '');
  return `${prefix}-${counter}${step}`;
}

function drawPatience(random: RandomSource): Patience {
  return { retries: wholeBelow(random, 4), retryAfterMs: pick(random, [500, 3_000, 3_000, 10_000, 60_000]) };
}

function drawEarning(asking: Asking): StepKind {
  const { random, till, mixes, memory } = asking;
  const isAgain = chance(random, 0.3) && mixes.has('same_reference') && memory.earns.length > 0;
  const again = isAgain ? pick(random, memory.earns) : null;
  const fresh = drawEarn(random);
  const deal = again !== null && chance(random, 0.6) ? again.deal : fresh;
  const ref = again?.ref ?? ownReference('S', asking);
  memory.earns.push({ till, ref, deal });
  if (chance(random, 0.2)) {
    return {
      kind: 'screen_earn',
      ref,
      cancelAfterMs: chance(random, 0.5) ? pick(random, [0, 20, 500]) : null,
      ...deal,
    };
  }
  const copies = chance(random, 0.15) ? 2 : 1;
  return { kind: 'earn', ref, copies, isStamped: chance(random, 0.3), ...deal, ...drawPatience(random) };
}

function drawRedeeming(asking: Asking): StepKind {
  const { random, till, mixes, memory } = asking;
  const isAgain = chance(random, 0.25) && mixes.has('same_reference') && memory.spends.length > 0;
  const again = isAgain ? pick(random, memory.spends) : null;
  const isOfSale = chance(random, 0.15) && memory.earns.length > 0;
  const fresh = drawRedemption(random);
  const deal = again !== null && chance(random, 0.5) ? again.deal : fresh;
  const ref = again?.ref ?? (isOfSale ? pick(random, memory.earns).ref : ownReference('R', asking));
  memory.spends.push({ till, ref, deal });
  return { kind: 'redeem', ref, ...deal, ...drawPatience(random) };
}

function drawScreenRedeeming(asking: Asking): StepKind {
  const { random, till, memory } = asking;
  const deal = drawRedemption(random);
  const ref = ownReference('T', asking);
  memory.spends.push({ till, ref, deal });
  return {
    kind: 'screen_redeem',
    ref,
    ...deal,
    decision: pick(random, [null, 'take_full_payment', 'take_full_payment', 'give_it']),
    decideAfterMs: pick(random, [0, 4_000, 15_000, 30_000, 100_000, 130_000]),
    waitMs: pick(random, [0, 20_000, 120_000]),
  };
}

function drawReversing({ random, step, mixes, memory }: Asking): StepKind | null {
  const intent = chance(random, 0.5) ? 'earn' : 'redeem';
  const list = intent === 'earn' ? memory.earns : memory.spends;
  if (list.length === 0) return null;
  const of = chance(random, 0.7) ? pick(random, list.slice(-3)) : pick(random, list);
  const isShared = chance(random, 0.4) && mixes.has('same_reversal_reference');
  const named = isShared ? `V-shared${wholeBelow(random, 3)}` : `V-${step}`;
  return {
    kind: 'reverse',
    by: pick(random, ['reference', 'reference', 'id', 'screen']),
    ref: of.ref,
    intent,
    reversalRef: chance(random, 0.35) ? named : null,
    fullValues: chance(random, 0.1) ? of.deal.values : null,
    ...drawPatience(random),
  };
}

function drawReserving(asking: Asking): StepKind {
  const { random, till, mixes, memory } = asking;
  const usesOrderAgain = chance(random, 0.35) && mixes.has('same_order') && memory.orders.length > 0;
  const usesCartAgain = chance(random, 0.2) && mixes.has('same_order') && memory.carts.length > 0;
  const order = usesOrderAgain ? pick(random, memory.orders) : ownReference('O', asking);
  const cart = usesCartAgain ? pick(random, memory.carts) : ownReference('C', asking);
  const deal = drawHold(random);
  memory.orders.push(order);
  memory.carts.push(cart);
  memory.spends.push({ till, ref: order, deal });
  return {
    kind: 'reservation',
    cart,
    order,
    course: pick(random, [
      'commit',
      'commit',
      'commit',
      'release',
      'release_commit',
      'commit_release',
      'late_commit',
      'nothing',
    ]),
    gapMs: pick(random, [1_000, 30_000, 500_000]),
    ttlMinutes: pick(random, [1, 15, 120]),
    ...deal,
    ...drawPatience(random),
  };
}

function drawEnrolling(asking: Asking): StepKind {
  const { random, step, memory } = asking;
  const [first] = memory.enrollments;
  const again = first !== undefined && chance(random, 0.3) ? pick(random, memory.enrollments) : null;
  const usesRef = again !== null && chance(random, 0.6);
  const usesPhone = again !== null && chance(random, 0.5);
  const ref = usesRef ? again.ref : ownReference('E', asking);
  const phone = usesPhone ? again.phone : `+965500${String(10_000 + step)}`;
  memory.enrollments.push({ ref, phone });
  return {
    kind: 'enroll',
    ref,
    phone,
    code: pick(random, ['right', 'right', 'wrong_first', 'never']),
    codeAfterMs: pick(random, [2_000, 30_000, 200_000, 400_000]),
    ...drawPatience(random),
  };
}

function ownerOf(ref: string, { earns, spends }: Memory): number | null {
  return [...earns, ...spends].find((made) => made.ref === ref)?.till ?? null;
}
