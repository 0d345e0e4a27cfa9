import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type GoalNumber, goalNumbers, goalTable } from './goal-table.ts';

/** What `npm run bench` was asked to do. */
export type BenchRequest =
  | { readonly kind: 'help' }
  /** One line: which flag, what is wrong with it, what it takes. */
  | { readonly kind: 'wrong'; readonly problem: string }
  | { readonly kind: 'profile'; readonly name: string }
  /** From a run that was kept: its table into the document, or its pictures beside the document. */
  | { readonly kind: 'table' | 'draw'; readonly runFile: string }
  | {
      readonly kind: 'measure';
      readonly goals: readonly GoalNumber[];
      /** Alternating rounds of each comparison. */
      readonly rounds: number;
      readonly isQuick: boolean;
      /** Where the report is kept as JSON, besides its usual place; null for there alone. */
      readonly jsonFile: string | null;
      /** A missed goal makes the exit code 1. */
      readonly isCheck: boolean;
    };

const leastRounds = 5;
const usualRounds = 7;

export function benchUsage(profileNames: readonly string[]): string {
  const titles = goalNumbers.map((goal) => `  ${String(goal).padStart(2)}  ${goalTable[goal].title}`).join('\n');
  return `Usage: npm run bench -- [flags]

Measures the speed goals, each side by side with its yardstick, and ends with a table of what is met and what is missed.
Takes half an hour; leave the machine alone.

  --goal N        only this goal; may be given several times
  --rounds N      alternating rounds of each comparison; default ${usualRounds}, at least ${leastRounds}
  --quick         fewer rows and ${leastRounds} rounds: a look while one works on the code, not for the record
  --json FILE     the report as JSON into this file too
  --check         exit code 1 when a goal is missed
  --profile NAME  where the time goes, instead of a report: ${profileNames.join(', ')}
  --table RUN     write the table of docs/performance.md from the JSON of a run
  --draw RUN      draw its pictures into docs/images
  --help          this text

Goals:
${titles}
`;
}

/** @param argv without the program's own name */
export function readBenchFlags(argv: readonly string[], profileNames: readonly string[]): BenchRequest {
  let values: ReturnType<typeof parse>;
  try {
    values = parse(argv);
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
  if (values.help === true) return { kind: 'help' };
  if (values.profile !== undefined) return readProfile(values.profile, { argv, profileNames });
  for (const kind of ['table', 'draw'] as const) {
    const runFile = values[kind];
    if (runFile === undefined) continue;
    return isAlone(kind, runFile, argv) ? { kind, runFile: resolve(runFile) } : wrong(notAlone(kind));
  }
  const isQuick = values.quick === true;
  const goals = (values.goal ?? []).map((text) => ({ text, goal: goalNumbers.find((goal) => String(goal) === text) }));
  const unknown = goals.find(({ goal }) => goal === undefined);
  if (unknown !== undefined) {
    return wrong(`--goal ${unknown.text}: there is no such goal; it is a number from 1 to ${goalNumbers.length}`);
  }
  const rounds = values.rounds === undefined ? (isQuick ? leastRounds : usualRounds) : Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < leastRounds) {
    return wrong(`--rounds ${values.rounds}: it is a whole number, ${leastRounds} or more`);
  }
  const jsonFile = values.json === undefined ? null : resolve(values.json);
  const jsonProblem = jsonFile === null ? null : problemOfFile(jsonFile);
  if (jsonProblem !== null) return wrong(`--json ${values.json}: ${jsonProblem}`);
  const asked = new Set(goals.map(({ goal }) => goal));
  return {
    kind: 'measure',
    goals: asked.size === 0 ? goalNumbers : goalNumbers.filter((goal) => asked.has(goal)),
    rounds,
    isQuick,
    jsonFile,
    isCheck: values.check === true,
  };
}

function parse(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    options: {
      goal: { type: 'string', multiple: true },
      rounds: { type: 'string' },
      quick: { type: 'boolean' },
      json: { type: 'string' },
      check: { type: 'boolean' },
      profile: { type: 'string' },
      table: { type: 'string' },
      draw: { type: 'string' },
      help: { type: 'boolean' },
    },
  }).values;
}

function readProfile(
  name: string,
  { argv, profileNames }: { readonly argv: readonly string[]; readonly profileNames: readonly string[] },
): BenchRequest {
  if (!profileNames.includes(name)) {
    return wrong(`--profile ${name}: there is no such profile; there are ${profileNames.join(', ')}`);
  }
  return isAlone('profile', name, argv) ? { kind: 'profile', name } : wrong(notAlone('profile'));
}

function isAlone(flag: string, value: string, argv: readonly string[]): boolean {
  return argv.length <= 2 && argv.every((word) => word.startsWith(`--${flag}`) || word === value);
}

const notAlone = (flag: string): string => `--${flag}: it measures no goals, so it takes no other flag`;

/** Looked at before an hour of measuring, and not after it. */
function problemOfFile(path: string): string | null {
  const folder = dirname(path);
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return 'that is a folder; name a file in it';
    accessSync(folder, constants.W_OK);
    return null;
  } catch {
    return `the folder ${folder} is not there or cannot be written to; name a file in one that can`;
  }
}

function wrong(problem: string): BenchRequest {
  return { kind: 'wrong', problem };
}
