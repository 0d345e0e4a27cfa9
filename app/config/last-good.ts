import { z } from 'zod';
import { writePrivateFile } from '../machine/files.ts';
import { hadService } from './last-start.ts';
import { layerFaults, layerOf, mergeLayers, type SettingsLayer } from './layers.ts';
import { lastGoodSettingsPath, readLayerFile, savedSettingsPath, writeSavedSettings } from './saved-settings.ts';

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

/**
 * Adds one setting to what the app saved before, or to what a file that is gone said last: a new one that says nothing
 * else would take production to the sandbox.
 *
 * @throws when the file cannot be read, or nobody knows what it said
 */
export function saveSetting(dataDir: string, name: string, value: unknown): void {
  writeSavedSettings(dataDir, mergeLayers(savedBefore(dataDir), layerOf(name, value)));
}

function savedBefore(dataDir: string): SettingsLayer {
  const path = savedSettingsPath(dataDir);
  const read = readLayerFile(path);
  if (read.kind === 'layer') return read.layer;
  if (read.kind === 'bad') throw new Error(`${path} ${read.reason}`);
  const lastGood = readLastGood(dataDir);
  if (lastGood === null && hadService(dataDir)) throw new Error(`${path} does not exist`);
  return lastGood?.saved ?? {};
}
