// The desktop app: the agent in the main process or in another one, and a window for the cashier.
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { app, dialog, Menu, safeStorage } from 'electron';
import type { RunningAgent } from '../app/agent/agent.ts';
import { customerWords, readyWords } from '../app/commands/agent.ts';
import { agentFlags, attachFolderFlag, modeAtStart } from '../app/commands/agent-flags.ts';
import { keepInspectorShut } from '../app/commands/closed-inspector.ts';
import { exitCodes } from '../app/commands/exit-codes.ts';
import { knownFlags } from '../app/commands/flags.ts';
import { hostAgent } from '../app/commands/host.ts';
import { rendererDir } from '../app/commands/renderer-dir.ts';
import { stopSignal } from '../app/commands/stop-signal.ts';
import { guardTerminal } from '../app/commands/terminal.ts';
import { WrongUseError } from '../app/commands/tillbridge/wrong-use.ts';
import { makePrivateFolder } from '../app/machine/files.ts';
import { lateFileLog } from '../app/machine/late-log.ts';
import type { Log } from '../app/machine/log.ts';
import { fileSecretStore } from '../app/machine/secrets.ts';
import { noteInTrial } from '../app/updates/update-files.ts';
import { errorText } from '../shared/lib/error-code.ts';
import { attachAtStart } from './attach/attach-at-start.ts';
import { type AttachedTill, loginName } from './attach/attached-till.ts';
import { pageTill } from './attach/page-till.ts';
import { startAgainForUpdate } from './attach/start-again.ts';
import { type WindowPlace, windowPlace } from './attach/window-place.ts';
import { boundDumps, endByUncaught, keepCrashDumps } from './crashes.ts';
import { closeToDebuggers } from './debugging.ts';
import { electronSealer, osSecretStore, sealOpenKeys } from './os-secrets.ts';
import { startAfterThis } from './program.ts';
import { registerPageScheme } from './protocol.ts';
import { confinePages } from './security.ts';
import { openShell, type Shell, type ShellOptions } from './shell.ts';
import { updateHost } from './updates.ts';

// Before any file is made: no other user may read files of this process, including Chromium's.
process.umask(0o077);
keepInspectorShut();
guardTerminal();

// The command line also has Chromium's own flags, which are ignored here.
const values = knownFlags(process.argv.slice(1), [...agentFlags, attachFolderFlag]);
const place = placeOrEnd();
const { dataDir, windowDir } = place;
// No program may debug a shop's till. QA drives the sandbox's window over Chromium's debugging port.
const isClosed = app.isPackaged && (place.isOfService || modeAtStart(values, process.env) === 'production');

function placeOrEnd(): WindowPlace {
  try {
    return windowPlace(values, process.env);
  } catch (error) {
    if (!(error instanceof WrongUseError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(exitCodes.wrongUse);
  }
}

/** How often the start is tried. Each command of store IT that checks for an agent holds the folder for a moment. */
const mostFolderTries = 5;

let agent: RunningAgent | null = null;
let shell: Shell | null = null;
let log: Log | null = null;
const nothing = (): void => undefined;

if (takeFolder()) {
  if (app.requestSingleInstanceLock()) run();
  else {
    process.stderr.write(`Tillbridge already runs on ${dataDir}. Its window is in front now.\n`);
    app.exit(exitCodes.well);
  }
}

/**
 * Chromium uses the window's part of the data folder, too. Through it one app finds another one with the same folder.
 */
function takeFolder(): boolean {
  const own = join(windowDir, 'window');
  try {
    makePrivateFolder(own);
    // The real path is used, because one folder may have several names.
    app.setPath('userData', realpathSync.native(own));
    return true;
  } catch (error) {
    const reason = errorText(error);
    const problem = `${windowDir}: cannot be used as a data folder (${reason}). Name another with --data-dir.`;
    refuse({ exitCode: exitCodes.outOfReach, problems: [problem] });
    return false;
  }
}

function run(): void {
  keepCrashDumps(windowDir);
  endByUncaught(() => log);
  boundDumps(windowDir, () => log);
  if (isClosed) {
    for (const name of closeToDebuggers(app.commandLine)) {
      process.stderr.write(`--${name}: is not heard in production mode.\n`);
    }
  }
  // As root on Linux there is no sandbox (--no-sandbox). Electron crashes with both switches together.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  registerPageScheme();
  confinePages();
  app.on('second-instance', () => shell?.focus());
  app.on('window-all-closed', () => app.quit());
  // The agent ends first: it settles what is being sent, and closes the database.
  app.on('will-quit', (event) => {
    if (agent === null) return;
    event.preventDefault();
    void endAgent(agent);
  });
  void app.whenReady().then(begin).catch(fail);
}

async function begin(): Promise<void> {
  // Only now, because Electron would replace listeners that were added earlier.
  void stopSignal().then(endBySystem);
  // Without a menu its keys do nothing: reload, zoom, developer tools. macOS needs a menu to quit and to paste.
  Menu.setApplicationMenu(
    process.platform === 'darwin' ? Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }]) : null,
  );
  await start(mostFolderTries);
}

async function start(triesLeft: number): Promise<void> {
  const attach = await attachAtStart(place);
  if (attach.kind === 'refused') refuse(attach);
  else if (attach.kind === 'attached') await openAttached(attach.till);
  else await host(triesLeft);
}

/** Opens a window for an agent in another process. The agent goes on when the window is closed. */
async function openAttached(till: AttachedTill): Promise<void> {
  log = lateFileLog(join(windowDir, 'logs', 'window.log'));
  await open({
    till: pageTill(till),
    log,
    goesOn: true,
    onWake: nothing,
    nextMode: () => null,
    onFirstAnswer: nothing,
  });
  startAgainForUpdate(() => {
    startAfterThis();
    endBySystem();
  }, till);
  app.once('will-quit', () => till.close());
}

async function host(triesLeft: number): Promise<void> {
  const sealer = await electronSealer(safeStorage);
  const secretsOf = (folder: string) => osSecretStore(fileSecretStore(folder), sealer);
  const { isPackaged } = app;
  const updates = updateHost({ dataDir, window: () => shell?.window ?? null, endAgent: closeAgent });
  const outcome = await hostAgent({
    values,
    environment: process.env,
    ui: false,
    rendererDir,
    secretsOf,
    isPackaged,
    updates,
  });
  if (outcome.kind === 'refused') {
    // A command of store IT has taken the folder meanwhile, so the start waits once more.
    if (outcome.isFolderInUse === true && triesLeft > 0) await start(triesLeft - 1);
    else refuse(outcome);
    return;
  }
  agent = outcome.agent;
  log = outcome.log;
  const { core, screenStarted } = agent;
  for (const note of outcome.notes) process.stderr.write(`${note}\n`);
  if (sealer.whyNot === null) await sealOpenKeys(fileSecretStore(dataDir), sealer);
  else process.stderr.write(`${sealer.whyNot}: an API key of this till is saved in a file of this user only.\n`);
  // An installed app prints no secret, only the one address that IT may want to open in a browser.
  process.stdout.write(app.isPackaged ? customerWords(agent) : readyWords(agent));
  await open({
    till: await agent.openTill(),
    log,
    goesOn: false,
    onWake: () => core.wake(),
    nextMode: () => modeAtStart(values, process.env),
    onFirstAnswer: screenStarted,
  });
}

async function open(
  options: Pick<ShellOptions, 'till' | 'log' | 'goesOn' | 'onWake' | 'nextMode' | 'onFirstAnswer'>,
): Promise<void> {
  const folderFlags = place.isOfService ? [] : ['--data-dir', dataDir];
  shell = await openShell({
    ...options,
    windowDir,
    folderFlags,
    rendererDir,
    hasDevTools: !isClosed,
    windowName: nameOfWindow(),
  });
}

/** A name that tells the windows of one agent apart. It is the same at each start. */
function nameOfWindow(): string {
  const folder = createHash('sha256').update(windowDir).digest('hex').slice(0, 6);
  return `${loginName(userInfo().username).slice(0, 17)}-${folder}`;
}

/** Ends after a signal or for a newer version, without asking anybody. */
function endBySystem(): void {
  if (shell === null) app.quit();
  else shell.leaving.bySystem();
}

function refuse({ exitCode, problems }: { readonly exitCode: number; readonly problems: readonly string[] }): void {
  const lines = problems.join('\n');
  process.stderr.write(`${lines}\n`);
  // A new version on trial ends at once, and the old one reports the problem. So no dialog waits for a person.
  const isOnTrial = noteInTrial(dataDir, lines);
  if (app.isPackaged && !isOnTrial) dialog.showErrorBox('Tillbridge cannot start', lines);
  app.exit(exitCode);
}

function fail(error: unknown): void {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${words}\n`);
  noteInTrial(dataDir, words);
  app.exit(exitCodes.problemFound);
}

/** For an update: the window closes, and the program stays until the new version is there. */
async function closeAgent(): Promise<void> {
  shell?.window.hide();
  shell?.end();
  await agent?.close();
  agent = null;
}

async function endAgent(running: RunningAgent): Promise<void> {
  shell?.end();
  await running.close();
  agent = null;
  app.exit(exitCodes.well);
}
