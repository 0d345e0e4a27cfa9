import type { Mode } from '../../../shared/till/views.ts';
import { hasDatabase } from '../../data-files.ts';
import { agentSettings } from '../agent-flags.ts';

/** The mode that the agent of a data folder would start in, as far as files and the environment tell. */
export function modeOf(dataDir: string): Mode {
  const { loaded } = agentSettings(new Map([['data-dir', dataDir]]), process.env);
  if (loaded.kind === 'loaded') return loaded.settings.mode;
  return hasDatabase(dataDir, 'production') ? 'production' : 'sandbox';
}
