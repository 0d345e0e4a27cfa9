import { type Mode, modes } from '../../../shared/till/modes.ts';
import type { FlagSpec } from '../flags.ts';
import { OutOfReachError } from './out-of-reach.ts';
import { WrongUseError } from './wrong-use.ts';

export const modeFlag: FlagSpec = {
  name: 'mode',
  value: 'MODE',
  help: `whose database: ${modes.join(' or ')}; default: the mode of the running agent, else what a file or variable says, else the last start`,
};

/** @returns null when it is left out @throws WrongUseError */
export function modeNamed(values: ReadonlyMap<string, string>): Mode | null {
  const named = values.get('mode');
  if (named === undefined) return null;
  const mode = modes.find((known) => known === named);
  if (mode === undefined) throw new WrongUseError(`--mode: ${named} is neither of ${modes.join(', ')}`);
  return mode;
}

/** An agent has the database of its own mode alone. @throws OutOfReachError */
export function refuseOtherMode(mode: Mode | null, agentMode: string): void {
  if (mode === null || mode === agentMode) return;
  throw new OutOfReachError(
    `--mode: the agent runs in ${agentMode} mode. Leave the flag out, or stop the agent to work on ${mode} mode.`,
  );
}
