import { assertNever } from '../../../shared/lib/assert-never.ts';
import { modes } from '../../../shared/till/views.ts';
import { inWords, isSecret, plainHelp, settingRows, valueFromText } from '../../config/layers.ts';
import { environmentNameOf } from '../../config/load-settings.ts';
import type { OfficeAnswer } from '../../office/calls.ts';
import { exitCodes } from '../exit-codes.ts';
import type { FlagSpec } from '../flags.ts';
import type { TillbridgeCommand } from './command.ts';
import { print, table } from './print.ts';
import { WrongUseError } from './reach-office.ts';
import { reachSettings } from './reach-settings.ts';
import { readSecret } from './read-secret.ts';

const confirmFlag: FlagSpec = { name: 'yes', value: null, help: 'also while operations wait that it concerns' };
const ends = `A running agent has to be started again for it, and says so. Exit code 1: operations wait that it concerns, and
nothing was changed; --yes changes it all the same.`;

export const settingsList: TillbridgeCommand = {
  summary: 'what holds, and who says so',
  about: `Lists every setting with its source. Of the API key only the kind and the last characters are told.

Exit code 1: a settings file is bad, and what it said when it was in order last is used.`,
  flags: [],
  words: [],
  async run({ dataDir, json }) {
    const answer = await (await reachSettings(dataDir)).read();
    if (answer.problems.length > 0) throw refusal(answer.problems);
    const rows = answer.settings.map(({ name, value, source, locked }) => [
      name,
      inWords(value),
      locked ? `${source} (locked)` : source,
    ]);
    print(json, answer, () => table([['SETTING', 'VALUE', 'FROM'], ...rows]));
    for (const warning of answer.warnings) process.stderr.write(`${warning}\n`);
    if (answer.restart_needed) process.stderr.write('The running agent was started with others; start it again.\n');
    return answer.warnings.length > 0 ? exitCodes.problemFound : exitCodes.well;
  },
};

export const settingsSet: TillbridgeCommand = {
  summary: 'change one at the till, or several that belong together',
  about: `Saves settings at the till, all of them or none. \`-\` reads a value from standard input; api_key is always read from
there, because arguments show in process lists. An empty value takes a setting back. \`settings --help\` has the names.

To production, with the key on standard input:
  settings set mode production base_url https://loyalty.example/v1 api_key -

${ends}`,
  flags: [confirmFlag],
  words: ['NAME', 'VALUE', '[NAME VALUE]...'],
  async run({ words, switches, dataDir, json }) {
    return change(await patchOf(words), { isConfirmed: switches.has('yes'), dataDir, json });
  },
};

export const settingsUnset: TillbridgeCommand = {
  summary: 'take one back to its default',
  about: `Takes settings back that were saved at the till, all of them or none.\n\n${ends}`,
  flags: [confirmFlag],
  words: ['NAME', '[NAME]...'],
  run: ({ words, switches, dataDir, json }) =>
    change(Object.fromEntries(words.map((name) => [name, null])), { isConfirmed: switches.has('yes'), dataDir, json }),
};

/** Every setting, for `settings --help`. */
export const settingsHelp = (): string =>
  table([
    ['SETTING', 'DEFAULT', 'WHAT IT IS'],
    ...settingRows.map((row) => [row.name, inWords(row.defaultValue), plainHelp(row)]),
  ]);

/** The same as a table of the documents. */
export function settingsMarkdown(): string {
  const rows = settingRows.map((row) => {
    const inCode = inWords(row.defaultValue) === 'none' ? 'none' : `\`${inWords(row.defaultValue)}\``;
    return `| \`${row.name}\` | \`${environmentNameOf(row.name)}\` | ${inCode} | ${row.help} |\n`;
  });
  return `| setting | environment | default | what it is |\n|---|---|---|---|\n${rows.join('')}`;
}

async function patchOf(words: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const pairs = words.flatMap((name, index) => (index % 2 === 0 ? [{ name, value: words[index + 1] }] : []));
  const readOnes = pairs.filter(({ value }) => value === '-');
  if (readOnes.length > 1) throw new WrongUseError('VALUE: only one can be read from standard input');
  const patch: Record<string, unknown> = {};
  for (const { name, value } of pairs) {
    if (value === undefined) throw new WrongUseError(`VALUE: is missing for ${name}`);
    if (Object.hasOwn(patch, name)) throw new WrongUseError(`${name}: is given twice`);
    if (isSecret(name) && value !== '-') {
      throw new WrongUseError(`VALUE: give ${name} on standard input (\`settings set ${name} -\`)`);
    }
    patch[name] = value === '-' ? valueFromText(name, await readValue(name)) : valueFromText(name, value);
  }
  return patch;
}

async function readValue(name: string): Promise<string> {
  const text = await readSecret(`${name}: `);
  // An empty file or a mistyped variable must not take a key away.
  if (text === '')
    throw new WrongUseError(`${name}: nothing came on standard input; \`settings unset ${name}\` takes it away`);
  return text;
}

async function change(
  patch: Readonly<Record<string, unknown>>,
  options: { readonly isConfirmed: boolean; readonly dataDir: string; readonly json: boolean },
): Promise<number> {
  const settings = await reachSettings(options.dataDir);
  const answer = await settings.change({ patch: { ...patch }, confirmed: options.isConfirmed });
  if (answer.kind === 'refused') throw refusal(answer.problems);
  print(options.json, answer, () => `${changedWords(answer)}\n`);
  return answer.kind === 'saved' ? exitCodes.well : exitCodes.problemFound;
}

function refusal(problems: readonly { readonly field: string; readonly problem: string }[]): WrongUseError {
  return new WrongUseError(
    problems.map(({ field, problem }) => (field === '' ? problem : `${field}: ${problem}`)).join('\n'),
  );
}

function changedWords(answer: Exclude<OfficeAnswer<'settings.change'>, { kind: 'refused' }>): string {
  switch (answer.kind) {
    case 'saved':
      return answer.restart_needed ? 'Saved. Start the agent again: it holds from then on.' : 'Saved.';
    case 'needs_confirmation': {
      const parts = modes.flatMap((mode) => {
        const count = answer.waiting[mode];
        return count === 0 ? [] : [`${count} ${count === 1 ? 'operation' : 'operations'} of ${mode} mode`];
      });
      return `Not saved, because it concerns what still waits: ${parts.join(' and ')}. --yes saves it all the same.`;
    }
    default:
      return assertNever(answer);
  }
}
