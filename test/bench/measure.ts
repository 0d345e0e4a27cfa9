/** Median, least and greatest of what was measured. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** @throws when there is nothing to look at */
export function spreadOf(values: readonly number[]): Spread {
  return { median: percentile(values, 50), min: Math.min(...values), max: Math.max(...values) };
}

/** @param rank in percent; the value at or above which the rest stands (nearest rank) */
export function percentile(values: readonly number[], rank: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil((rank / 100) * sorted.length) - 1)];
  if (value === undefined) throw new Error('Nothing was measured');
  return value;
}

/** One line of the report: a goal of the design's "Speed" and what this machine makes of it, measured side by side. */
export type GoalLine =
  | {
      readonly kind: 'measured';
      readonly goal: number;
      readonly what: string;
      readonly measured: Spread;
      readonly target: Target;
      /** Absolute figures, for information: only ratios count. */
      readonly figures: string;
    }
  | {
      readonly kind: 'skipped';
      readonly goal: number;
      readonly what: string;
      readonly target: Target;
      readonly reason: string;
    };

export interface Target {
  readonly side: 'at_most' | 'at_least';
  readonly value: number;
  /** `x` for a ratio, else a unit. */
  readonly unit: string;
}

export function isMet(measured: Spread, target: Target): boolean {
  return target.side === 'at_most' ? measured.median <= target.value : measured.median >= target.value;
}

export const atMost = (value: number, unit = 'x'): Target => ({ side: 'at_most', value, unit });
export const atLeast = (value: number, unit = 'x'): Target => ({ side: 'at_least', value, unit });

/** Each value divided by its partner of the same round. */
export function ratios(values: readonly number[], partners: readonly number[]): Spread {
  return spreadOf(
    values.map((value, round) => {
      const partner = partners[round];
      if (partner === undefined) throw new Error(`Round ${round} has no partner to compare with`);
      return value / partner;
    }),
  );
}

/**
 * Runs every contender once a round, in turns, so that a machine that gets slower meanwhile is slow for all; every
 * second round backwards, so that none always comes after the same one.
 */
export async function inTurns<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<number> | number>>,
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const names = Object.keys(contenders) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) results[name].push(await contenders[name]());
  }
  return results;
}
