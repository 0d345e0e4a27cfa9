import type { RandomSource } from '../../../shared/lib/random.ts';
import { chance, drawsOf, pick } from './draws.ts';
import { type FaultName, faultNames, faults, type MixName, mixNames, probabilityOf } from './faults.ts';

/** Windows, pauses and limits of one history. */
export interface Limits {
  readonly answerTimeoutMs: number;
  readonly idleProbeMs: number;
  readonly reconnectSpreadMs: number;
  readonly flapSettleMs: number;
  readonly maxInFlight: number;
  readonly retentionDays: number;
  /** Of the service: how long until an earn is applied. */
  readonly applyDelayMs: number;
  /** Of the service: how old an earn may be. */
  readonly offlineWindowHours: number;
  /** From one step of the history to the next. */
  readonly stepGapsMs: readonly number[];
}

/** What one seed stands for, before its steps. */
export interface Plan {
  readonly seed: number;
  readonly faults: ReadonlySet<FaultName>;
  /** Those of them that may still strike on the line: fewer while a history is being shrunk. */
  readonly lineFaults: ReadonlySet<FaultName>;
  readonly mixes: ReadonlySet<MixName>;
  readonly tillCount: number;
  /** Multiplies the probability of every fault of the line. */
  readonly rate: number;
  readonly stepCount: number;
  readonly limits: Limits;
}

/** What somebody asks for in place of what the seed would draw. */
export interface PlanWishes {
  readonly stepCount: number;
  /** Null: the seed's. */
  readonly faults: ReadonlySet<FaultName> | null;
  readonly without: ReadonlySet<FaultName>;
  /** Null: all of the plan's. */
  readonly lineFaults: ReadonlySet<FaultName> | null;
  readonly mixes: ReadonlySet<MixName> | null;
  readonly tillCount: number | null;
}

const noWishes: PlanWishes = {
  stepCount: 25,
  faults: null,
  without: new Set(),
  lineFaults: null,
  mixes: null,
  tillCount: null,
};

const stepGaps: readonly (readonly number[])[] = [
  [0, 5, 20, 50, 100, 400, 2_000],
  [50, 400, 2_000, 9_000, 20_000],
  [50, 400, 2_000, 9_000, 20_000, 60_000, 400_000, 1_500_000],
  [1_000, 5_000, 16_000, 30_000, 70_000, 200_000],
];

/** Draws the plan of a seed. Each draw has a name, so that a wish changes nothing else. */
export function planOf(seed: number, wishes: PlanWishes = noWishes): Plan {
  const half = <Name extends string>(kind: string, names: readonly Name[]): ReadonlySet<Name> =>
    new Set(names.filter((name) => chance(drawsOf(seed, `${kind} ${name}`), 0.5)));
  const drawn = withoutMost(half('fault', faultNames), drawsOf(seed, 'for ever'));
  const chosen = new Set([...(wishes.faults ?? drawn)].filter((name) => !wishes.without.has(name)));
  return {
    seed,
    faults: chosen,
    lineFaults: wishes.lineFaults ?? new Set([...chosen].filter((name) => probabilityOf(name) !== null)),
    mixes: wishes.mixes ?? half('mix', mixNames),
    tillCount: wishes.tillCount ?? pick(drawsOf(seed, 'tills'), [1, 1, 2, 2, 3]),
    rate: pick(drawsOf(seed, 'rate'), [1, 1, 3, 6]),
    stepCount: wishes.stepCount,
    limits: limitsOf(drawsOf(seed, 'limits')),
  };
}

/** What never heals hides the rest of a history: in one of six at most one of those. */
function withoutMost(chosen: ReadonlySet<FaultName>, random: RandomSource): ReadonlySet<FaultName> {
  const lasting = [...chosen].filter((name) => faults[name].place === 'for_ever');
  const kept = lasting.length > 0 && chance(random, 1 / 6) ? pick(random, lasting) : null;
  return new Set([...chosen].filter((name) => faults[name].place !== 'for_ever' || name === kept));
}

function limitsOf(random: RandomSource): Limits {
  return {
    answerTimeoutMs: pick(random, [2_000, 5_000, 15_000, 15_000]),
    idleProbeMs: pick(random, [60_000, 600_000, 600_000]),
    reconnectSpreadMs: pick(random, [0, 2_000, 15_000]),
    flapSettleMs: pick(random, [500, 1_000, 5_000]),
    maxInFlight: pick(random, [1, 2, 8, 16]),
    retentionDays: pick(random, [1, 30, 30]),
    applyDelayMs: pick(random, [0, 200, 1_000, 1_000, 8_000, 60_000]),
    offlineWindowHours: pick(random, [2, 72, 72]),
    stepGapsMs: pick(random, stepGaps),
  };
}
