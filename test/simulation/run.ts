// `npm run simulate`: plays histories by seed, and tells of the rules that they break.
import { planOf } from './engine/plan.ts';
import { help, list, type RunOptions, readFlags } from './flags.ts';
import { type Outcome, playHistory } from './history.ts';
import type { Verdict } from './judge/rules.ts';
import { Marks } from './marks.ts';
import { makeSteps } from './program/make-steps.ts';
import { Report } from './report.ts';

// Whoever reads only the beginning (`| head`) closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const flags = readFlags(process.argv.slice(2));
switch (flags.kind) {
  case 'help':
    process.stdout.write(help);
    break;
  case 'list':
    process.stdout.write(list());
    break;
  case 'wrong':
    process.stderr.write(`${flags.message} See npm run simulate -- --help.\n`);
    process.exitCode = 2;
    break;
  case 'run':
    process.exitCode = (await run(flags.options)) ? 0 : 1;
}

/** @returns whether every rule held, and every mark that is asked for was reached */
async function run(options: RunOptions): Promise<boolean> {
  const report = new Report(options, (text) => process.stdout.write(text));
  const marks = new Marks();
  const { firstSeed, seedCount, wishes, keptSteps, rules } = options;
  for (let seed = firstSeed; seed < firstSeed + seedCount; seed += 1) {
    const plan = planOf(seed, wishes);
    const steps = makeSteps(plan).filter(({ step }) => keptSteps === null || keptSteps.has(step));
    const outcome = await playHistory(plan, steps, { keepsTrace: options.showsTrace });
    const verdicts = [...outcome.verdicts, ...(options.isTwice ? await playAgain(outcome) : [])];
    marks.add(outcome.marks);
    const broken = verdicts.filter(({ rule }) => rules === null || rules.has(rule));
    await report.add({ plan, steps, outcome, broken });

    async function playAgain({ digest }: Outcome): Promise<readonly Verdict[]> {
      const again = await playHistory(plan, steps);
      if (again.digest === digest) return [];
      return [{ rule: 'trace-differs', text: `${digest} and then ${again.digest}` }];
    }
  }
  return report.finish(marks);
}
