import { assertNever } from '../../../shared/lib/assert-never.ts';
import { typedValue } from '../../config/settings-desk.ts';
import type { OfficeAnswer } from '../../office/calls.ts';
import { exitCodes } from '../exit-codes.ts';
import type { FlagSpec } from '../flags.ts';
import type { TillbridgeCommand } from './command.ts';
import { print, table } from './print.ts';
import { reachOffice, WrongUseError } from './reach-office.ts';
import { readSecret } from './read-secret.ts';

const confirmFlag: FlagSpec = { name: 'yes', value: null, help: 'also while operations wait that it concerns' };
const ends = `It holds from the next start of the agent on. Exit code 1: operations wait that it concerns; --yes does it
all the same.`;

export const settingsList: TillbridgeCommand = {
  summary: 'what holds, and who says so',
  about: 'Lists every setting with its source. Of the API key only the kind and the last characters are told.',
  flags: [],
  words: [],
  async run({ dataDir, json }) {
    const office = await reachOffice(dataDir);
    try {
      const answer = await office.call('settings.list', {});
      const rows = answer.settings.map(({ name, value, source, locked }) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
        locked ? `${source} (locked)` : source,
      ]);
      print(json, answer, () => table([['SETTING', 'VALUE', 'FROM'], ...rows]));
      return exitCodes.well;
    } finally {
      office.close();
    }
  },
};

export const settingsSet: TillbridgeCommand = {
  summary: 'change one at the till',
  about: `Saves a setting at the till. \`-\` reads the value from standard input; api_key is always read from there, because
flags and arguments show in process lists.

${ends}`,
  flags: [confirmFlag],
  words: ['NAME', 'VALUE'],
  async run({ words: [name = '', value = ''], switches, dataDir, json }) {
    if (name === 'api_key' && value !== '-') {
      throw new WrongUseError('VALUE: give api_key on standard input (`settings set api_key -`)');
    }
    const text = value === '-' ? await readSecret(`${name}: `) : value;
    return change({ [name]: typedValue(name, text) }, { isConfirmed: switches.has('yes'), dataDir, json });
  },
};

export const settingsUnset: TillbridgeCommand = {
  summary: 'take one back to its default',
  about: `Takes a setting back that was saved at the till.\n\n${ends}`,
  flags: [confirmFlag],
  words: ['NAME'],
  run: ({ words: [name = ''], switches, dataDir, json }) =>
    change({ [name]: null }, { isConfirmed: switches.has('yes'), dataDir, json }),
};

async function change(
  patch: Readonly<Record<string, unknown>>,
  options: { readonly isConfirmed: boolean; readonly dataDir: string; readonly json: boolean },
): Promise<number> {
  const office = await reachOffice(options.dataDir);
  try {
    const answer = await office.call('settings.change', { patch: { ...patch }, confirmed: options.isConfirmed });
    if (answer.kind === 'refused') {
      throw new WrongUseError(answer.problems.map(({ field, problem }) => `${field}: ${problem}`).join('\n'));
    }
    print(options.json, answer, () => `${changedWords(answer)}\n`);
    return answer.kind === 'saved' ? exitCodes.well : exitCodes.problemFound;
  } finally {
    office.close();
  }
}

function changedWords(answer: Exclude<OfficeAnswer<'settings.change'>, { kind: 'refused' }>): string {
  switch (answer.kind) {
    case 'saved':
      return 'Saved; it holds from the next start of the agent on.';
    case 'needs_confirmation':
      return `${answer.waiting.count} operations of ${answer.waiting.mode} mode still wait. Nothing was changed; --yes changes it all the same.`;
    default:
      return assertNever(answer);
  }
}
