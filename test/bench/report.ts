import { spawnSync } from 'node:child_process';
import { arch, cpus, hostname, loadavg, platform, release, totalmem } from 'node:os';
import BetterSqlite3 from 'better-sqlite3';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { type GoalNumber, goalTable } from './goal-table.ts';
import { floorVerdictOf, type GoalLine, type Limit, type Spread, verdictOf } from './measure.ts';
import { diskOf } from './work-folder.ts';

/** What was measured of one goal. */
export interface GoalReport {
  readonly goal: GoalNumber;
  readonly lines: readonly GoalLine[];
  readonly tookSeconds: number;
}

/** A run of the bench, as it is kept. */
export interface BenchReport {
  /** When it began, as an instant. */
  readonly startedAt: string;
  /** What was measured: the commit, and whether files differed from it; null outside of a repository. */
  readonly commit: string | null;
  readonly machine: Readonly<Record<string, string>>;
  readonly rounds: number;
  readonly isQuick: boolean;
  readonly goals: readonly GoalReport[];
}

/** What the figures were measured on; figures of two machines cannot be compared, ratios nearly can. */
export function machineFacts(dataFolder: string): Readonly<Record<string, string>> {
  const cores = cpus();
  const database = new BetterSqlite3(':memory:');
  const sqlite = String(database.prepare<[], { v: string }>('SELECT sqlite_version() AS v').get()?.v);
  database.close();
  return {
    name: hostname(),
    cpu: `${cores.length} × ${cores[0]?.model.trim() ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    system: `${platform()} ${release()} ${arch()}`,
    disk: diskOf(dataFolder),
    node: process.versions.node,
    sqlite,
    load: loadText(),
  };
}

/** Of the last minute; null where the system has no such figure. Above the number of cores, figures say little. */
export function loadText(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

/** @returns such as `5687e3d`, or `5687e3d with changes`; null outside of a repository */
export function commitOf(folder: string): string | null {
  const git = (...args: string[]) => spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  const head = git('rev-parse', '--short', 'HEAD');
  if (head.status !== 0) return null;
  const isChanged = git('status', '--porcelain', '--untracked-files=no').stdout.trim() !== '';
  return `${head.stdout.trim()}${isChanged ? ' with changes' : ''}`;
}

/** One line of the report while it is made, with the absolute figures. */
export function lineText(line: GoalLine): string {
  const { outcome } = line;
  const measured = outcome.kind === 'measured' ? `${measuredText(outcome.measured, line.limit)}; ` : '';
  const rest = outcome.kind === 'measured' ? outcome.figures : outcome.reason;
  return `${verdictText(line)}: ${nameOf(line)}: ${measured}${rest}`;
}

/** The table at the end: goal, what was measured, the limit, met or missed. */
export function tableOf(goals: readonly GoalReport[]): string {
  const rows = [
    ['goal', '', 'measured (min–max)', 'limit', ''],
    ...goals.flatMap(({ goal, lines }) => [
      [String(goal), goalTable[goal].title, '', '', ''],
      ...lines.map((line) => ['', `  ${nameOf(line)}`, cellOf(line), limitText(line.limit), verdictText(line)]),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** What a verdict is made of. */
type Judged = Pick<GoalLine, 'limit' | 'outcome' | 'floor'>;

/** Such as `MISSED; the floor 1.36x, too`. */
export function verdictText(line: Judged): string {
  const verdict = verdictOf(line);
  const floorVerdict = floorVerdictOf(line);
  if (floorVerdict === null || line.floor === undefined) return verdict;
  const figure = middleText(line.floor.median, line.limit);
  switch (floorVerdict) {
    case 'out_of_reach':
      return `${verdict}; the floor ${figure}, too`;
    case 'in_reach':
      return `${verdict}; the floor ${figure}`;
    case 'no_floor':
      return `${verdict}; its floor was worse, ${figure}`;
    default:
      return assertNever(floorVerdict);
  }
}

/** Such as `41 met, 6 missed (4 by the floor, too)`. */
export function sumText(lines: readonly Judged[]): string {
  const outOfReach = lines.filter((line) => floorVerdictOf(line) === 'out_of_reach').length;
  return Object.entries(Object.groupBy(lines, verdictOf))
    .map(([verdict, found]) => {
      const told = `${found.length} ${verdict.toLowerCase()}`;
      return verdict === 'MISSED' && outOfReach > 0 ? `${told} (${outOfReach} by the floor, too)` : told;
    })
    .join(', ');
}

/** Whether a limit was missed, or could not be told because the measuring broke. */
export function isAnyMissed(goals: readonly GoalReport[]): boolean {
  return goals.some(({ lines }) => lines.some((line) => ['MISSED', 'FAILED'].includes(verdictOf(line))));
}

/** The report for programs: one object. */
export function jsonOf(report: BenchReport): string {
  const goals = report.goals.map(({ goal, lines, tookSeconds }) => ({
    goal,
    title: goalTable[goal].title,
    tookSeconds,
    lines: lines.map((line) => ({ ...line, verdict: verdictOf(line) })),
  }));
  return `${JSON.stringify({ ...report, goals }, null, 2)}\n`;
}

export function nameOf({ limit, part }: GoalLine): string {
  return part === undefined ? limit.of : `${limit.of}; ${part}`;
}

export function cellOf({ outcome, limit }: GoalLine): string {
  return outcome.kind === 'measured' ? measuredText(outcome.measured, limit) : '–';
}

function measuredText({ median, min, max }: Spread, limit: Limit): string {
  const middle = middleText(median, limit);
  return min === max ? middle : `${middle} (${figureText(min, limit)}–${figureText(max, limit)})`;
}

const middleText = (value: number, limit: Limit): string => `${figureText(value, limit)}${unitText(limit)}`;

function figureText(value: number, limit: Limit): string {
  return value.toFixed(limit.unit === 'x' || limit.value < 10 ? 2 : 0);
}

export function limitText(limit: Limit): string {
  return `${limit.side === 'at_most' ? '≤' : '≥'} ${limit.value}${unitText(limit)}`;
}

function unitText({ unit }: Limit): string {
  return unit === 'x' || unit.startsWith('/') ? unit : ` ${unit}`;
}
