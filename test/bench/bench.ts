// `npm run bench`: measures the product against its speed goals, each beside its yardstick, in one run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchRequest, benchUsage, readBenchFlags } from './flags.ts';
import { type GoalNumber, limitsOf } from './goal-table.ts';
import type { GoalContext } from './goals/context.ts';
import { measureByGoal } from './goals/measure-by-goal.ts';
import type { GoalLine } from './measure.ts';
import { profile, profileNames } from './profile.ts';
import {
  type BenchReport,
  commitOf,
  type GoalReport,
  isAnyMissed,
  jsonOf,
  lineText,
  loadText,
  machineFacts,
  sumText,
  tableOf,
} from './report.ts';
import { buildSyncShim } from './sync-shim.ts';
import { createWorkFolder, keptRunsFolder } from './work-folder.ts';

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

process.exitCode = await main(readBenchFlags(process.argv.slice(2), profileNames));

async function main(request: BenchRequest): Promise<number> {
  switch (request.kind) {
    case 'help':
      process.stdout.write(benchUsage(profileNames));
      return 0;
    case 'wrong':
      say(`${request.problem}\n\n${benchUsage(profileNames)}`);
      return 2;
    case 'profile':
      process.stdout.write(await inWorkFolder((work) => profile(request.name, work)));
      return 0;
    case 'measure':
      return inWorkFolder((work) => measure(request, work));
  }
}

async function inWorkFolder<Result>(run: (work: GoalContext['work']) => Promise<Result>): Promise<Result> {
  const work = createWorkFolder();
  try {
    return await run(work);
  } finally {
    work.remove();
  }
}

async function measure(
  { goals, rounds, isQuick, jsonFile, isCheck }: Extract<BenchRequest, { kind: 'measure' }>,
  work: GoalContext['work'],
): Promise<number> {
  const context: GoalContext = { work, shim: buildSyncShim(work.path), rounds, isQuick, say };
  const machine = machineFacts(work.path);
  const startedAt = new Date().toISOString();
  const commit = commitOf(import.meta.dirname);
  say(`commit: ${commit ?? 'none'}`);
  for (const [name, fact] of Object.entries(machine)) say(`${name}: ${fact}`);
  const keptFile = keptFileOf({ startedAt, commit });
  const reports: GoalReport[] = [];
  for (const goal of goals) {
    say(`Goal ${goal} … (load ${loadText()})`);
    const lines = await linesOf(goal, context);
    for (const line of lines) say(`  ${lineText(line)}`);
    reports.push({ goal, lines });
    // After each goal: a run that is stopped keeps what it has.
    const report: BenchReport = { startedAt, commit, machine, rounds, isQuick, goals: reports };
    for (const file of jsonFile === null ? [keptFile] : [keptFile, jsonFile]) writeFileSync(file, jsonOf(report));
  }
  process.stdout.write(`\n${tableOf(reports)}\n\n${sumText(reports)}\n`);
  say(`Kept as ${keptFile}`);
  return isCheck && isAnyMissed(reports) ? 1 : 0;
}

/** One goal that breaks does not take the others with it. */
async function linesOf(goal: GoalNumber, context: GoalContext): Promise<readonly GoalLine[]> {
  try {
    return await measureByGoal[goal](context);
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return limitsOf(goal).map((limit) => ({ limit, outcome: { kind: 'failed', reason } }));
  }
}

function keptFileOf({ startedAt, commit }: Pick<BenchReport, 'startedAt' | 'commit'>): string {
  mkdirSync(keptRunsFolder, { recursive: true });
  const name = `${startedAt.replaceAll(':', '-')} ${commit ?? 'no commit'}`.replaceAll(' ', '-');
  return join(keptRunsFolder, `${name}.json`);
}
