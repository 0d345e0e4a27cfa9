/**
 * Resolves at the first SIGTERM or SIGINT (or, on Windows, SIGBREAK). The next one ends the process at once: whoever
 * asks twice does not want to wait.
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
  });
}
