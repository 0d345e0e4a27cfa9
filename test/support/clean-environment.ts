/**
 * The environment of this process for a program of ours, without what a developer may have set for Tillbridge or Electron.
 *
 * @param alsoWithout beginnings of further names, such as `NODE_`
 */
export function cleanEnvironment(...alsoWithout: readonly string[]): Record<string, string> {
  const without = ['TILLBRIDGE_', 'ELECTRON_', ...alsoWithout];
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !without.some((beginning) => name.startsWith(beginning))) kept[name] = value;
  }
  return kept;
}
