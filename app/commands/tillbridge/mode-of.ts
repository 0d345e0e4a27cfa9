import type { Mode } from '../../../shared/till/modes.ts';
import { readLastStart } from '../../config/last-start.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { isDataFolderInUse } from '../../machine/lock.ts';
import { settingsSources } from '../agent-flags.ts';

/**
 * The mode of the agent that runs on a data folder, or that it would start in as far as files and the environment tell.
 * Where none of them names one, the last start does: its flags are not typed again with each command.
 */
export async function modeOf(dataDir: string): Promise<Mode> {
  const last = readLastStart(dataDir)?.mode ?? null;
  if (last !== null && isDataFolderInUse(dataDir)) return last;
  const loaded = loadSettings(await settingsSources(new Map([['data-dir', dataDir]]), process.env));
  const isNamed = loaded.kind === 'loaded' && (loaded.sources.mode ?? 'default') !== 'default';
  if (isNamed) return loaded.settings.mode;
  return last ?? 'sandbox';
}
