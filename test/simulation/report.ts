import type { Plan } from './engine/plan.ts';
import type { RunOptions } from './flags.ts';
import type { Outcome } from './history.ts';
import { type RuleName, rules, type Verdict } from './judge/rules.ts';
import { expectedMarks, type Marks } from './marks.ts';
import type { Step } from './program/steps.ts';
import { shrink } from './shrink.ts';

/** One history with what it broke. */
interface Played {
  readonly plan: Plan;
  readonly steps: readonly Step[];
  readonly outcome: Outcome;
  readonly broken: readonly Verdict[];
}

interface Count {
  verdicts: number;
  readonly seeds: number[];
  readonly example: string;
}

/** The first failure of a rule is shrunk; the others are counted. */
const mostSeedsNamed = 8;

/** Tells of a run: each rule's first failure at once, the rest in a table at the end. */
export class Report {
  readonly #options: RunOptions;
  readonly #print: (text: string) => void;
  readonly #counts = new Map<RuleName, Count>();
  readonly #begin = { wallMs: performance.now(), cpu: process.cpuUsage() };
  #histories = 0;
  #steps = 0;
  #events = 0;
  #virtualMs = 0;

  constructor(options: RunOptions, print: (text: string) => void) {
    this.#options = options;
    this.#print = print;
  }

  async add(played: Played): Promise<void> {
    const { plan, steps, outcome, broken } = played;
    this.#histories += 1;
    this.#steps += steps.length;
    this.#events += outcome.eventCount;
    this.#virtualMs += outcome.virtualMs * plan.tillCount;
    if (this.#options.showsTrace) for (const line of outcome.trace) this.#print(`${line}\n`);
    for (const rule of new Set(broken.map((verdict) => verdict.rule))) {
      const own = broken.filter((verdict) => verdict.rule === rule);
      const known = this.#counts.get(rule);
      const count = known ?? { verdicts: 0, seeds: [], example: own[0]?.text ?? '' };
      this.#counts.set(rule, count);
      count.verdicts += own.length;
      count.seeds.push(plan.seed);
      if (known === undefined) await this.#tell(played, rule, own);
    }
  }

  /** @returns whether all was well */
  finish(marks: Marks): boolean {
    const table = [...this.#counts].sort(([, one], [, other]) => other.seeds.length - one.seeds.length);
    for (const [rule, { verdicts, seeds, example }] of table) {
      const named = seeds.slice(0, mostSeedsNamed).join(' ');
      this.#print(`${rule.padEnd(30)} ${verdicts} in ${seeds.length} seeds (${named}) | ${example.slice(0, 200)}\n`);
    }
    const missed = this.#options.needsMarks ? this.#tellMarks(marks) : [];
    this.#print(this.#figures());
    return this.#counts.size === 0 && missed.length === 0;
  }

  async #tell({ plan, steps }: Played, rule: RuleName, verdicts: readonly Verdict[]): Promise<void> {
    this.#print(`\nSeed ${plan.seed} breaks ${rule}: ${rules[rule]}\n`);
    for (const { text } of verdicts.slice(0, 3)) this.#print(`  ${text}\n`);
    const isShrinkable = this.#options.shrinks && rule !== 'trace-differs';
    const shortest = isShrinkable ? await shrink(plan, steps, rule) : { plan, steps };
    if (isShrinkable) {
      this.#print(`The shortest history that breaks it has ${shortest.steps.length} steps:\n`);
      for (const step of shortest.steps) this.#print(`  ${JSON.stringify(step)}\n`);
    }
    this.#print(`Repeat it with:\n  ${this.#command(shortest.plan, shortest.steps, rule)} --trace\n\n`);
  }

  #command(plan: Plan, steps: readonly Step[], rule: RuleName): string {
    const { wishes } = this.#options;
    const flags = [
      `--seeds 1 --from ${plan.seed}`,
      wishes.stepCount === defaultStepCount ? '' : `--steps ${wishes.stepCount}`,
      wishes.tillCount === null ? '' : `--tills ${wishes.tillCount}`,
      wishes.faults === null ? '' : `--faults ${namesOf(wishes.faults)}`,
      wishes.without.size === 0 ? '' : `--without ${namesOf(wishes.without)}`,
      wishes.mixes === null ? '' : `--mixes ${namesOf(wishes.mixes)}`,
      `--line-faults ${namesOf(plan.lineFaults)}`,
      `--keep ${steps.map(({ step }) => step).join(',')}`,
      `--only ${rule}`,
    ];
    return `npm run simulate -- ${flags.filter((flag) => flag !== '').join(' ')}`;
  }

  /** @returns the marks that were missed */
  #tellMarks(marks: Marks): readonly string[] {
    for (const [name, count] of [...marks.counts].sort(([one], [other]) => one.localeCompare(other)))
      this.#print(`  ${String(count).padStart(8)} ${name}\n`);
    const missed = expectedMarks.filter((name) => !marks.counts.has(name));
    for (const name of missed) this.#print(`    MISSED ${name}\n`);
    this.#print(`${expectedMarks.length - missed.length} of ${expectedMarks.length} marks reached\n`);
    return missed;
  }

  #figures(): string {
    const { user, system } = process.cpuUsage(this.#begin.cpu);
    const cpuS = (user + system) / 1e6;
    const wallS = (performance.now() - this.#begin.wallMs) / 1000;
    const tillDays = this.#virtualMs / 86_400_000;
    const rate = Math.round((tillDays / cpuS) * 60);
    return (
      `${this.#histories} histories, ${this.#steps} steps, ${this.#events} events, ${tillDays.toFixed(0)} till-days; ` +
      `${wallS.toFixed(1)} s, ${cpuS.toFixed(1)} s of CPU, ${rate} till-days per CPU-minute\n`
    );
  }
}

const defaultStepCount = 25;

function namesOf(names: ReadonlySet<string>): string {
  return names.size === 0 ? 'none' : [...names].join(',');
}
