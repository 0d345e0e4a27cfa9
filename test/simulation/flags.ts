import { parseArgs } from 'node:util';
import { type FaultName, faultNames, isFaultName, isMixName, type MixName, mixNames } from './engine/faults.ts';
import type { PlanWishes } from './engine/plan.ts';
import { isRuleName, type RuleName, ruleNames } from './judge/rules.ts';

/** What a run was asked for. */
export interface RunOptions {
  readonly seedCount: number;
  readonly firstSeed: number;
  readonly wishes: PlanWishes;
  /** Numbers of the steps to keep; null: all. */
  readonly keptSteps: ReadonlySet<number> | null;
  /** Null: all rules. */
  readonly rules: ReadonlySet<RuleName> | null;
  readonly isTwice: boolean;
  readonly showsTrace: boolean;
  readonly shrinks: boolean;
  /** Whether a mark that was missed fails the run. */
  readonly needsMarks: boolean;
}

type ReadFlags =
  | { readonly kind: 'run'; readonly options: RunOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly message: string };

/** More have no places in the shop. */
const mostTills = 3;

export const help = `Usage: npm run simulate -- [options]

Plays histories of a shop (tills, a line with faults, the loyalty service) in virtual time, and holds what was told
and shown against the service's books. One seed is one history. docs/simulation.md tells how to read a failure.

  --seeds N          so many histories (default 100)
  --from S           the first seed (default 1)
  --steps N          so many steps in each history (default 25)
  --tills N          1, 2 or 3 tills (default: the seed's choice)
  --faults A,B       these faults in place of the seed's; all; none
  --without A,B      leaves these faults out
  --line-faults A,B  of the faults, only these strike on the line; none
  --mixes A,B        these ways of using the tills in place of the seed's; all; none
  --keep 3,7         only these steps of the history
  --only A,B         judges by these rules alone
  --twice            plays each seed twice, and compares the traces
  --trace            prints everything that happens
  --no-shrink        does not look for the shortest history of a failure
  --marks            prints which rare branches were reached; one that was missed fails the run
  --list             prints the faults, the mixes and the rules
  --help             prints this

Exit code 0: every rule held. 1: a rule was broken, or a mark missed. 2: wrong use.
`;

export function list(): string {
  const lines = [
    ['Faults:', ...faultNames],
    ['Mixes:', ...mixNames],
    ['Rules:', ...ruleNames],
  ];
  return `${lines.map((names) => names.join('\n  ')).join('\n')}\n`;
}

/** @param args what stands behind the program's name on the command line */
export function readFlags(args: readonly string[]): ReadFlags | { readonly kind: 'list' } {
  try {
    return read(args);
  } catch (error) {
    return { kind: 'wrong', message: error instanceof Error ? error.message : String(error) };
  }
}

function read(args: readonly string[]): ReadFlags | { readonly kind: 'list' } {
  const text = { type: 'string' } as const;
  const yes = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { ...text, default: '100' },
      from: { ...text, default: '1' },
      steps: { ...text, default: '25' },
      tills: text,
      faults: text,
      without: text,
      'line-faults': text,
      mixes: text,
      keep: text,
      only: text,
      twice: yes,
      trace: yes,
      'no-shrink': yes,
      marks: yes,
      list: yes,
      help: yes,
    },
  });
  if (values.help) return { kind: 'help' };
  if (values.list) return { kind: 'list' };
  return {
    kind: 'run',
    options: {
      seedCount: wholeNumber('--seeds', values.seeds),
      firstSeed: wholeNumber('--from', values.from),
      wishes: {
        stepCount: wholeNumber('--steps', values.steps),
        tillCount: values.tills === undefined ? null : wholeNumber('--tills', values.tills, mostTills),
        faults: names<FaultName>('--faults', values.faults, isFaultName, faultNames),
        without: names<FaultName>('--without', values.without, isFaultName, faultNames) ?? new Set(),
        lineFaults: names<FaultName>('--line-faults', values['line-faults'], isFaultName, faultNames),
        mixes: names<MixName>('--mixes', values.mixes, isMixName, mixNames),
      },
      keptSteps: values.keep === undefined ? null : stepNumbers(values.keep),
      rules: names<RuleName>('--only', values.only, isRuleName, ruleNames),
      isTwice: values.twice,
      showsTrace: values.trace,
      shrinks: !values['no-shrink'],
      needsMarks: values.marks,
    },
  };
}

function wholeNumber(flag: string, text: string, max = Number.MAX_SAFE_INTEGER): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1 || number > max) {
    const upTo = max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`;
    throw new RangeError(`${flag} takes a whole number from 1${upTo}, not "${text}".`);
  }
  return number;
}

function stepNumbers(text: string): ReadonlySet<number> {
  if (!/^\d+(,\d+)*$/.test(text)) throw new RangeError(`--keep takes numbers of steps such as 3,7, not "${text}".`);
  return new Set(text.split(',').map(Number));
}

function names<Name extends string>(
  flag: string,
  text: string | undefined,
  isName: (name: string) => name is Name,
  all: readonly Name[],
): ReadonlySet<Name> | null {
  if (text === undefined) return null;
  if (text === 'all') return new Set(all);
  if (text === 'none' || text === '') return new Set();
  return new Set(
    text.split(',').map((name) => {
      if (!isName(name))
        throw new RangeError(`${flag} does not know "${name}". It takes: ${all.join(', ')}, all, none.`);
      return name;
    }),
  );
}
