/** Median, least and greatest of what was measured. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Each round's value, in order. */
  readonly rounds: readonly number[];
}

/** @throws when there is nothing to look at, or something that is no number */
export function spreadOf(values: readonly number[]): Spread {
  const wrong = values.find((value) => !Number.isFinite(value));
  if (wrong !== undefined) throw new Error(`${wrong} was measured, which is no number`);
  return { median: percentile(values, 50), min: Math.min(...values), max: Math.max(...values), rounds: values };
}

/** @param rank in percent; the value at or above which the rest stands (nearest rank) */
export function percentile(values: readonly number[], rank: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  // Rounded: 99.9 % of 1,000 is no whole number for a computer, and would become the one above.
  const nearest = Math.ceil(Number(((rank * sorted.length) / 100).toFixed(6)));
  const value = sorted[Math.max(0, nearest - 1)];
  if (value === undefined) throw new Error('Nothing was measured');
  return value;
}

/** What is measured for a goal, and how much or how little it may be. */
export interface Limit {
  readonly of: string;
  readonly side: 'at_most' | 'at_least';
  readonly value: number;
  /** `x` for a ratio, else a unit. */
  readonly unit: string;
}

export const atMost = (value: number, { of, unit = 'x' }: { of: string; unit?: string }): Limit => ({
  of,
  side: 'at_most',
  value,
  unit,
});
export const atLeast = (value: number, { of, unit = 'x' }: { of: string; unit?: string }): Limit => ({
  of,
  side: 'at_least',
  value,
  unit,
});

/** One line of the report: a limit, and what this machine makes of it, measured side by side with its yardstick. */
export interface GoalLine {
  readonly limit: Limit;
  /** What of it, where one limit stands for several measures, such as the size of the store. */
  readonly part?: string;
  readonly outcome: GoalOutcome;
  /** The same of a program that does what nobody can leave out and nothing else, where one runs beside it. */
  readonly floor?: Spread;
  /** What a picture shows beside the figures, where there is one (pictures.ts). */
  readonly curves?: readonly Curve[];
}

/** One contender's line in a picture. */
export interface Curve {
  readonly name: string;
  /** Along the axis, then up; in the units of its picture. */
  readonly points: readonly (readonly [number, number])[];
}

type GoalOutcome =
  | {
      readonly kind: 'measured';
      readonly measured: Spread;
      /** Absolute figures, for information: only what is compared counts. */
      readonly figures: string;
    }
  /** This machine cannot measure it. */
  | { readonly kind: 'skipped'; readonly reason: string }
  /** It broke while it was measured. */
  | { readonly kind: 'failed'; readonly reason: string };

/** @param floor measured in the same rounds, in the limit's unit */
export function measuredLine(limit: Limit, measured: Spread, figures: string, floor?: Spread): GoalLine {
  return { limit, outcome: { kind: 'measured', measured, figures }, ...(floor === undefined ? {} : { floor }) };
}

export function skippedLine(limit: Limit, reason: string): GoalLine {
  return { limit, outcome: { kind: 'skipped', reason } };
}

type Verdict = 'met' | 'MISSED' | 'skipped' | 'FAILED';

/** The median decides. */
export function verdictOf({ limit, outcome }: Pick<GoalLine, 'limit' | 'outcome'>): Verdict {
  if (outcome.kind === 'skipped') return 'skipped';
  if (outcome.kind === 'failed') return 'FAILED';
  return isWithin(limit, outcome.measured) ? 'met' : 'MISSED';
}

/** What a goal's floor says of a limit that was missed. */
type FloorVerdict =
  /** The floor misses it, too: no program that keeps the same promises can meet it on this machine. */
  | 'out_of_reach'
  /** The floor meets it: what is missing is the product's own. */
  | 'in_reach'
  /** The floor came out worse than the product in its worst round: it is no floor, and proves nothing. */
  | 'no_floor';

/** @returns null where the limit was not missed, or has no floor beside it */
export function floorVerdictOf(line: Pick<GoalLine, 'limit' | 'outcome' | 'floor'>): FloorVerdict | null {
  const { limit, outcome, floor } = line;
  if (floor === undefined || outcome.kind !== 'measured' || isWithin(limit, outcome.measured)) return null;
  if (isWithin(limit, floor)) return 'in_reach';
  // Where the two are as quick as each other, chance says which comes first.
  const { min, max } = outcome.measured;
  const worstRound = limit.side === 'at_most' ? max : min;
  return isWithin({ ...limit, value: worstRound }, floor) ? 'out_of_reach' : 'no_floor';
}

function isWithin({ side, value }: Limit, { median }: Spread): boolean {
  return side === 'at_most' ? median <= value : median >= value;
}

/** Each value divided by its partner of the same round. */
export function ratios(values: readonly number[], partners: readonly number[]): Spread {
  return ofPairs(values, partners, (value, partner) => value / partner);
}

/** Each value less its partner of the same round. */
export function differences(values: readonly number[], partners: readonly number[]): Spread {
  return ofPairs(values, partners, (value, partner) => value - partner);
}

function ofPairs(
  values: readonly number[],
  partners: readonly number[],
  compare: (value: number, partner: number) => number,
): Spread {
  return spreadOf(
    values.map((value, round) => {
      const partner = partners[round];
      if (partner === undefined) throw new Error(`Round ${round} has no partner to compare with`);
      return compare(value, partner);
    }),
  );
}

/**
 * Runs every contender once a round, in turns, so that a machine that gets slower meanwhile is slow for all; every
 * second round backwards, so that none always comes after the same one.
 */
export async function inTurns<Name extends string, Result = number>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<Result> | Result>>,
): Promise<Readonly<Record<Name, readonly Result[]>>> {
  const names = Object.keys(contenders) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) results[name].push(await contenders[name]());
  }
  return results;
}
