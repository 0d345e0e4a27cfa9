/**
 * Node opens its inspector on port 9229 for whoever sends SIGUSR1, and any program of this machine may then read the API
 * key out of the memory. A listener of ours, which does nothing, takes the signal away from it. Windows has no such
 * signal.
 */
export function keepInspectorShut(): void {
  if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);
}
