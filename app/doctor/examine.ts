import type { Clock } from '../../shared/lib/clock.ts';
import { modes } from '../../shared/till/modes.ts';
import type { Held } from '../config/held-settings.ts';
import { fileDoubtAdvice } from '../config/load-settings.ts';
import { lastGoodNote } from '../config/settings-sources.ts';
import { unsafeEnvironment } from '../config/unsafe-environment.ts';
import { databasePath, hasDatabase } from '../machine/data-files.ts';
import { isDataFolderInUse } from '../machine/lock.ts';
import { checkAudit } from './check-audit.ts';
import { checkBackup } from './check-backup.ts';
import { checkAside, checkDatabase, checkFolder, checkGone } from './check-machine.ts';
import { checkPort } from './check-port.ts';
import { checkPrinter } from './check-printer.ts';
import { checkSandboxBooks } from './check-sandbox-books.ts';
import { checkSeals } from './check-seals.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkStatus, statusSchema } from './check-status.ts';
import { type Finding, problem, warning, well } from './finding.ts';

/** What the doctor is given to look at. */
interface DoctorInput {
  readonly dataDir: string;
  readonly held: Held;
  /** Asks the service, or has the running agent ask it. */
  readonly service: () => Promise<readonly Finding[]>;
  readonly version: string;
  readonly clock: Clock;
  /** The body of `GET /v1/agent/status`; null when no agent runs. */
  readonly status: unknown;
  /** Reading all of a large database or of the audit log keeps the program busy: an agent that sells does it elsewhere. */
  readonly readsDatabases?: boolean;
}

/** Looks at everything that a till needs to take and deliver sales. Changes nothing. */
export async function examine(input: DoctorInput): Promise<readonly Finding[]> {
  const { dataDir, held, version, status, readsDatabases = true } = input;
  const databases = modes.filter((mode) => hasDatabase(dataDir, mode));
  const gone = checkGone(dataDir);
  const agent = status === null ? null : statusSchema.safeParse(status);
  const secrets = await checkSecrets(dataDir, {
    hasRun: databases.length + gone.length > 0,
    isInUse: isInUse(dataDir),
  });
  const told = agent?.success === true ? agent.data.notices : null;
  const backup =
    held.kind === 'held' ? await checkBackup(dataDir, held.settings, { nowMs: input.clock.now(), told }) : [];
  return [
    ...checkSettings(held, { isRunning: status !== null }),
    ...checkFolder(dataDir),
    ...secrets,
    ...gone,
    ...(databases.length + gone.length === 0
      ? [warning('database', 'no agent ever ran here', 'Start the agent, or name another --data-dir')]
      : (readsDatabases ? databases : []).flatMap((mode) =>
          checkDatabase(databasePath(dataDir, mode), { isOpen: status !== null }),
        )),
    ...(readsDatabases ? (await Promise.all(databases.map((mode) => checkSeals(dataDir, mode)))).flat() : []),
    ...(readsDatabases && status === null && !isInUse(dataDir) ? checkSandboxBooks(dataDir) : []),
    ...checkAside(dataDir),
    ...(readsDatabases ? await checkAudit(dataDir) : []),
    ...backup,
    ...checkAgent(agent, version, {
      dataDir,
      areSecretsWell: secrets.length === 0,
      told: ['settings_file_wrong', 'settings_file_unchecked', ...(backup.length > 0 ? ['backup_late'] : [])],
    }),
    ...(held.kind === 'held' && status === null && !isInUse(dataDir) ? await checkPort(held.settings.bridge.port) : []),
    ...(held.kind === 'held' ? await checkPrinter(held.settings.printer, input.clock) : []),
    ...(held.kind === 'held' ? await input.service() : []),
  ];
}

function checkSettings(held: Held, { isRunning }: { readonly isRunning: boolean }): readonly Finding[] {
  if (held.kind === 'refused') {
    return held.problems.map((line) =>
      problem('settings', line, 'Correct the setting. The agent does not start before that'),
    );
  }
  const { settings, warnings, fileFaults } = held;
  if (held.areLost) {
    return warnings.map((line) =>
      problem('settings', line, 'Correct the setting. Until then the till sells with defaults'),
    );
  }
  // A running agent has looked at its own.
  const unsafe = settings.mode === 'production' && !isRunning ? unsafeEnvironment(process.env, process.execArgv) : [];
  if (unsafe.length > 0)
    return unsafe.map((line) => problem('settings', line, 'Remove the variable. The agent does not start before that'));
  const findings: Finding[] = fileFaults.map((line) =>
    problem('settings', line, 'Correct the file and start the agent again. Until then the last good settings are used'),
  );
  const others = warnings.filter((line) => !isOfFile(line, fileFaults));
  findings.push(...others.map((line) => warning('settings', line, 'Correct its name, or remove it')));
  if (held.fileDoubt !== null) findings.push(warning('settings', held.fileDoubt, fileDoubtAdvice));
  if (held.needsRestart) {
    const says = 'the running agent was started with other settings than those of now';
    findings.push(warning('settings', says, 'Start the agent again to use them'));
  }
  if (held.keyTrouble !== null)
    findings.push(problem('key', held.keyTrouble, 'Until then sales are saved, but not sent'));
  if (held.isKeySealed) findings.push(sealedKey(isRunning));
  return findings.length > 0 ? findings : [well('settings', `valid; ${settings.mode} mode`)];
}

/** Also the line that says what is used instead. */
function isOfFile(line: string, fileFaults: readonly string[]): boolean {
  return fileFaults.includes(line) || line.endsWith(lastGoodNote);
}

/** Only the desktop app of the user who set the key can read it. */
function sealedKey(isRunning: boolean): Finding {
  const says = 'the API key is sealed by the operating system for the desktop app of one user';
  return isRunning
    ? problem(
        'key',
        `${says}, and the running agent cannot read it`,
        'Set api_key again. Until then sales are saved, but not sent',
      )
    : warning('key', says, 'Start the desktop app, then run the doctor again');
}

function withoutAnswer(dataDir: string, { areSecretsWell }: { readonly areSecretsWell: boolean }): Finding {
  if (!isInUse(dataDir)) return warning('agent', 'does not run', 'Start the agent, which sends the waiting operations');
  // It may sell as ever: whoever ends it may lose what only it knows.
  if (!areSecretsWell)
    return warning('agent', 'runs, and could not be asked', 'See above what is wrong with secrets.json');
  return problem(
    'agent',
    'runs and does not answer',
    'Try again in a minute: it writes a missing agent.json again. Should that not help, end it and start it again',
  );
}

/** A folder that cannot be used is told by another line. */
function isInUse(dataDir: string): boolean {
  try {
    return isDataFolderInUse(dataDir);
  } catch {
    return false;
  }
}

function checkAgent(
  agent: ReturnType<typeof statusSchema.safeParse> | null,
  version: string,
  facts: { readonly dataDir: string; readonly areSecretsWell: boolean; readonly told: readonly string[] },
): readonly Finding[] {
  const { dataDir, told } = facts;
  if (agent === null) return [withoutAnswer(dataDir, facts)];
  if (!agent.success) {
    return [problem('agent', 'another program or another version answers on its port', 'Start the agent again')];
  }
  const notices = agent.data.notices.filter(({ code }) => !told.includes(code));
  return checkStatus({ ...agent.data, notices }, version);
}
