import { verdictWords } from '../../../shared/till/state-words.ts';
import { type LoadedSettings, loadSettings } from '../../config/load-settings.ts';
import { examine } from '../../doctor/examine.ts';
import type { Finding } from '../../doctor/finding.ts';
import { systemClock } from '../../machine/clock.ts';
import { SecretsError } from '../../machine/secrets.ts';
import { version } from '../../machine/version.ts';
import { settingsSources } from '../agent-flags.ts';
import { exitCodes } from '../exit-codes.ts';
import { callAgent } from './call-agent.ts';
import type { TillbridgeCommand } from './command.ts';
import { OutOfReachError } from './out-of-reach.ts';
import { print, table } from './print.ts';

export const doctorCommand: TillbridgeCommand = {
  summary: 'check everything that a till needs',
  about: `Checks settings, folder, disk, database, the running agent, the service, the API key and the clock, and says what
to do. Changes nothing. Use the flags and variables of the agent's own start.

Exit code 1: at least one check has FAIL. WARN alone is 0.`,
  flags: [{ name: 'config', value: 'FILE', help: 'the settings file that the agent is started with' }],
  words: [],
  async run({ values, dataDir, json }) {
    const findings = await findingsOf(dataDir, values);
    const isWell = findings.every(({ verdict }) => verdict !== 'problem');
    print(json, { well: isWell, findings }, () => findingsInWords(findings));
    return isWell ? exitCodes.well : exitCodes.problemFound;
  },
};

/** What the doctor finds on this machine. @param values flags, `config` among them */
export async function findingsOf(dataDir: string, values: ReadonlyMap<string, string>): Promise<readonly Finding[]> {
  const loaded = await loadedOf(dataDir, values);
  const agent = await callAgent(dataDir).catch(nullOnSecrets);
  const status = agent === null ? null : await agent.status().catch(nullOnSecrets);
  const apiKey = loaded.kind === 'loaded' ? loaded.settings.api_key : null;
  return examine({ dataDir, loaded, apiKey, version, clock: systemClock(), status });
}

async function loadedOf(dataDir: string, values: ReadonlyMap<string, string>): Promise<LoadedSettings> {
  const sources = await settingsSources(new Map([...values, ['data-dir', dataDir]]), process.env).catch(nullOnSecrets);
  return sources === null ? { kind: 'refused', problems: ['the secrets cannot be read'] } : loadSettings(sources);
}

/** Bad secrets are one finding among others, and so is an agent that ends or has lost its lock. */
function nullOnSecrets(error: unknown): null {
  if (error instanceof SecretsError || error instanceof OutOfReachError) return null;
  throw error;
}

function findingsInWords(findings: readonly Finding[]): string {
  const rows = findings.map(({ check, verdict, says, advice }) => [
    verdictWords.en[verdict].toUpperCase(),
    check,
    advice === null ? says : `${says}${/[.?]$/.test(says) ? '' : '.'} ${advice}.`,
  ]);
  return table(rows);
}
