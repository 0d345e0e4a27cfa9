import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ownNode } from '../../machine/installed.ts';

/** Behind everything that sells. */
const lowPriority = 10;

/**
 * Starts a process of its own that reads a database: a check reads every page, no sale may wait for it, and a reader that
 * a damaged page brings down must not take the till along, as a thread would.
 *
 * @param program as text, because the agent is one bundle; it finds the database's path and the module of better-sqlite3 in
 *   `process.argv` from 1
 * @param execPath the program that runs it; another one in tests
 */
export function startReader(
  program: string,
  path: string,
  execPath = ownNode.executable,
): ChildProcessByStdio<null, Readable, null> {
  const module = createRequire(join(ownNode.folder, 'from-here.js')).resolve('better-sqlite3');
  const child = spawn(execPath, ['-e', program, path, module], {
    // In a checkout's window this process is Electron, which is Node with this.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
    // Else Windows opens a console over the cashier's screen.
    windowsHide: true,
  });
  // What could not be started is closed, too.
  child.once('error', () => undefined);
  try {
    if (child.pid !== undefined) setPriority(child.pid, lowPriority);
  } catch {
    // A system that knows no priorities, or a process that is gone already.
  }
  return child;
}
