import { basename, join } from 'node:path';
import { type AgentStart, type RunningAgent, startAgent } from '../agent/agent.ts';
import { asksForMode } from '../config/first-run.ts';
import { readLastStart } from '../config/last-start.ts';
import { fileDoubtAdvice, loadSettings } from '../config/load-settings.ts';
import { unsafeEnvironment } from '../config/unsafe-environment.ts';
import { PortUnavailableError, whatHasPort } from '../http/loopback-server.ts';
import { systemClock } from '../machine/clock.ts';
import { closeToOthers } from '../machine/closed-folder.ts';
import { diskTroubleInWords, isDiskFullAt } from '../machine/disk-room.ts';
import { lateFileLog } from '../machine/late-log.ts';
import { DataFolderError, DataFolderInUseError, lockDataFolder } from '../machine/lock.ts';
import type { Log } from '../machine/log.ts';
import { systemRandom } from '../machine/random.ts';
import { areSecretsLost, lostSecretsAdvice, type SecretStore, SecretsError } from '../machine/secrets.ts';
import { readTillKey } from '../machine/till-key.ts';
import { version } from '../machine/version.ts';
import { BackupError } from '../store/copies/backup.ts';
import { StoreError } from '../store/versions/store-error.ts';
import { readWentBack } from '../updates/update-files.ts';
import type { UpdateHost } from '../updates/update-host.ts';
import { dataDirOf, openSources, settingsSources } from './agent-flags.ts';
import { exitCodes } from './exit-codes.ts';
import { askToStop } from './stop-signal.ts';

/** What a host of the agent (this command line, the desktop app) adds to its flags. */
export interface HostOptions {
  readonly values: ReadonlyMap<string, string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly ui: boolean;
  /** The built cashier screen. */
  readonly rendererDir: string;
  /** Where secrets are kept; by default in a file that this user alone may read. */
  readonly secretsOf?: (dataDir: string) => SecretStore;
  /** Installed for a shop, and not run from its sources. */
  readonly isPackaged?: boolean;
  /** Where windows of other users find the agent. */
  readonly attachFolder?: string | null;
  /** Where this program can be updated by itself. */
  readonly updates?: UpdateHost | null;
  /** Taken at the try before: looked at before anything is opened or noted. */
  readonly takenPort?: number | null;
}

const sealedKeyNote =
  'api_key: is kept sealed by the operating system for the desktop app of another user or machine, or for it alone. Sales are saved and not sent until it is set again.';

function closedNote(paths: readonly string[]): string {
  const names = paths.length > 3 ? `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more` : paths.join(', ');
  return `${names} could be read or written by other users of this machine, and cannot any more. If somebody may have, look at the settings and the people of this till${secretsNote(paths)}.`;
}

function secretsNote(paths: readonly string[]): string {
  return paths.some((path) => basename(path) === 'secrets.json') ? ', create new tokens and get a new API key' : '';
}

export type HostOutcome =
  | { readonly kind: 'running'; readonly agent: RunningAgent; readonly log: Log; readonly notes: readonly string[] }
  /** One line each, for the person who started it. */
  | {
      readonly kind: 'refused';
      readonly exitCode: number;
      readonly problems: readonly string[];
      /** Another agent, or a command that works on a stopped one, has the folder now. */
      readonly isFolderInUse?: true;
      /** Another program has the port now. */
      readonly takenPort?: number;
    };

/** Reads the settings and starts the agent; whatever stands in the way becomes plain lines and an exit code. */
export async function hostAgent(options: HostOptions): Promise<HostOutcome> {
  let sources: Awaited<ReturnType<typeof settingsSources>>;
  let closed: ReturnType<typeof closeToOthers>;
  try {
    closed = closeToOthers(dataDirOf(options.values, options.environment));
    sources = await settingsSources(options.values, options.environment, options.secretsOf);
  } catch (error) {
    const refused = explain(error, dataDirOf(options.values, options.environment));
    if (refused === null) throw error;
    return refused;
  }
  const { dataDir, secrets } = sources;
  if (options.updates != null) {
    const refused = await settleTrial(dataDir, secrets);
    if (refused !== null) return refused;
  }
  const loaded = loadSettings(sources);
  if (loaded.kind === 'refused') {
    const lost = await lostSecretsNote(dataDir, secrets);
    return { kind: 'refused', exitCode: exitCodes.wrongUse, problems: [...loaded.problems, ...lost] };
  }
  if (loaded.settings.mode === 'production') {
    const problems = unsafeEnvironment(options.environment, process.execArgv);
    if (problems.length > 0) return { kind: 'refused', exitCode: exitCodes.wrongUse, problems };
  }
  // A zone that somebody has named was looked up, which made its calendar. The usual one is the process's own, whose
  // calendar costs a start nothing; the desktop app's windows show times of the machine, and keep them.
  if (loaded.sources.time_zone === 'default' && process.versions.electron === undefined) {
    process.env.TZ = loaded.settings.time_zone;
  }
  const { port } = loaded.settings.bridge;
  const inTheWay = port === options.takenPort ? await whatHasPort(port) : null;
  if (inTheWay !== null) return refusedByPort(inTheWay);
  const notes = [
    ...loaded.warnings,
    ...(loaded.fileDoubt === null ? [] : [`${loaded.fileDoubt}. ${fileDoubtAdvice}.`]),
    ...(loaded.isKeySealed ? [sealedKeyNote] : []),
    ...(loaded.keyTrouble === null ? [] : [`${loaded.keyTrouble}. Sales are saved and not sent until then.`]),
    ...(closed.wereOpen.length > 0 ? [closedNote(closed.wereOpen)] : []),
    ...(closed.unknown === null ? [] : [closed.unknown]),
  ];
  const log = lateFileLog(join(dataDir, 'logs', 'agent.log'));
  const start: AgentStart = {
    dataDir,
    settings: loaded.settings,
    ui: options.ui,
    version,
    log,
    rendererDir: options.rendererDir,
    secrets,
    sources: () => openSources(options.values, options.environment),
    isPackaged: options.isPackaged ?? false,
    attachFolder: options.attachFolder ?? null,
    asksMode: asksForMode({
      isPackaged: options.isPackaged ?? false,
      modeSource: loaded.sources.mode ?? 'default',
    }),
    areSettingsLost: loaded.areLost,
    settingsLayers: loaded.files,
    end: askToStop,
    settingsFaults: loaded.fileFaults,
    settingsDoubt: loaded.fileDoubt,
    updates: options.updates ?? null,
  };
  try {
    const agent = await startAgent(start);
    for (const note of notes) log.warn({}, note);
    return { kind: 'running', agent, log, notes };
  } catch (error) {
    const refused = explain(error, dataDir);
    if (refused === null) throw error;
    // This folder was its own until now: a service that goes on waiting is told of there, too.
    if (error instanceof PortUnavailableError) log.error({}, error.message);
    return refused;
  }
}

/** A key that was set at the till is asked for as if it had never been there. */
async function lostSecretsNote(dataDir: string, secrets: SecretStore): Promise<readonly string[]> {
  const areLost = readLastStart(dataDir) !== null && (await areSecretsLost(secrets));
  return areLost ? [`${join(dataDir, 'secrets.json')} is gone. ${lostSecretsAdvice}.`] : [];
}

/** The version before runs again, after a new one did not start. */
async function settleTrial(dataDir: string, secrets: SecretStore): Promise<HostOutcome | null> {
  if (readWentBack(dataDir) === null) return null;
  try {
    const { settleWayBack } = await import('../updates/trial.ts');
    const unlock = lockDataFolder(dataDir);
    try {
      const settled = settleWayBack({
        dataDir,
        tillKey: await readTillKey(secrets),
        nowMs: systemClock().now(),
        random: systemRandom(),
      });
      return settled.kind === 'refused'
        ? { kind: 'refused', exitCode: exitCodes.outOfReach, problems: [settled.line] }
        : null;
    } finally {
      unlock();
    }
  } catch (error) {
    if (error instanceof BackupError) {
      return { kind: 'refused', exitCode: exitCodes.outOfReach, problems: [error.message] };
    }
    const refused = explain(error, dataDir);
    if (refused === null) throw error;
    return refused;
  }
}

function explain(error: unknown, dataDir: string): HostOutcome | null {
  if (isDiskFullAt(dataDir, error)) return refusedByDisk(error, dataDir);
  if (error instanceof PortUnavailableError) return refusedByPort(error);
  if (
    error instanceof DataFolderInUseError ||
    error instanceof DataFolderError ||
    error instanceof SecretsError ||
    error instanceof StoreError
  ) {
    const inUse = error instanceof DataFolderInUseError ? ({ isFolderInUse: true } as const) : {};
    return { kind: 'refused', exitCode: exitCodes.outOfReach, problems: [error.message], ...inUse };
  }
  // Whichever file it was, nothing could be saved.
  return refusedByDisk(error, dataDir);
}

function refusedByPort({ message, isTaken, port }: PortUnavailableError): HostOutcome {
  const problems = [`${message} Name another with --port, or set another bridge.port.`];
  return { kind: 'refused', exitCode: exitCodes.wrongUse, problems, ...(isTaken ? { takenPort: port } : {}) };
}

function refusedByDisk(error: unknown, dataDir: string): HostOutcome | null {
  const line = diskTroubleInWords(error, dataDir);
  return line === null ? null : { kind: 'refused', exitCode: exitCodes.outOfReach, problems: [line] };
}
