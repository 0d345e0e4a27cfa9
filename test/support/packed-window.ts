import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { cleanEnvironment } from './clean-environment.ts';

/** An installed app that runs: its window, as its user has it. */
interface PackedWindow {
  readonly page: Page;
  readonly child: ChildProcess;
  /** Everything that it printed. */
  readonly said: () => string;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** Ends it as a user does. */
  close(): Promise<number | null>;
}

/**
 * Starts a packed app and looks at its window over Chromium's own debugging port: a fused app takes no debugger of Node's.
 *
 * @param executable the app's own, or `/usr/bin/tillbridge`
 */
export async function openPackedApp(
  executable: string,
  dataDir: string,
  flags: readonly string[] = ['--mode', 'sandbox'],
): Promise<PackedWindow> {
  const portFile = join(dataDir, 'window', 'DevToolsActivePort');
  rmSync(portFile, { force: true });
  const isRoot = process.getuid?.() === 0;
  const child = spawn(
    executable,
    [...(isRoot ? ['--no-sandbox'] : []), '--remote-debugging-port=0', '--data-dir', dataDir, '--port', '0', ...flags],
    { stdio: ['ignore', 'pipe', 'pipe'], env: cleanEnvironment('NODE_') },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (more) => (text += more));
  const startedAt = Date.now();
  await expect
    .poll(() => child.exitCode !== null || isWritten(portFile), { message: `its window opens\n${text}` })
    .toBe(true);
  if (child.exitCode !== null)
    throw new Error(`It ended with ${child.exitCode} after ${Date.now() - startedAt} ms: ${text}`);
  const [port] = readFileSync(portFile, 'utf8').split('\n');
  const browser = await connect(`http://127.0.0.1:${port}`);
  const [context] = browser.contexts();
  const page = context?.pages()[0] ?? (await context?.waitForEvent('page'));
  if (page === undefined) throw new Error('It has no window');
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const closed = once(child, 'close');
    child.kill(signal);
    await browser.close().catch(() => undefined);
    const [code] = await closed;
    return code;
  };
  return {
    page,
    child,
    said: () => text,
    kill: async () => void (await end('SIGKILL')),
    close: () => end('SIGTERM'),
  };
}

function isWritten(file: string): boolean {
  return existsSync(file) && readFileSync(file, 'utf8').includes('\n');
}

/** A window that is just opening may leave the first call unanswered. */
async function connect(address: string): Promise<Browser> {
  const timeout = 15_000;
  return chromium
    .connectOverCDP(address, { timeout })
    .catch(() => chromium.connectOverCDP(address, { timeout: 2 * timeout }));
}
