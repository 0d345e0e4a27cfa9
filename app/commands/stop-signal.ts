/** How often an agent that npm started looks whether npm is still there. */
const parentLookMs = 2_000;

/**
 * Resolves at the first SIGTERM or SIGINT (or, on Windows, SIGBREAK). The next one ends the process at once: whoever
 * asks twice does not want to wait. Under npm the end of npm counts as SIGTERM: it passes a signal on to its shell
 * alone, and an agent that nobody can reach any more would hold its port and its data folder.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGBREAK'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(signal === 'SIGINT' ? 130 : 143);
        asked = true;
        resolve(signal);
      });
    }
    if (process.env.npm_lifecycle_event !== undefined) {
      const parent = process.ppid;
      const look = setInterval(() => {
        if (process.ppid !== parent) resolve('SIGTERM');
      }, parentLookMs);
      look.unref();
    }
  });
}
