import type { CommandLine } from 'electron';

/** Chromium's switches by which another program reads or changes the window, or its page loses its walls. */
const openingSwitches = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-allow-origins',
  'load-extension',
  'disable-web-security',
  'allow-file-access-from-files',
  'disable-site-isolation-trials',
  'js-flags',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'gpu-launcher',
] as const;

/**
 * Takes them away before Chromium reads them.
 *
 * @returns those that were there
 */
export function closeToDebuggers(commandLine: CommandLine): readonly string[] {
  const given = openingSwitches.filter((name) => commandLine.hasSwitch(name));
  for (const name of given) commandLine.removeSwitch(name);
  return given;
}
