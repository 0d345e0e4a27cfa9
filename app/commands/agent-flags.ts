import { resolve } from 'node:path';
import { defaultDataDir } from '../config/data-dir.ts';
import { deployedSettingsFile } from '../config/deployed-file.ts';
import type { SettingsSources } from '../config/load-settings.ts';
import { fileSecretStore, readApiKeys, type SecretStore } from '../machine/secrets.ts';
import type { FlagSpec } from './flags.ts';

/** Flags that are settings under a shorter name. */
const settingOfFlag: Readonly<Record<string, string>> = {
  mode: 'mode',
  'base-url': 'base_url',
  port: 'bridge.port',
  'device-name': 'device_name',
  'device-ref': 'device_ref',
  'branch-ref': 'branch_ref',
  currency: 'currency',
  locale: 'locale',
  'time-zone': 'time_zone',
};

/** Flags of every command that starts the agent. */
export const agentFlags: readonly FlagSpec[] = [
  { name: 'data-dir', value: 'FOLDER', help: "where everything is kept; default: the platform's place for it" },
  {
    name: 'config',
    value: 'FILE',
    help: 'settings (JSON) that store IT deploys; stronger than what was saved at the till',
  },
  { name: 'port', value: 'PORT', help: 'of the local bridge; default 7425, 0 for any free one' },
  { name: 'mode', value: 'MODE', help: 'sandbox (default) or production' },
  { name: 'base-url', value: 'URL', help: "the service's address, up to and with /v1" },
  { name: 'device-name', value: 'NAME', help: 'what the screen calls this till' },
  { name: 'device-ref', value: 'REF', help: 'sent with every operation, and part of made references' },
  { name: 'branch-ref', value: 'REF', help: 'the same, for the branch' },
  { name: 'currency', value: 'CODE', help: 'ISO 4217; default KWD' },
  { name: 'locale', value: 'LOCALE', help: 'en or ar' },
  { name: 'time-zone', value: 'ZONE', help: 'default Asia/Kuwait' },
];

export const secretsNote =
  'The API key comes from TILLBRIDGE_API_KEY, a settings file or `tillbridge settings set api_key -`, never from a flag: flags show in process lists.';

/** The folder that the flags or the environment name, or else the platform's own place. */
export function dataDirOf(
  values: ReadonlyMap<string, string>,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const named = values.get('data-dir');
  return named === undefined ? defaultDataDir(environment) : resolve(named);
}

/** Everything that the settings of an agent are made from. @throws SecretsError */
export async function settingsSources(
  values: ReadonlyMap<string, string>,
  environment: Readonly<Record<string, string | undefined>>,
  secretsOf: (dataDir: string) => SecretStore = fileSecretStore,
): Promise<SettingsSources & { readonly secrets: SecretStore }> {
  const dataDir = dataDirOf(values, environment);
  const named = values.get('config') ?? environment.TILLBRIDGE_CONFIG ?? null;
  const flags = [...values].flatMap(([flag, text]): [string, string][] => {
    const setting = settingOfFlag[flag];
    return setting === undefined ? [] : [[setting, text]];
  });
  const secrets = secretsOf(dataDir);
  return {
    dataDir,
    flags: Object.fromEntries(flags),
    environment,
    managedFile: named === null ? deployedSettingsFile(environment) : resolve(named),
    savedKeys: await readApiKeys(secrets),
    secrets,
  };
}
