import { verdictWords } from '../../../shared/till/state-words.ts';
import { type Held, heldSettings } from '../../config/held-settings.ts';
import { type LoadedSettings, loadSettings } from '../../config/load-settings.ts';
import { checkService } from '../../doctor/check-service.ts';
import { examine } from '../../doctor/examine.ts';
import { type Finding, problem } from '../../doctor/finding.ts';
import { systemClock } from '../../machine/clock.ts';
import { SecretsError } from '../../machine/secrets.ts';
import { version } from '../../machine/version.ts';
import { settingsSources, startFlags } from '../agent-flags.ts';
import { exitCodes } from '../exit-codes.ts';
import { callAgent } from './call-agent.ts';
import type { TillbridgeCommand } from './command.ts';
import { OutOfReachError } from './out-of-reach.ts';
import { print, table } from './print.ts';
import { withOffice } from './reach-office.ts';

export const doctorCommand: TillbridgeCommand = {
  summary: 'check everything that a till needs',
  about: `Checks settings, folder, disk, database, the running agent, the service, the API key and the clock, and says what
to do. Changes nothing. A running agent tells the settings that it was started with. For a stopped agent, use the flags
and variables of its start.

Exit code 1: at least one check has FAIL. WARN alone is 0.`,
  flags: startFlags,
  words: [],
  async run({ values, dataDir, json }) {
    const { findings } = await lookAt(dataDir, values);
    const isWell = findings.every(({ verdict }) => verdict !== 'problem');
    print(json, { well: isWell, findings }, () => findingsInWords(findings));
    return isWell ? exitCodes.well : exitCodes.problemFound;
  },
};

/** What the doctor, and a bundle, know of this machine. */
export interface Patient {
  readonly held: Held;
  readonly findings: readonly Finding[];
  /** The body of `GET /v1/agent/status`; null when no agent runs. */
  readonly status: unknown;
  /** As far as it can be read here: a bundle is searched for it. */
  readonly apiKey: string | null;
}

/** Looks at this machine, and asks the agent of the folder. @param values the flags of its start */
export async function lookAt(dataDir: string, values: ReadonlyMap<string, string>): Promise<Patient> {
  const loaded = await loadedOf(dataDir, values);
  const apiKey = loaded.kind === 'loaded' ? loaded.settings.api_key : null;
  const agent = await callAgent(dataDir).catch(nullOnSecrets);
  const status = agent === null ? null : await agent.status().catch(nullOnSecrets);
  const told = agent === null || status === null ? null : await heldByAgent(dataDir);
  const held = told ?? heldSettings(loaded, { running: null, needsRestart: false });
  const clock = systemClock();
  const service = async () => {
    if (told !== null) return serviceByAgent(dataDir);
    return held.kind === 'held' ? checkService({ settings: held.settings, apiKey, clock }) : [];
  };
  const findings = await examine({ dataDir, held, service, version, clock, status });
  return { held, findings, status, apiKey };
}

/** @returns null for an agent of a version that cannot tell it */
async function heldByAgent(dataDir: string): Promise<Held | null> {
  return withOffice(dataDir, null, (office) => office.call('settings.held', {})).catch(nullOnSecrets);
}

async function serviceByAgent(dataDir: string): Promise<readonly Finding[]> {
  const answer = await withOffice(dataDir, null, (office) => office.call('service.check', {})).catch(nullOnSecrets);
  return answer?.findings ?? [problem('address', 'the agent has ended', 'Run the doctor again')];
}

async function loadedOf(dataDir: string, values: ReadonlyMap<string, string>): Promise<LoadedSettings> {
  const sources = await settingsSources(new Map([...values, ['data-dir', dataDir]]), process.env).catch(nullOnSecrets);
  // The look at the secrets says which file it is, and what is wrong with it.
  return sources === null ? { kind: 'refused', problems: [] } : loadSettings(sources);
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
