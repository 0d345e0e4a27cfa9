import { modeOfKey } from '../../shared/till/key-prefix.ts';
import { type Mode, modes } from '../../shared/till/modes.ts';
import {
  apiKeyName,
  drainingKeyName,
  drainingOriginName,
  type KeptKeys,
  keyOriginName,
  type SecretStore,
} from '../machine/secrets.ts';
import type { LoadedSettings } from './load-settings.ts';
import { originOf } from './service-address.ts';

/** @param change.keyOfFile a key that stood in the settings file until now goes on with the others */
export function patchedKeys(
  before: KeptKeys,
  change: { readonly mode: Mode; readonly apiKey: unknown; readonly keyOfFile: unknown },
): KeptKeys {
  const { mode, apiKey, keyOfFile } = change;
  const keys = { ...before.keys };
  let { sealed } = before;
  const modeOfFile = typeof keyOfFile === 'string' ? modeOfKey(keyOfFile) : null;
  if (typeof keyOfFile === 'string' && modeOfFile !== null) keys[modeOfFile] = keyOfFile;
  if (apiKey !== undefined) sealed = sealed.filter((one) => one !== mode);
  if (typeof apiKey === 'string') keys[mode] = apiKey;
  if (apiKey === null) delete keys[mode];
  // For where it is entered now is known when the address is.
  const origins = { ...before.origins };
  if (apiKey !== undefined) delete origins[mode];
  return { keys, sealed, origins };
}

/** A key that an earlier version has kept, or that stood in the file, was for the address that holds before the change. */
export function boundBefore(keys: KeptKeys, before: LoadedSettings, keyOfFile: unknown): KeptKeys {
  if (before.kind === 'refused') return keys;
  const { mode } = before.settings;
  const isKept = keys.keys[mode] !== undefined || keys.sealed.includes(mode) || typeof keyOfFile === 'string';
  return isKept ? bound(keys, before) : keys;
}

/** The key of the mode that holds goes to the address that holds, unless it was entered for another. */
export function bound(keys: KeptKeys, { settings }: Extract<LoadedSettings, { kind: 'loaded' }>): KeptKeys {
  const { mode, base_url } = settings;
  return { ...keys, origins: { [mode]: originOf(base_url), ...keys.origins } };
}

/**
 * Saves keys. In one write: a key that is there without its own address would go to another one.
 *
 * @throws SecretsError, or what the file system says of a file that cannot be written
 */
export async function moveKeys(secrets: SecretStore, from: KeptKeys, to: KeptKeys): Promise<void> {
  const changes: Record<string, string | null> = {};
  for (const mode of modes) {
    const key = to.keys[mode];
    const isGone = from.sealed.includes(mode) && !to.sealed.includes(mode);
    if (key === undefined && (from.keys[mode] !== undefined || isGone)) changes[apiKeyName(mode)] = null;
    if (key !== undefined && key !== from.keys[mode]) changes[apiKeyName(mode)] = key;
    const origin = key === undefined && !to.sealed.includes(mode) ? undefined : to.origins[mode];
    if (origin === undefined) changes[keyOriginName(mode)] = null;
    else if (origin !== from.origins[mode]) changes[keyOriginName(mode)] = origin;
  }
  // What was remembered of the last run is older than what was set now.
  if (from.keys.production !== to.keys.production) {
    changes[drainingKeyName] = null;
    changes[drainingOriginName] = null;
  }
  await secrets.change(changes);
}
