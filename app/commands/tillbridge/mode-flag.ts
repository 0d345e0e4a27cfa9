import { type Mode, modes } from '../../../shared/till/views.ts';
import type { FlagSpec } from '../flags.ts';
import type { Given } from './command.ts';
import { modeOf } from './mode-of.ts';
import { WrongUseError } from './reach-office.ts';

export const modeFlag: FlagSpec = {
  name: 'mode',
  value: 'MODE',
  help: `whose database: ${modes.join(' or ')}; default: the one that the settings name`,
};

/** @throws WrongUseError */
export async function modeGiven({ values, dataDir }: Given): Promise<Mode> {
  const named = values.get('mode');
  if (named === undefined) return modeOf(dataDir);
  const mode = modes.find((known) => known === named);
  if (mode === undefined) throw new WrongUseError(`--mode: ${named} is neither of ${modes.join(', ')}`);
  return mode;
}
