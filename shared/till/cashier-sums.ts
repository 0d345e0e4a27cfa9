import { roundPoints } from '../points.ts';
import type { CashierDay, DayFigure, DayLine, HeldSum } from './day-line.ts';
import type { DayUnit } from './day-names.ts';

/** One sum: the number of operations and their value. */
export interface CashierSum extends DayFigure {
  readonly unit: DayUnit;
  /** Only for money; else null. */
  readonly currency: string | null;
}

/** What one cashier did on a business day, for one line of text. */
export interface CashierSums {
  readonly earned: readonly CashierSum[];
  readonly spent: readonly CashierSum[];
  /** Rewards and coupons. */
  readonly given: readonly CashierSum[];
  /** Sales of this cashier that were undone, by any person. */
  readonly undone: readonly CashierSum[];
  readonly waiting: readonly CashierSum[];
  readonly held: readonly CashierSum[];
}

export const cashierSumNames = [
  'earned',
  'spent',
  'given',
  'undone',
  'waiting',
  'held',
] as const satisfies readonly (keyof CashierSums)[];

/** Sums up the lines of a day, so that both always agree. */
export function cashierSums({
  lines,
  held,
}: Pick<CashierDay, 'lines'> & { readonly held?: readonly HeldSum[] }): CashierSums {
  const sum = (of: (line: DayLine) => boolean, outcome: 'applied' | 'taken_back' | 'waiting') =>
    summed(lines.filter(of).map((line) => ({ unit: line.unit, currency: line.currency, ...line[outcome] })));
  const isSpend = ({ intent }: DayLine) => intent === 'redeem' || intent === 'commit';
  return {
    earned: sum(({ intent }) => intent === 'earn', 'applied'),
    spent: sum((line) => isSpend(line) && line.unit !== 'none', 'applied'),
    given: sum((line) => isSpend(line) && line.unit === 'none', 'applied'),
    undone: sum((line) => line.intent === 'earn' || isSpend(line), 'taken_back'),
    waiting: sum(() => true, 'waiting'),
    held: summed(held ?? []),
  };
}

function summed(parts: readonly CashierSum[]): readonly CashierSum[] {
  const sums = new Map<string, CashierSum>();
  for (const part of parts) {
    if (part.count === 0) continue;
    const key = `${part.unit} ${part.currency ?? ''}`;
    const before = sums.get(key);
    const total = roundPoints((before?.total ?? 0) + part.total);
    sums.set(key, { ...part, count: (before?.count ?? 0) + part.count, total });
  }
  return [...sums.values()];
}
