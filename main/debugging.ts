import type { CommandLine } from 'electron';

/** Chromium's switches that let another program read or change the window, or that turn off its page's protection. */
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

/** Removes them before Chromium reads them. @returns those that were removed */
export function closeToDebuggers(commandLine: CommandLine): readonly string[] {
  const given = openingSwitches.filter((name) => commandLine.hasSwitch(name));
  for (const name of given) commandLine.removeSwitch(name);
  return given;
}
