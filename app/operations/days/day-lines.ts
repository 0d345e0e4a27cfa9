import { assertNever } from '../../../shared/lib/assert-never.ts';
import type { OperationState } from '../../../shared/machines/operation.ts';
import { operationIntents } from '../../../shared/machines/operation-intents.ts';
import { roundPoints } from '../../../shared/points.ts';
import type { CashierDay, DayFigure, DayLine, HeldSum } from '../../../shared/till/day-line.ts';
import { type DayOutcome, dayOutcomes, dayUnits } from '../../../shared/till/day-names.ts';
import type { DayTally } from '../../store/tables/day-store.ts';
import type { HeldBy } from './day-held.ts';

/** What became of an operation, as a day is counted. */
export function outcomeOf(state: OperationState): DayOutcome {
  switch (state) {
    case 'queued':
    case 'sending':
    case 'unknown':
    case 'accepted':
      return 'waiting';
    case 'applied':
      return 'applied';
    case 'refused':
    case 'failed':
      return 'refused';
    case 'written_off':
      return 'written_off';
    case 'cancelled':
    case 'reversed':
      return 'taken_back';
    default:
      return assertNever(state);
  }
}

/** Errands that give and take nothing by themselves; they count only while they are open. */
const errands: ReadonlySet<string> = new Set(['enroll', 'reserve', 'release']);

/** Whether a day is told of them: not of what was refused to a caller who waited, nor of a reversal that was not needed. */
function counts({ intent, state, delivery }: DayTally): boolean {
  if (state === 'cancelled') return delivery === 'deferred' && intent !== 'reverse';
  return !(errands.has(intent) && state === 'applied');
}

/** The figures of a day: one line for each operation and currency, in the specification's order. */
export function dayLines(tallies: readonly DayTally[]): readonly DayLine[] {
  const lines = new Map<string, { -readonly [Key in keyof DayLine]: DayLine[Key] }>();
  for (const tally of tallies.filter(counts)) {
    const { intent, unit, currency } = tally;
    const takes_back = tally.takesBack === 'earn' || tally.takesBack === 'redeem' ? tally.takesBack : null;
    const key = JSON.stringify([intent, takes_back, unit, currency]);
    const line = lines.get(key) ?? { intent, takes_back, unit, currency, ...nothing };
    const outcome = outcomeOf(tally.state);
    lines.set(key, { ...line, [outcome]: added(line[outcome], tally) });
  }
  return [...lines.values()].toSorted(inOrder);
}

/** The same figures for each cashier, in the order of their references; what nobody took comes last. */
export function cashierDays(tallies: readonly DayTally[], held: readonly HeldBy[] = []): readonly CashierDay[] {
  const told = tallies.filter(counts);
  const refs = new Set([...told, ...held].map(({ employeeRef }) => employeeRef));
  return [...refs]
    .toSorted(
      (left, right) => Number(left === null) - Number(right === null) || (left ?? '').localeCompare(right ?? ''),
    )
    .map((employee_ref) => ({
      employee_ref,
      lines: [...dayLines(told.filter(({ employeeRef }) => employeeRef === employee_ref))],
      held: heldSums(held.filter(({ employeeRef }) => employeeRef === employee_ref)),
    }));
}

function heldSums(held: readonly HeldBy[]): HeldSum[] {
  const sums = new Map<string, HeldSum>();
  for (const { unit, currency, total } of held) {
    const key = currency ?? unit;
    const sum = sums.get(key) ?? { unit, currency, ...zero };
    sums.set(key, { ...sum, ...added(sum, { count: 1, total, unit }) });
  }
  return [...sums.values()];
}

/** How many operations the lines tell of. */
export function countOf(lines: readonly DayLine[]): number {
  return lines.reduce((sum, line) => sum + dayOutcomes.reduce((part, outcome) => part + line[outcome].count, 0), 0);
}

const zero: DayFigure = { count: 0, total: 0 };
const nothing = { applied: zero, waiting: zero, refused: zero, written_off: zero, taken_back: zero } as const;

function added(figure: DayFigure, { count, total, unit }: Pick<DayTally, 'count' | 'total' | 'unit'>): DayFigure {
  const sum = figure.total + (unit === 'none' ? 0 : total);
  return { count: figure.count + count, total: roundPoints(sum) };
}

function inOrder(left: DayLine, right: DayLine): number {
  return (
    operationIntents.indexOf(left.intent) - operationIntents.indexOf(right.intent) ||
    dayUnits.indexOf(left.unit) - dayUnits.indexOf(right.unit) ||
    (left.takes_back ?? '').localeCompare(right.takes_back ?? '') ||
    (left.currency ?? '').localeCompare(right.currency ?? '')
  );
}
