import type { Mode } from '../../../shared/till/views.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { hasDatabase } from '../../machine/data-files.ts';
import { settingsSources } from '../agent-flags.ts';

/** The mode that the agent of a data folder would start in, as far as files and the environment tell. */
export async function modeOf(dataDir: string): Promise<Mode> {
  const loaded = loadSettings(await settingsSources(new Map([['data-dir', dataDir]]), process.env));
  if (loaded.kind === 'loaded') return loaded.settings.mode;
  return hasDatabase(dataDir, 'production') ? 'production' : 'sandbox';
}
