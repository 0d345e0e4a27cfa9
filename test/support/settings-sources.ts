import { writeFileSync } from 'node:fs';
import { keepAsLastGood } from '../../app/config/last-good.ts';
import { type LoadedSettings, loadSettings } from '../../app/config/load-settings.ts';

/** Where settings come from, beside the folder: nothing unless a test names it. */
export type SettingsSources = Partial<Parameters<typeof loadSettings>[0]>;

export function loadFrom(dataDir: string, sources: SettingsSources = {}): LoadedSettings {
  return loadSettings({ dataDir, flags: {}, environment: {}, managedFile: null, ...sources });
}

/** As at a start of the agent. @throws Error when they are refused */
export function loadedFrom(
  dataDir: string,
  sources: SettingsSources = {},
): Extract<LoadedSettings, { kind: 'loaded' }> {
  const result = loadFrom(dataDir, sources);
  if (result.kind !== 'loaded') throw new Error(result.problems.join('\n'));
  keepAsLastGood(dataDir, result.files);
  return result;
}

/** @returns what is told of them; nothing when they are taken */
export function refusalFrom(dataDir: string, sources: SettingsSources): readonly string[] {
  const result = loadFrom(dataDir, sources);
  return result.kind === 'refused' ? result.problems : [];
}

/** Text as it is, anything else as JSON. */
export function writeSettings(path: string, value: unknown): void {
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
}
