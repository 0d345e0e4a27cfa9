// `npm run bench`: measures the product against its speed goals, each beside its yardstick, in one run.
import { parseArgs } from 'node:util';
import type { GoalContext, MeasureGoal } from './goals/context.ts';
import { measureDrain } from './goals/drain.ts';
import { measureDurability } from './goals/durability.ts';
import { measureEnqueue } from './goals/enqueue.ts';
import { measureInFlight } from './goals/in-flight.ts';
import { measurePage } from './goals/page.ts';
import { measureSandbox } from './goals/sandbox.ts';
import { measureStart } from './goals/start.ts';
import { measureStoreSize } from './goals/store-size.ts';
import type { GoalLine } from './measure.ts';
import { profile, profileNames } from './profile.ts';
import { jsonOf, machineFacts, tableOf, verdict } from './report.ts';
import { buildSyncShim } from './sync-shim.ts';
import { createWorkFolder } from './work-folder.ts';

const measureByGoal: Readonly<Record<string, MeasureGoal>> = {
  1: measureDurability,
  2: measureEnqueue,
  3: measureInFlight,
  5: measureDrain,
  9: measureStart,
  13: measureSandbox,
  14: measureStoreSize,
  15: measurePage,
};

const usage = `Usage: npm run bench -- [flags]

Measures the speed goals, each side by side with its yardstick. Takes about ten minutes; leave the machine alone.

  --goal N        only this goal (${Object.keys(measureByGoal).join(', ')}); may be given several times
  --rounds N      alternating pairs of each comparison; default 7, at least 5
  --quick         fewer rows and rounds: a look while one works on the code
  --json          the report as JSON
  --check         exit code 1 when a goal is missed
  --profile NAME  where the time goes: ${profileNames.join(', ')}
`;

process.exitCode = await main();

async function main(): Promise<number> {
  const flags = readFlags();
  if (typeof flags === 'string') {
    process.stderr.write(`${flags}\n\n${usage}`);
    return 2;
  }
  if (flags.help === true) {
    process.stdout.write(usage);
    return 0;
  }
  const work = createWorkFolder();
  try {
    if (flags.profile !== undefined) {
      process.stdout.write(await profile(flags.profile, work));
      return 0;
    }
    const facts = machineFacts(work.path);
    const isQuick = flags.quick === true;
    const context: GoalContext = {
      work,
      shim: buildSyncShim(work.path),
      rounds: flags.rounds ?? (isQuick ? 5 : 7),
      isQuick,
      say: (line) => process.stderr.write(`${line}\n`),
    };
    if (flags.json !== true) {
      process.stdout.write(
        `${Object.entries(facts)
          .map(([name, fact]) => `${name}: ${fact}`)
          .join('\n')}\n\n`,
      );
    }
    const lines: GoalLine[] = [];
    for (const goal of flags.goals) {
      context.say(`Goal ${goal} …`);
      lines.push(...((await measureByGoal[goal]?.(context)) ?? []));
    }
    process.stdout.write(`${flags.json === true ? jsonOf(lines, facts) : tableOf(lines)}\n`);
    return flags.check === true && lines.some((line) => verdict(line) === 'MISSED') ? 1 : 0;
  } finally {
    work.remove();
  }
}

/** @returns the flags, or what is wrong with them */
function readFlags() {
  try {
    const { values } = parseArgs({
      options: {
        goal: { type: 'string', multiple: true },
        rounds: { type: 'string' },
        quick: { type: 'boolean' },
        json: { type: 'boolean' },
        check: { type: 'boolean' },
        profile: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
    const goals = values.goal ?? Object.keys(measureByGoal);
    const unknown = goals.find((goal) => !Object.hasOwn(measureByGoal, goal));
    if (unknown !== undefined)
      return `--goal ${unknown}: there is none; there are ${Object.keys(measureByGoal).join(', ')}`;
    const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
    if (rounds !== undefined && !(Number.isInteger(rounds) && rounds >= 5)) return '--rounds: a whole number from 5 on';
    if (values.profile !== undefined && !profileNames.includes(values.profile)) {
      return `--profile ${values.profile}: there is none; there are ${profileNames.join(', ')}`;
    }
    return { ...values, goals, rounds };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
