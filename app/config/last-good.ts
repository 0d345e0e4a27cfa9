import { z } from 'zod';
import { writePrivateFile } from '../machine/files.ts';
import { layerFaults, type SettingsLayer } from './layers.ts';
import { lastGoodSettingsPath, readLayerFile } from './saved-settings.ts';

/** What the two settings files said, each as a layer. */
export interface FileLayers {
  /** Which file `managed` is from; absent where there was none. */
  readonly managed_file?: string | undefined;
  readonly managed: SettingsLayer;
  readonly saved: SettingsLayer;
}

const lastGoodSchema = z.object({
  managed_file: z.string().optional(),
  managed: z.record(z.string(), z.unknown()),
  saved: z.record(z.string(), z.unknown()),
});

/** @returns null when the agent was never started here with files in order */
export function readLastGood(dataDir: string): FileLayers | null {
  const read = readLayerFile(lastGoodSettingsPath(dataDir));
  const parsed = read.kind === 'layer' ? lastGoodSchema.safeParse(read.layer) : null;
  if (parsed === null || !parsed.success) return null;
  const { managed, saved } = parsed.data;
  return layerFaults(managed).length + layerFaults(saved).length === 0 ? parsed.data : null;
}

/** Keeps what the agent starts with. Whoever only looks at the settings keeps nothing: the file may be another one. */
export function keepAsLastGood(dataDir: string, layers: FileLayers): void {
  const path = lastGoodSettingsPath(dataDir);
  const text = `${JSON.stringify(layers, null, 2)}\n`;
  try {
    const before = readLayerFile(path);
    if (before.kind === 'layer' && `${JSON.stringify(before.layer, null, 2)}\n` === text) return;
    writePrivateFile(path, text);
  } catch {
    // A folder that cannot be written is found, and said, when the database is opened.
  }
}
