import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { toInstant } from '../../../shared/lib/clock.ts';
import type { WaitingByMode } from '../../../shared/till/settings-views.ts';
import { statusSchema } from '../../doctor/check-status.ts';
import { becomeOwnerOf } from '../../machine/become-owner.ts';
import { typed } from '../../machine/installed.ts';
import { isServiceInstalled, servicePlaces } from '../../machine/service-places.ts';
import { version } from '../../machine/version.ts';
import { waitingIn } from '../../store/copies/waiting-counts.ts';
import { exitCodes } from '../exit-codes.ts';
import { whyNotAdministrator } from '../service/administrator.ts';
import { inTheWayWords, isInTheWay, leftBehindWords, lookForLeftBehind } from '../service/left-behind.ts';
import { managerOf } from '../service/manager-of-platform.ts';
import { isServiceWell, runningInWords } from '../service/seen-service.ts';
import type { ServiceFacts, ServiceManager } from '../service/service-manager.ts';
import { runSteps, stepInWords } from '../service/steps.ts';
import { waitingCounts } from '../waiting-words.ts';
import { callAgent } from './call-agent.ts';
import type { TillbridgeCommand } from './command.ts';
import { OutOfReachError } from './out-of-reach.ts';
import { print, table } from './print.ts';
import { WrongUseError } from './wrong-use.ts';

/** A first start of the agent takes well under a second; a machine that is just starting is slower. */
const readyWithinMs = 20_000;
const readyLookMs = 250;

export const serviceInstall: TillbridgeCommand = {
  summary: 'let one agent serve all logins of this machine',
  about: `Installs the agent as a service of this machine and starts it: now, with the machine, and again whenever it ends. It has
one data folder, and the window of each login attaches to it. Run the command again to change a flag, or to repair.

The service does not send what waits in the folder of your login's own agent. While operations of production mode wait
there, nothing is installed (exit code 3).

Only the administrator can do this. --print shows what would be written and done, and changes nothing.

Exit codes: 0 the service runs, 1 it is installed and does not run, 2 wrong use, 3 it cannot be installed here.`,
  flags: [
    { name: 'print', value: null, help: 'show the service file and the steps; change nothing' },
    { name: 'backup-folder', value: 'FOLDER', help: 'an existing folder that the service may write backups to' },
    { name: 'wrapper', value: 'FILE', help: 'Windows: WinSW-x64.exe, which makes a service of the agent' },
    { name: 'yes', value: null, help: "install although operations wait in the folder of your login's own agent" },
  ],
  words: [],
  worksOnWholeTill: true,
  staysAdministrator: true,
  async run({ values, switches, json }) {
    const manager = managerOf(process.platform);
    const facts = factsOf(values);
    if (switches.has('print')) {
      const steps = manager.install(facts).map(stepInWords);
      const text = manager.description(facts);
      print(json, { file: facts.places.description, text, steps }, () =>
        [`# ${facts.places.description}\n`, text, '\n# Steps\n', ...steps.map((step) => `# ${step}\n`)].join(''),
      );
      return exitCodes.well;
    }
    const wasInstalled = isServiceInstalled(facts.places);
    const left = lookForLeftBehind(process.env);
    const inTheWay = left.find((folder) => isInTheWay(folder, { isFirst: !wasInstalled }));
    if (inTheWay !== undefined && !switches.has('yes')) throw new OutOfReachError(inTheWayWords(inTheWay));
    refuse(manager.whyNot(facts));
    const outcome = runSteps(manager.install(facts));
    if (outcome.kind === 'failed') {
      // What was there before is left for the next try, which repairs it; what is new leaves nothing behind.
      if (!wasInstalled) runSteps(manager.remove(facts));
      throw new OutOfReachError(`The service was not installed. ${outcome.problem}`);
    }
    becomeOwnerOf(facts.places.dataDir);
    const isReady = await comesUp(facts.places.dataDir);
    for (const folder of left) process.stderr.write(`${leftBehindWords(folder)}\n`);
    const [first] = left;
    const leftWaiting = first === undefined ? null : { data_dir: first.dataDir, ...first.waiting };
    const { dataDir } = facts.places;
    print(json, { installed: true, running: isReady, data_dir: dataDir, version, left_waiting: leftWaiting }, () =>
      isReady ? installedWords(manager, facts) : `${notRunningWords(manager)}\n`,
    );
    return isReady ? exitCodes.well : exitCodes.problemFound;
  },
};

export const serviceRemove: TillbridgeCommand = {
  summary: 'stop the service and take it off this machine',
  about: `Stops the agent that serves all logins, and takes its service off this machine. Its data folder stays, with every
operation that waits. Install the service again, and they are sent.

Exit codes: 0 no service is installed any more, 3 it cannot be removed.`,
  flags: [],
  words: [],
  worksOnWholeTill: true,
  staysAdministrator: true,
  async run({ values, json }) {
    const manager = managerOf(process.platform);
    const facts = factsOf(values);
    const { places } = facts;
    const wasInstalled = isServiceInstalled(places);
    if (wasInstalled) {
      // Also where the package is gone: then the service has to go, too.
      refuse(whyNotAdministrator());
      const outcome = runSteps(manager.remove(facts));
      if (outcome.kind === 'failed') throw new OutOfReachError(`The service was not removed. ${outcome.problem}`);
    }
    const waiting = waitingWhereAllowed(places.dataDir);
    print(json, { installed: false, was_installed: wasInstalled, data_dir: places.dataDir, waiting }, () =>
      [
        wasInstalled ? 'The service is removed.\n' : 'No service is installed.\n',
        existsSync(places.dataDir) ? `Its data stays in ${places.dataDir}. ${waitingWords(waiting)}\n` : '',
      ].join(''),
    );
    return exitCodes.well;
  },
};

export const serviceStatus: TillbridgeCommand = {
  summary: 'show whether the service is installed and runs',
  about: `Shows whether the agent is installed as a service, whether it runs, since when, with which version, and how many
operations wait. The number needs the administrator.

Exit codes: 0 the service runs and starts with the machine, 1 it does not, or no agent answers, 3 no service is installed.`,
  flags: [],
  words: [],
  worksOnWholeTill: true,
  staysAdministrator: true,
  async run({ values, json }) {
    const { places } = factsOf(values);
    const isInstalled = isServiceInstalled(places);
    const state = isInstalled ? managerOf(process.platform).state() : null;
    becomeOwnerOf(places.dataDir);
    const running = state?.isRunning === true ? await runningVersion(places.dataDir) : null;
    const waiting = waitingWhereAllowed(places.dataDir);
    const since = state?.runningSinceMs == null ? null : toInstant(state.runningSinceMs);
    const seen = {
      isRunning: state?.isRunning ?? false,
      isEnabled: state?.isEnabled ?? false,
      since,
      version: running,
      mayAsk: waiting !== null,
    };
    const status = {
      installed: isInstalled,
      enabled: seen.isEnabled,
      running: seen.isRunning,
      since,
      /** Of the running agent; null when this user may not ask it, or none answers. */
      version: running,
      command_version: version,
      data_dir: places.dataDir,
      waiting,
    };
    print(json, status, () =>
      table([
        ['Installed', isInstalled ? places.description : 'no'],
        ['Starts with the machine', status.enabled ? 'yes' : 'no'],
        ['Running', runningInWords(seen)],
        ['Version', running === null ? `${version} (of this command)` : running],
        ['Data folder', places.dataDir],
        ['Waiting', waiting === null ? 'use sudo to see it' : waitingCounts(waiting)],
      ]),
    );
    if (!isInstalled) return exitCodes.outOfReach;
    return isServiceWell(seen) ? exitCodes.well : exitCodes.problemFound;
  },
};

function factsOf(values: ReadonlyMap<string, string>): ServiceFacts {
  const given = (name: string): string | null => {
    const value = values.get(name);
    return value === undefined ? null : resolve(value);
  };
  if (values.has('data-dir')) {
    throw new WrongUseError(`--data-dir: the service has its own folder, ${servicePlaces().dataDir}`);
  }
  const backupFolder = given('backup-folder');
  if (backupFolder !== null && !existsSync(backupFolder)) {
    throw new WrongUseError(
      `--backup-folder: ${backupFolder} does not exist; make it first, for the user of the service`,
    );
  }
  const entry = process.argv[1] ?? '';
  return {
    program: realpathSync(process.execPath),
    entry: existsSync(entry) ? realpathSync(entry) : entry,
    places: servicePlaces(),
    backupFolder,
    wrapper: given('wrapper'),
  };
}

function refuse(reason: string | null): void {
  if (reason !== null) throw new OutOfReachError(`${reason}. Nothing was changed.`);
}

async function comesUp(dataDir: string): Promise<boolean> {
  for (const deadline = performance.now() + readyWithinMs; performance.now() < deadline; await pause(readyLookMs)) {
    if ((await runningVersion(dataDir)) !== null) return true;
  }
  return false;
}

/** Null: no agent answers there, or this user may not ask. */
async function runningVersion(dataDir: string): Promise<string | null> {
  try {
    const status = statusSchema.safeParse(await (await callAgent(dataDir))?.status());
    return status.success ? (status.data.versions.tillbridge ?? null) : null;
  } catch {
    return null;
  }
}

/** Null: this user may not look. */
function waitingWhereAllowed(dataDir: string): WaitingByMode | null {
  becomeOwnerOf(dataDir);
  try {
    if (existsSync(dataDir)) accessSync(dataDir, constants.R_OK | constants.X_OK);
    return waitingIn(dataDir);
  } catch {
    return null;
  }
}

function waitingWords(waiting: WaitingByMode | null): string {
  return waiting === null ? '' : `Waiting: ${waitingCounts(waiting)}.`;
}

function installedWords({ letIn }: ServiceManager, { places }: ServiceFacts): string {
  return [
    `The service runs. Its data is in ${places.dataDir}.`,
    `Let each login that sells open windows: ${letIn}. It counts from the next sign-in on.`,
    `Settings: ${typed('settings list')}, as the administrator.`,
    '',
  ].join('\n');
}

function notRunningWords({ whereItSaysWhy }: ServiceManager): string {
  return `The service is installed and does not run. It says why here: ${whereItSaysWhy}`;
}
