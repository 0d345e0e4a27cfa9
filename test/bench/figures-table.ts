import { type GoalNumber, goalNumbers, goalTable, limitsOf } from './goal-table.ts';
import type { KeptLine, KeptRun } from './kept-run.ts';
import type { GoalLine, Limit } from './measure.ts';
import { cellOf, limitText, nameOf, sumText, verdictText } from './report.ts';

const firstMarker = '<!-- Figures: written by `npm run bench -- --table RUN.json`. -->';
const lastMarker = '<!-- End of the figures. -->';

/**
 * The document with the table of a run between its two markers.
 *
 * @throws when it has no such markers
 */
export function withFigures(document: string, run: KeptRun): string {
  const [first, last] = [document.indexOf(firstMarker), document.indexOf(lastMarker)];
  if (first === -1 || last < first) {
    throw new Error(`The document has no place for the figures: the lines ${firstMarker} and ${lastMarker}`);
  }
  return `${document.slice(0, first)}${firstMarker}\n\n${figuresOf(run)}\n\n${document.slice(last)}`;
}

/** Every goal and limit of today's table; what the run has not measured says so. */
function figuresOf(run: KeptRun): string {
  const rows = goalNumbers.flatMap((goal) => [
    [`**${goal}**`, `**${goalTable[goal].title}**`, '', '', ''],
    ...limitsOf(goal).flatMap((limit) => rowsOf(limit, linesOf(run, goal, limit))),
  ]);
  const table = [['goal', 'what', 'measured', 'limit', ''], ['---:', '---', '---', '---', '---'], ...rows];
  return [introOf(run), table.map((row) => `| ${row.map(escaped).join(' | ')} |`).join('\n'), sumOf(run)].join('\n\n');
}

function introOf({ startedAt, commit, machine, rounds }: KeptRun): string {
  const facts = Object.entries(machine)
    .filter(([name]) => name !== 'name')
    .map(([name, fact]) => `${name} ${fact}`)
    .join(', ');
  return `Commit ${commit ?? 'none'}, ${startedAt.slice(0, 10)}, ${rounds} rounds; ${facts}. Median, with the least and the greatest of the rounds.`;
}

/** By the words of the limit: when those were changed, it is something else that was measured. */
function linesOf(run: KeptRun, goal: GoalNumber, limit: Limit): readonly KeptLine[] {
  return run.goals
    .filter((one) => one.goal === goal)
    .flatMap(({ lines }) => lines.filter((line) => line.limit.of === limit.of));
}

function rowsOf(limit: Limit, lines: readonly KeptLine[]): readonly (readonly string[])[] {
  if (lines.length === 0) return [['', limit.of, 'not measured', limitText(limit), '']];
  return lines.map((kept) => {
    const line = judgedByToday(limit, kept);
    return ['', nameOf(line), cellOf(line), limitText(limit), verdictText(line).replace('MISSED', 'missed')];
  });
}

/** The verdict is by today's limit. */
function judgedByToday(limit: Limit, { part, outcome, floor }: KeptLine): GoalLine {
  return { limit, outcome, ...(part === undefined ? {} : { part }), ...(floor === undefined ? {} : { floor }) };
}

function sumOf(run: KeptRun): string {
  const limits = goalNumbers.flatMap((goal) =>
    limitsOf(goal).map((limit) => ({ limit, lines: linesOf(run, goal, limit) })),
  );
  const measured = limits.flatMap(({ limit, lines }) => lines.map((line) => judgedByToday(limit, line)));
  const unmeasured = limits.filter(({ lines }) => lines.length === 0).length;
  return `${[sumText(measured), ...(unmeasured === 0 ? [] : [`${unmeasured} not measured`])].join(', ')}.`;
}

const escaped = (cell: string): string => cell.replaceAll('|', '\\|');
