import { isRunning } from '../machine/running-process.ts';
import { endProcess } from '../machine/thread-calls.ts';

/** How often an agent that npm started looks whether npm is still there. */
const parentLookMs = 2_000;

/** SIGHUP: its console was closed, and Windows ends it some seconds later. Elsewhere it ends a program as it always has. */
export const stopSignals: readonly NodeJS.Signals[] =
  process.platform === 'win32' ? ['SIGTERM', 'SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGTERM', 'SIGINT'];

/**
 * Resolves at the first SIGTERM or SIGINT (or, on Windows, Ctrl-Break and the end of its console). The next one ends the
 * process at once: whoever asks twice does not want to wait. Under npm the end of npm counts as SIGTERM: it passes a signal
 * on to its shell alone, and an agent that nobody can reach any more would hold its port and its data folder.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of stopSignals) {
      process.on(signal, () => {
        if (asked) endProcess(signal === 'SIGINT' ? 130 : 143);
        asked = true;
        resolve(signal);
      });
    }
    if (process.env.npm_lifecycle_event !== undefined) {
      const isParentGone = parentWatch(process.ppid, process.platform);
      const look = setInterval(() => {
        if (isParentGone()) resolve('SIGTERM');
      }, parentLookMs);
      look.unref();
    }
  });
}

/** Ends this program as a signal does, also on Windows, where a program can send none. */
export function askToStop(): void {
  process.emit('SIGTERM', 'SIGTERM');
}

/**
 * Whether the process that started this one has ended. Elsewhere a process whose parent has ended gets another one; Windows
 * goes on naming the old one.
 */
export function parentWatch(parent: number, platform: NodeJS.Platform): () => boolean {
  return platform === 'win32' ? () => !isRunning(parent) : () => process.ppid !== parent;
}
