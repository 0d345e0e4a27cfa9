import { join } from 'node:path';
import { z } from 'zod';
import { type Mode, modes } from '../shared/till/views.ts';
import { readTextFile, writePrivateFile } from './files.ts';

/** Where keys and tokens are kept. Asynchronous, as an operating system's own key store is. */
export interface SecretStore {
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** The secrets' file is there and cannot be understood. It is left as it is. */
export class SecretsError extends Error {
  constructor(path: string, cause: unknown) {
    super(`${path} cannot be read as secrets; mend it, or delete it to have a new local token made.`, { cause });
    this.name = 'SecretsError';
  }
}

/** Secrets in `secrets.json` of the data folder, readable by this user alone (mode 0600). Nothing encrypts them. */
export function fileSecretStore(dataDir: string): SecretStore {
  const path = join(dataDir, 'secrets.json');
  const read = (): Record<string, string> => {
    try {
      const text = readTextFile(path);
      return text === null ? {} : z.record(z.string(), z.string()).parse(JSON.parse(text));
    } catch (error) {
      throw new SecretsError(path, error);
    }
  };
  const write = (secrets: Record<string, string>): void => writePrivateFile(path, `${JSON.stringify(secrets)}\n`);
  return {
    async get(name) {
      return read()[name] ?? null;
    },
    async set(name, value) {
      write({ ...read(), [name]: value });
    },
    async remove(name) {
      const { [name]: removed, ...rest } = read();
      if (removed !== undefined) write(rest);
    },
  };
}

const bridgeTokenName = 'bridge_token';
const bridgeTokenBytes = 24;

/** The bridge's local token: made at the first start, the same ever after. */
export async function keptBridgeToken(
  secrets: SecretStore,
  randomBytes: (length: number) => Uint8Array,
): Promise<string> {
  const kept = await secrets.get(bridgeTokenName);
  if (kept !== null) return kept;
  const token = newBridgeToken(randomBytes);
  await secrets.set(bridgeTokenName, token);
  return token;
}

export function keepBridgeToken(secrets: SecretStore, token: string): Promise<void> {
  return secrets.set(bridgeTokenName, token);
}

export function newBridgeToken(randomBytes: (length: number) => Uint8Array): string {
  return `tillbridge_${Buffer.from(randomBytes(bridgeTokenBytes)).toString('base64url')}`;
}

/** @returns null when no agent ever started on that data folder */
export function readBridgeToken(secrets: SecretStore): Promise<string | null> {
  return secrets.get(bridgeTokenName);
}

/** An API key that was set at the till. Each mode has its own. */
export function apiKeyName(mode: Mode): string {
  return `api_key.${mode}`;
}

/** @throws SecretsError */
export async function readApiKeys(secrets: SecretStore): Promise<Partial<Record<Mode, string>>> {
  const keys: Partial<Record<Mode, string>> = {};
  for (const mode of modes) {
    const key = await secrets.get(apiKeyName(mode));
    // Sealed by the operating system for the desktop app: whoever else reads the file has to be given the key anew.
    if (key !== null && !key.startsWith('os:')) keys[mode] = key;
  }
  return keys;
}

const profileKeyName = 'profile_key';

/**
 * The key that profiles of customers are kept under: made at the first start, the same ever after.
 *
 * @param length in bytes
 */
export async function keptProfileKey(
  secrets: SecretStore,
  randomBytes: (length: number) => Uint8Array,
  length: number,
): Promise<Uint8Array> {
  const kept = Buffer.from((await secrets.get(profileKeyName)) ?? '', 'base64url');
  if (kept.length === length) return kept;
  const made = randomBytes(length);
  await secrets.set(profileKeyName, Buffer.from(made).toString('base64url'));
  return made;
}
