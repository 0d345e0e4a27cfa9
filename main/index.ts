// The desktop app: the agent in the main process, and a window for the cashier.
import { dirname, join } from 'node:path';
import { app, type BrowserWindow, dialog, Menu, safeStorage, session } from 'electron';
import type { RunningAgent } from '../app/agent/agent.ts';
import { readyWords } from '../app/commands/agent.ts';
import { agentFlags, attachFolderFlag, modeAtStart } from '../app/commands/agent-flags.ts';
import { keepInspectorShut } from '../app/commands/closed-inspector.ts';
import { exitCodes } from '../app/commands/exit-codes.ts';
import { knownFlags } from '../app/commands/flags.ts';
import { hostAgent } from '../app/commands/host.ts';
import { rendererDir } from '../app/commands/renderer-dir.ts';
import { stopSignal } from '../app/commands/stop-signal.ts';
import { guardTerminal } from '../app/commands/terminal.ts';
import { lateFileLog } from '../app/machine/late-log.ts';
import type { Log } from '../app/machine/log.ts';
import { fileSecretStore } from '../app/machine/secrets.ts';
import { attachAtStart } from './attach/attach-at-start.ts';
import type { AttachedTill } from './attach/attached-till.ts';
import { pageTill } from './attach/page-till.ts';
import { startAgainForUpdate } from './attach/start-again.ts';
import { windowPlace } from './attach/window-place.ts';
import { closeToDebuggers } from './debugging.ts';
import { connectPage, type PageTill } from './ipc.ts';
import { electronSealer, osSecretStore, sealOpenKeys } from './os-secrets.ts';
import { registerPageScheme, servePage } from './protocol.ts';
import { confinePages, confineSession } from './security.ts';
import { openWindow } from './window.ts';

// Before anything is made: no file of this process, Chromium's neither, is another user's to read.
process.umask(0o077);
keepInspectorShut();
guardTerminal();

// Among our flags stand Chromium's own, which are none of our business.
const values = knownFlags(process.argv.slice(1), [...agentFlags, attachFolderFlag]);
const place = windowPlace(values, process.env);
const { dataDir, windowDir } = place;
// A shop's till shows nobody its inside. QA drives the sandbox's window over Chromium's debugging port.
const isClosed = app.isPackaged && (place.isOfService || modeAtStart(values, process.env) === 'production');
if (isClosed) {
  for (const name of closeToDebuggers(app.commandLine)) {
    process.stderr.write(`--${name}: is not heard in production mode.\n`);
  }
}
app.setPath('userData', join(windowDir, 'window'));
registerPageScheme();
confinePages();

let window: BrowserWindow | null = null;
let agent: RunningAgent | null = null;

if (app.requestSingleInstanceLock()) {
  app.on('second-instance', () => {
    if (window?.isMinimized() === true) window.restore();
    window?.focus();
  });
  app.on('window-all-closed', () => app.quit());
  // The agent ends first: what is in flight is settled, the database is closed.
  app.on('will-quit', (event) => {
    if (agent === null) return;
    event.preventDefault();
    void endAgent(agent);
  });
  void stopSignal().then(() => app.quit());
  void app.whenReady().then(start).catch(fail);
} else {
  process.stderr.write(`Tillbridge already runs on ${dataDir}. Its window is in front now.\n`);
  app.exit(exitCodes.well);
}

async function start(): Promise<void> {
  if (process.platform !== 'darwin') Menu.setApplicationMenu(null);
  const attach = await attachAtStart(place);
  if (attach.kind === 'refused') refuse(attach);
  else if (attach.kind === 'attached') openAttached(attach.till);
  else await host();
}

/** A window onto the agent of another process, which goes on when the window is closed. */
function openAttached(till: AttachedTill): void {
  showWindow(pageTill(till), lateFileLog(join(windowDir, 'logs', 'window.log')));
  startAgainForUpdate(app, till);
  app.once('will-quit', () => till.close());
}

async function host(): Promise<void> {
  const sealer = await electronSealer(safeStorage);
  const secretsOf = (folder: string) => osSecretStore(fileSecretStore(folder), sealer);
  const { isPackaged } = app;
  const outcome = await hostAgent({ values, environment: process.env, ui: false, rendererDir, secretsOf, isPackaged });
  if (outcome.kind === 'refused') {
    refuse(outcome);
    return;
  }
  agent = outcome.agent;
  for (const note of outcome.notes) process.stderr.write(`${note}\n`);
  if (sealer.whyNot === null) await sealOpenKeys(fileSecretStore(dataDir), sealer);
  else process.stderr.write(`${sealer.whyNot}: an API key of this till is saved in a file of this user only.\n`);
  if (!app.isPackaged) process.stdout.write(readyWords(agent));
  showWindow(await agent.openTill(), outcome.log);
}

function showWindow(till: PageTill, log: Log): void {
  confineSession(session.defaultSession);
  servePage(session.defaultSession, rendererDir);
  const preload = join(dirname(rendererDir), 'main', 'preload.cjs');
  window = openWindow({ dataDir: windowDir, preload, log, hasDevTools: !isClosed });
  connectPage(till, window);
}

function refuse({ exitCode, problems }: { readonly exitCode: number; readonly problems: readonly string[] }): void {
  const lines = problems.join('\n');
  process.stderr.write(`${lines}\n`);
  if (app.isPackaged) dialog.showErrorBox('Tillbridge cannot start', lines);
  app.exit(exitCode);
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  app.exit(exitCodes.problemFound);
}

async function endAgent(running: RunningAgent): Promise<void> {
  await running.close();
  agent = null;
  app.exit(exitCodes.well);
}
