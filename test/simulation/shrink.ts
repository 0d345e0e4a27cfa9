import type { FaultName } from './engine/faults.ts';
import type { Plan } from './engine/plan.ts';
import { playHistory } from './history.ts';
import type { RuleName } from './judge/rules.ts';
import type { Step } from './program/steps.ts';

/** A history that still breaks a rule. */
interface Shrunk {
  readonly plan: Plan;
  readonly steps: readonly Step[];
}

/** Leaves out steps, by halves, and then faults of the line, one by one, as long as the rule is still broken. */
export async function shrink(plan: Plan, steps: readonly Step[], rule: RuleName): Promise<Shrunk> {
  const isBroken = async (lessPlan: Plan, lessSteps: readonly Step[]): Promise<boolean> => {
    const { verdicts } = await playHistory(lessPlan, lessSteps).catch(() => ({ verdicts: [] }));
    return verdicts.some((verdict) => verdict.rule === rule);
  };
  let shorter = steps;
  for (let size = Math.ceil(shorter.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    shorter = await leaveOut(shorter, size, (less) => isBroken(plan, less));
  }
  let fewer = plan;
  for (const fault of plan.lineFaults) {
    const less = { ...fewer, lineFaults: without(fewer.lineFaults, fault) };
    if (await isBroken(less, shorter)) fewer = less;
  }
  shorter = await leaveOut(shorter, 1, (less) => isBroken(fewer, less));
  return { plan: fewer, steps: shorter };
}

async function leaveOut(
  steps: readonly Step[],
  size: number,
  isEnough: (less: readonly Step[]) => Promise<boolean>,
): Promise<readonly Step[]> {
  let kept = steps;
  for (let from = 0; from < kept.length; ) {
    const less = kept.toSpliced(from, size);
    if (less.length < kept.length && less.length > 0 && (await isEnough(less))) kept = less;
    else from += size;
  }
  return kept;
}

function without(faults: ReadonlySet<FaultName>, fault: FaultName): ReadonlySet<FaultName> {
  return new Set([...faults].filter((name) => name !== fault));
}
