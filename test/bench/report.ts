import { arch, cpus, platform, release, totalmem } from 'node:os';
import BetterSqlite3 from 'better-sqlite3';
import { type GoalLine, isMet, type Target } from './measure.ts';
import { diskOf } from './work-folder.ts';

/** What the figures were measured on; figures of two machines cannot be compared, ratios nearly can. */
export function machineFacts(dataFolder: string): Readonly<Record<string, string>> {
  const cores = cpus();
  const database = new BetterSqlite3(':memory:');
  const sqlite = String(database.prepare<[], { v: string }>('SELECT sqlite_version() AS v').get()?.v);
  database.close();
  return {
    cpu: `${cores.length} × ${cores[0]?.model.trim() ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    system: `${platform()} ${release()} ${arch()}`,
    disk: diskOf(dataFolder),
    node: process.versions.node,
    sqlite,
  };
}

/** What became of a goal's line; null when it was not measured. */
export function verdict(line: GoalLine): 'met' | 'MISSED' | 'skipped' {
  if (line.kind === 'skipped') return 'skipped';
  return isMet(line.measured, line.target) ? 'met' : 'MISSED';
}

/** The report as a table for people. */
export function tableOf(lines: readonly GoalLine[]): string {
  const rows = [
    ['goal', 'what', 'measured (min–max)', 'target', '', 'figures'],
    ...lines.map((line) => [
      String(line.goal),
      line.what,
      line.kind === 'measured' ? measuredText(line) : '–',
      targetText(line.target),
      verdict(line),
      line.kind === 'measured' ? line.figures : line.reason,
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

function measuredText({ measured, target }: Extract<GoalLine, { kind: 'measured' }>): string {
  const one = (value: number) => value.toFixed(target.unit === 'x' ? 2 : 0);
  const middle = `${one(measured.median)}${target.unit}`;
  return measured.min === measured.max ? middle : `${middle} (${one(measured.min)}–${one(measured.max)})`;
}

function targetText(target: Target): string {
  return `${target.side === 'at_most' ? '≤' : '≥'} ${target.value}${target.unit}`;
}

/** The report for programs: one object. */
export function jsonOf(lines: readonly GoalLine[], facts: Readonly<Record<string, string>>): string {
  return JSON.stringify({ machine: facts, goals: lines.map((line) => ({ ...line, verdict: verdict(line) })) }, null, 2);
}
