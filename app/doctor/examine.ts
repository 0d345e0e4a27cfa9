import type { Clock } from '../../shared/lib/clock.ts';
import { modes } from '../../shared/till/views.ts';
import type { LoadedSettings } from '../config/load-settings.ts';
import { unsafeEnvironment } from '../config/unsafe-environment.ts';
import { embeddedSandboxBaseUrl, serviceInWords } from '../core/embedded-sandbox.ts';
import { databasePath, hasDatabase } from '../machine/data-files.ts';
import { checkAudit } from './check-audit.ts';
import { checkBackup } from './check-backup.ts';
import { checkConnection } from './check-connection.ts';
import { checkAside, checkDatabase, checkFolder, checkGone } from './check-machine.ts';
import { checkSeals } from './check-seals.ts';
import { checkStatus, type Status, statusSchema } from './check-status.ts';
import { type Finding, problem, warning, well } from './finding.ts';

/** What the doctor is given to look at. */
interface DoctorInput {
  readonly dataDir: string;
  readonly loaded: LoadedSettings;
  readonly apiKey: string | null;
  readonly version: string;
  readonly clock: Clock;
  /** The body of `GET /v1/agent/status`; null when no agent runs. */
  readonly status: unknown;
  /** Reading all of a large database or of the audit log keeps the program busy: an agent that sells does it elsewhere. */
  readonly readsDatabases?: boolean;
}

/** Looks at everything that a till needs to take and deliver sales. Changes nothing. */
export async function examine(input: DoctorInput): Promise<readonly Finding[]> {
  const { dataDir, loaded, version, status, readsDatabases = true } = input;
  const databases = modes.filter((mode) => hasDatabase(dataDir, mode));
  const gone = checkGone(dataDir);
  const agent = status === null ? null : statusSchema.safeParse(status);
  const told = agent?.success === true ? agent.data.notices : null;
  const backup =
    loaded.kind === 'loaded' ? await checkBackup(dataDir, loaded.settings, { nowMs: input.clock.now(), told }) : [];
  return [
    ...checkSettings(loaded),
    ...checkFolder(dataDir),
    ...gone,
    ...(databases.length + gone.length === 0
      ? [warning('database', 'no agent ever ran here', 'Start the agent, or name another --data-dir')]
      : (readsDatabases ? databases : []).flatMap((mode) =>
          checkDatabase(databasePath(dataDir, mode), { isOpen: status !== null }),
        )),
    ...(readsDatabases ? (await Promise.all(databases.map((mode) => checkSeals(dataDir, mode)))).flat() : []),
    ...checkAside(dataDir),
    ...(readsDatabases ? await checkAudit(dataDir) : []),
    ...backup,
    ...checkAgent(agent, version, { isBackupTold: backup.length > 0 }),
    ...(await checkService(input, agent?.success === true ? agent.data : null)),
  ];
}

function checkSettings(loaded: LoadedSettings): readonly Finding[] {
  if (loaded.kind === 'refused') {
    return loaded.problems.map((line) =>
      problem('settings', line, 'Correct the setting. The agent does not start before that'),
    );
  }
  if (loaded.areLost) {
    return loaded.warnings.map((line) =>
      problem('settings', line, 'Correct the setting. Until then the till sells with defaults'),
    );
  }
  const unsafe = loaded.settings.mode === 'production' ? unsafeEnvironment(process.env, process.execArgv) : [];
  if (unsafe.length > 0)
    return unsafe.map((line) => problem('settings', line, 'Remove the variable. The agent does not start before that'));
  if (loaded.keyTrouble !== null)
    return [problem('key', loaded.keyTrouble, 'Until then sales are saved, but not sent')];
  const warnings = loaded.warnings.map((line) =>
    warning('settings', line, 'Correct the setting. Until then the last good settings are used'),
  );
  return warnings.length > 0 ? warnings : [well('settings', `valid; ${loaded.settings.mode} mode`)];
}

function checkAgent(
  agent: ReturnType<typeof statusSchema.safeParse> | null,
  version: string,
  { isBackupTold }: { readonly isBackupTold: boolean },
): readonly Finding[] {
  if (agent === null) return [warning('agent', 'does not run', 'Start the agent, which sends the waiting operations')];
  if (!agent.success) {
    return [problem('agent', 'another program or another version answers on its port', 'Start the agent again')];
  }
  const notices = agent.data.notices.filter(({ code }) => !(isBackupTold && code === 'backup_late'));
  return checkStatus({ ...agent.data, notices }, version);
}

/** @param running what the running agent says; null when none does */
async function checkService(
  { loaded, apiKey, clock }: DoctorInput,
  running: Status | null,
): Promise<readonly Finding[]> {
  if (loaded.kind === 'refused') return [];
  const baseUrl = loaded.settings.base_url ?? embeddedSandboxBaseUrl;
  // A flag or a variable that only the agent was given; its own connection is told above.
  if (running !== null && running.service.base_url !== baseUrl) {
    const says = `${serviceInWords(running.service.base_url)}, as the running agent was started; the settings here say ${serviceInWords(baseUrl)}`;
    return [warning('address', says, 'Give the doctor the flags and variables of the agent, or start the agent again')];
  }
  if (baseUrl === embeddedSandboxBaseUrl) return [well('address', serviceInWords(baseUrl))];
  if (apiKey === null) return [problem('key', 'there is no API key', 'Set api_key')];
  return checkConnection({ baseUrl, apiKey, tls: loaded.settings.tls, clock });
}
