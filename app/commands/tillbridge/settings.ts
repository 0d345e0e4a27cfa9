import { assertNever } from '../../../shared/lib/assert-never.ts';
import { inWords, isSecret, plainHelp, settingRows, valueFromText } from '../../config/layers.ts';
import { environmentNameOf } from '../../config/settings-sources.ts';
import { lookAtFolder } from '../../machine/folder-look.ts';
import { typed } from '../../machine/installed.ts';
import type { OfficeAnswer } from '../../office/office.ts';
import { exitCodes } from '../exit-codes.ts';
import type { FlagSpec } from '../flags.ts';
import { waitingOperations } from '../waiting-words.ts';
import type { TillbridgeCommand } from './command.ts';
import { print, table } from './print.ts';
import { reachSettings } from './reach-settings.ts';
import { readSecret } from './read-secret.ts';
import { storeIt } from './store-it.ts';
import { WrongUseError } from './wrong-use.ts';

const confirmFlag: FlagSpec = { name: 'yes', value: null, help: 'save although operations are waiting' };
const ends = `The command says when the running agent has to be started again. Exit code 1: operations are waiting under the old
value, and nothing was changed. --yes saves the change anyway.`;

export const settingsList: TillbridgeCommand = {
  summary: 'list every setting and its source',
  about: `Lists every setting with its source. Of the API key only the kind and the last characters are shown.

Exit code 1: a settings file is wrong. The last good settings are used.`,
  flags: [],
  words: [],
  worksOnWholeTill: true,
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
    if (answer.restart_needed) process.stderr.write('The running agent uses other settings. Start the agent again.\n');
    return answer.warnings.length > 0 ? exitCodes.problemFound : exitCodes.well;
  },
};

export const settingsSet: TillbridgeCommand = {
  summary: 'change one or more settings of this till',
  about: `Saves settings at the till, all of them or none. \`-\` reads a value from standard input; api_key is always read from
there, because arguments show in process lists. An empty value restores the default. \`settings --help\` has the names.

To production, with the key on standard input:
  settings set mode production base_url https://loyalty.example/v1 api_key -

${ends}`,
  flags: [confirmFlag],
  words: ['NAME', 'VALUE', '[NAME VALUE]...'],
  worksOnWholeTill: true,
  async run({ words, switches, dataDir, json }) {
    return change(await patchOf(words), { isConfirmed: switches.has('yes'), dataDir, json });
  },
};

export const settingsUnset: TillbridgeCommand = {
  summary: 'set a setting back to its default',
  about: `Removes settings that were saved on this till, all of them or none. Their defaults count again.\n\n${ends}`,
  flags: [confirmFlag],
  words: ['NAME', '[NAME]...'],
  worksOnWholeTill: true,
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
    const variable = row.managedOnly === true ? 'none' : `\`${environmentNameOf(row.name)}\``;
    return `| \`${row.name}\` | ${variable} | ${inCode} | ${row.help} |\n`;
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
      throw new WrongUseError(`VALUE: give ${name} on standard input (\`${typed(`settings set ${name} -`)}\`)`);
    }
    patch[name] = value === '-' ? valueFromText(name, await readValue(name)) : valueFromText(name, value);
  }
  return patch;
}

async function readValue(name: string): Promise<string> {
  const text = await readSecret(`${name}: `);
  // An empty file or a mistyped variable must not take a key away.
  if (text === '')
    throw new WrongUseError(
      `${name}: nothing came on standard input; \`${typed(`settings unset ${name}`)}\` removes it`,
    );
  return text;
}

async function change(
  patch: Readonly<Record<string, unknown>>,
  options: { readonly isConfirmed: boolean; readonly dataDir: string; readonly json: boolean },
): Promise<number> {
  const settings = await reachSettings(options.dataDir);
  const answer = await settings.change({ by: storeIt(), patch: { ...patch }, confirmed: options.isConfirmed });
  if (answer.kind === 'refused') throw refusal(answer.problems);
  print(options.json, answer, () => `${changedWords(answer, Object.keys(patch).every(holdsAtOnce))}\n`);
  if (answer.kind !== 'saved') return exitCodes.problemFound;
  const folder = patch['backup.folder'];
  // It may be a share that is mounted later, so it is saved all the same.
  const fault = typeof folder === 'string' ? (await lookAtFolder(folder)).fault : null;
  if (fault !== null) process.stderr.write(`No backup can be made yet: ${fault}.\n`);
  return exitCodes.well;
}

function refusal(problems: readonly { readonly field: string; readonly problem: string }[]): WrongUseError {
  return new WrongUseError(
    problems.map(({ field, problem }) => (field === '' ? problem : `${field}: ${problem}`)).join('\n'),
  );
}

function holdsAtOnce(name: string): boolean {
  return settingRows.some((row) => row.name === name && row.holdsAtOnce === true);
}

function changedWords(
  answer: Exclude<OfficeAnswer<'settings.change'>, { kind: 'refused' }>,
  areAtOnce: boolean,
): string {
  switch (answer.kind) {
    case 'saved':
      if (!answer.restart_needed) return 'Saved.';
      // What was changed before them still waits for a start.
      return areAtOnce
        ? 'Saved; it counts already. Changes before it need a new start of the agent.'
        : 'Saved. Start the agent again to use the change.';
    case 'needs_confirmation':
      return `Not saved: ${waitingOperations(answer.waiting)} waiting under the old value. --yes saves the change anyway.`;
    default:
      return assertNever(answer);
  }
}
