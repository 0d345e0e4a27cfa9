import { resolve } from 'node:path';
import type { Mode } from '../../shared/till/modes.ts';
import { defaultDataDir } from '../config/data-dir.ts';
import { deployedPath, deployedSources } from '../config/deployed-file.ts';
import { inWords, plainHelp, type SettingRow, settingRows } from '../config/layers.ts';
import { loadSettings, type SettingsSources } from '../config/load-settings.ts';
import { typed } from '../machine/installed.ts';
import { fileSecretStore, readApiKeys, type SecretStore } from '../machine/secrets.ts';
import { type ServicePlaces, servicePlaces } from '../machine/service-places.ts';
import type { FlagSpec } from './flags.ts';
import { WrongUseError } from './tillbridge/wrong-use.ts';

/** The settings that have a flag of their own, by its name: the last part of the setting's (`bridge.port`: `port`). */
const settingOfFlag: ReadonlyMap<string, SettingRow> = new Map(
  settingRows
    .filter(({ flag }) => flag !== undefined)
    .map((row) => [row.name.slice(row.name.lastIndexOf('.') + 1).replaceAll('_', '-'), row]),
);

/** Flags of every command that starts the agent. */
export const agentFlags: readonly FlagSpec[] = [
  { name: 'data-dir', value: 'FOLDER', help: "where everything is kept; default: the platform's place for it" },
  {
    name: 'config',
    value: 'FILE',
    help: 'settings (JSON) that store IT deploys; stronger than what was saved at the till',
  },
  ...[...settingOfFlag].map(([name, row]) => ({
    name,
    value: row.flag ?? null,
    help: `default ${inWords(row.defaultValue)}; ${plainHelp(row)}`,
  })),
];

/** The same for a command that looks at a stopped agent as its start would; `--data-dir` is every command's own. */
export const startFlags: readonly FlagSpec[] = agentFlags.filter(({ name }) => name !== 'data-dir');

/** Of an agent that serves several logins, and of their windows, which look there for it. */
export const attachFolderFlag: FlagSpec = {
  name: 'attach-folder',
  value: 'FOLDER',
  help: 'let whoever may read this folder open windows of the cashier screen; for a shared machine',
};

export const secretsNote = `The API key comes from TILLBRIDGE_API_KEY, a settings file or \`${typed('settings set api_key -')}\`, never from a flag: flags show in process lists.`;

/** Of a login whose own place nobody knows. */
export const noHomeWords = `The home folder of this user (${process.platform === 'win32' ? 'USERPROFILE' : 'HOME'}) is not an absolute path.`;

/**
 * The folder that the flags or the environment name, or else the service's, or the platform's own place.
 *
 * @throws WrongUseError for a login that has no such place
 */
export function dataDirOf(
  values: ReadonlyMap<string, string>,
  environment: Readonly<Record<string, string | undefined>>,
  service: ServicePlaces = servicePlaces(environment),
): string {
  const named = values.get('data-dir');
  const dataDir = named === undefined ? defaultDataDir(environment, service) : resolve(named);
  if (dataDir === null) throw new WrongUseError(`${noHomeWords} Name the data folder with --data-dir.`);
  return dataDir;
}

/** Everything that the settings of an agent are made from at this moment, but for its secrets. */
export function openSources(
  values: ReadonlyMap<string, string>,
  environment: Readonly<Record<string, string | undefined>>,
): SettingsSources {
  const { TILLBRIDGE_CONFIG: variable = '' } = environment;
  // A variable that a script has not filled names no place.
  const named = values.get('config') ?? (variable === '' ? null : variable);
  const flags = [...values].flatMap(([flag, text]): [string, string][] => {
    const setting = settingOfFlag.get(flag);
    return setting === undefined ? [] : [[setting.name, text]];
  });
  return {
    dataDir: dataDirOf(values, environment),
    flags: Object.fromEntries(flags),
    environment,
    // Nobody checks who may change a file that was named by hand: whoever names it answers for it.
    ...(named === null
      ? deployedSources(deployedPath(environment, process.platform))
      : { managedFile: resolve(named) }),
  };
}

/** Everything that the settings of an agent are made from. @throws SecretsError */
export async function settingsSources(
  values: ReadonlyMap<string, string>,
  environment: Readonly<Record<string, string | undefined>>,
  secretsOf: (dataDir: string) => SecretStore = fileSecretStore,
): Promise<SettingsSources & { readonly secrets: SecretStore }> {
  const sources = openSources(values, environment);
  const secrets = secretsOf(sources.dataDir);
  return { ...sources, savedKeys: await readApiKeys(secrets), secrets };
}

/** The mode that an agent will start in, known before any secret is read; production where the settings are refused. */
export function modeAtStart(
  values: ReadonlyMap<string, string>,
  environment: Readonly<Record<string, string | undefined>>,
): Mode {
  const loaded = loadSettings(openSources(values, environment));
  return loaded.kind === 'loaded' ? loaded.settings.mode : 'production';
}
