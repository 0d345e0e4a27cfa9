// `npm run bench`: measures the product against its speed goals, each beside its yardstick, in one run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchRequest, benchUsage, readBenchFlags } from './flags.ts';
import type { GoalContext } from './goals/context.ts';
import { measureByGoal } from './goals/measure-by-goal.ts';
import { readKeptRun } from './kept-run.ts';
import { createLongQueue } from './long-queue.ts';
import { profile, profileNames } from './profile.ts';
import { writePictures, writeTable } from './publish.ts';
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
import { runGoal } from './run-goal.ts';
import { buildSyncShim } from './sync-shim.ts';
import { createWorkFolder, keptRunsFolder } from './work-folder.ts';

/** The longest takes about eight minutes where others work beside it. */
const longestGoalMs = 20 * 60_000;

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
    case 'table':
    case 'draw':
      return publish(request);
    case 'measure':
      return inWorkFolder((work) => measure(request, work));
  }
}

/** What the repository shows of a run: written from its JSON, so that nobody copies a figure by hand. */
async function publish({ kind, runFile }: Extract<BenchRequest, { kind: 'table' | 'draw' }>): Promise<number> {
  const read = readKeptRun(runFile);
  if (read.kind === 'wrong') {
    say(`--${kind} ${runFile}: ${read.problem}`);
    return 2;
  }
  for (const path of kind === 'table' ? writeTable(read.run) : await writePictures(read.run)) say(`Written: ${path}`);
  return 0;
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
  const context: GoalContext = {
    work,
    shim: buildSyncShim(work.path),
    rounds,
    isQuick,
    say,
    longQueue: createLongQueue(work, { isQuick, say }),
  };
  const machine = machineFacts(work.path);
  const startedAt = new Date().toISOString();
  const commit = commitOf(import.meta.dirname);
  say(`commit: ${commit ?? 'none'}`);
  for (const [name, fact] of Object.entries(machine)) say(`${name}: ${fact}`);
  const keptFile = keptFileOf({ startedAt, commit });
  const reports: GoalReport[] = [];
  for (const goal of goals) {
    say(`Goal ${goal} … (load ${loadText()})`);
    const measured = await runGoal({ goal, measure: () => measureByGoal[goal](context), limitMs: longestGoalMs });
    for (const line of measured.lines) say(`  ${lineText(line)}`);
    say(`  took ${measured.tookSeconds} s`);
    reports.push(measured);
    // After each goal: a run that is stopped keeps what it has.
    const report: BenchReport = { startedAt, commit, machine, rounds, isQuick, goals: reports };
    for (const file of jsonFile === null ? [keptFile] : [keptFile, jsonFile]) writeFileSync(file, jsonOf(report));
  }
  process.stdout.write(`\n${tableOf(reports)}\n\n${sumText(reports.flatMap(({ lines }) => lines))}\n`);
  say(`Kept as ${keptFile}`);
  return isCheck && isAnyMissed(reports) ? 1 : 0;
}

function keptFileOf({ startedAt, commit }: Pick<BenchReport, 'startedAt' | 'commit'>): string {
  mkdirSync(keptRunsFolder, { recursive: true });
  const name = `${startedAt.replaceAll(':', '-')} ${commit ?? 'no commit'}`.replaceAll(' ', '-');
  return join(keptRunsFolder, `${name}.json`);
}
