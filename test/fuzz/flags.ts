import { parseArgs } from 'node:util';
import { type DoorName, doorNames } from './doors.ts';

/** What a run was asked for. */
export interface FuzzOptions {
  readonly doors: readonly DoorName[];
  /** Of the first batch; each further one has the next. */
  readonly seed: number;
  /** A run ends with the first of the two. */
  readonly batches: number;
  readonly durationMs: number;
  readonly messages: number;
}

export const help = `Usage: npm run fuzz -- [options]

Throws broken and hostile bytes at each door of the programs, and looks after each batch whether they still sell, nothing
is lost or doubled, no fault was met, and the memory stays.

  --doors A,B     of ${doorNames.join(', ')} (default: all, in turns)
  --minutes N     so long (default 10)
  --seed S        of the first batch (default: the time); one batch again: --doors D --seed S --batches 1
  --batches N     at most so many of each door
  --messages N    in each batch (default 600)
  --help          prints this

Exit code 0: all was well. 1: something was not, with the seed. 2: wrong use.
`;

type ReadFlags =
  | { readonly kind: 'run'; readonly options: FuzzOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly message: string };

/** @param nowMs the seed where none is given is made of it */
export function readFlags(args: readonly string[], nowMs: number): ReadFlags {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({
      args: [...args],
      options: {
        doors: { ...text, default: doorNames.join(',') },
        minutes: { ...text, default: '10' },
        seed: { ...text, default: String(nowMs % 1_000_000_000) },
        batches: { ...text, default: String(Number.MAX_SAFE_INTEGER) },
        messages: { ...text, default: '600' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return { kind: 'help' };
    const options = {
      doors: values.doors.split(',').map(doorNamed),
      seed: positive('--seed', values.seed),
      batches: positive('--batches', values.batches),
      durationMs: positive('--minutes', values.minutes) * 60_000,
      messages: positive('--messages', values.messages),
    };
    return { kind: 'run', options };
  } catch (error) {
    return { kind: 'wrong', message: error instanceof Error ? error.message : String(error) };
  }
}

function doorNamed(text: string): DoorName {
  const name = doorNames.find((one) => one === text);
  if (name === undefined) throw new RangeError(`--doors does not know "${text}". It takes: ${doorNames.join(', ')}.`);
  return name;
}

function positive(flag: string, text: string): number {
  const number = Number(text);
  if (!Number.isFinite(number) || number <= 0) throw new RangeError(`${flag} takes a number above 0, not "${text}".`);
  return number;
}
