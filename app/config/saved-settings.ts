import { join } from 'node:path';
import { errorCode } from '../../shared/lib/error-code.ts';
import { NoFileOfItsOwnError, readTextFile, writePrivateFile } from '../machine/files.ts';
import { isNoAccess } from '../machine/held-files.ts';
import { readJsonFile } from '../machine/json-file.ts';
import { isLayer, type SettingsLayer } from './layers.ts';

/** What the app itself saved. */
export function savedSettingsPath(dataDir: string): string {
  return join(dataDir, 'settings.json');
}

/** The files' settings at the last start at which they were all good. */
export function lastGoodSettingsPath(dataDir: string): string {
  return join(dataDir, 'settings.last-good.json');
}

type ReadLayer =
  | { readonly kind: 'layer'; readonly layer: SettingsLayer }
  | { readonly kind: 'absent' }
  | { readonly kind: 'bad'; readonly reason: string };

/** Reads a settings file as it stands; its fields are not checked yet. */
export function readLayerFile(path: string): ReadLayer {
  let text: string | null;
  try {
    text = readTextFile(path);
  } catch (error) {
    // It may be a folder of somebody's own that was named by mistake: nothing is to be deleted.
    if (error instanceof NoFileOfItsOwnError)
      return { kind: 'bad', reason: `is ${error.what}; a settings file belongs there` };
    return { kind: 'bad', reason: `cannot be read (${reasonOf(error)})${afterNoAccess(error)}` };
  }
  if (text === null) return { kind: 'absent' };
  const read = readJsonFile(text);
  if (read.kind === 'bad') return read;
  return isLayer(read.value)
    ? { kind: 'layer', layer: read.value }
    : { kind: 'bad', reason: 'must hold one JSON object' };
}

export function writeSavedSettings(dataDir: string, layer: SettingsLayer): void {
  writePrivateFile(savedSettingsPath(dataDir), `${JSON.stringify(layer, null, 2)}\n`);
}

function afterNoAccess(error: unknown): string {
  return isNoAccess(error) ? ': another program has it open, or this user has no access' : '';
}

function reasonOf(error: unknown): string {
  return errorCode(error) || String(error);
}
