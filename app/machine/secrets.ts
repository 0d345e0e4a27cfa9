import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errorText } from '../../shared/lib/error-code.ts';
import { type Mode, modes } from '../../shared/till/modes.ts';
import { NoFileOfItsOwnError, readTextFile, writePrivateFile } from './files.ts';
import { heldFileIn, isNoAccess } from './held-files.ts';
import { readJsonFile } from './json-file.ts';
import { isAnothersText, keptSecretsText, noteSecretsText } from './kept-secrets.ts';

/** Where keys and tokens are kept. Asynchronous, as an operating system's own key store is. */
export interface SecretStore {
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Several at once, of which all are there after a power cut, or none. Null removes one. */
  change(changes: Readonly<Record<string, string | null>>): Promise<void>;
}

/** The secrets' file is there and cannot be understood, or is open to others. It is left as it is. */
export class SecretsError extends Error {
  override readonly name = 'SecretsError';
}

/**
 * Secrets in `secrets.json` of the data folder, readable by this user alone (mode 0600). Nothing encrypts them. A file
 * that others can read is refused: whoever opened it has to look who read it.
 */
export function fileSecretStore(dataDir: string): SecretStore {
  const path = join(dataDir, 'secrets.json');
  const read = (): Record<string, string> => {
    refuseOpenFile(path);
    try {
      const text = readTextFile(path) ?? keptSecretsText(path);
      if (text === null) return {};
      const secrets = secretsIn(text);
      if (isAnothersText(path, text)) throw new NotSecretsError("is another till's, or has lost this till's key");
      return secrets;
    } catch (cause) {
      if (isNoAccess(cause)) throw new SecretsError(cannotBeRead(path, cause), { cause });
      if (cause instanceof NoFileOfItsOwnError) {
        throw new SecretsError(
          `${path} is ${cause.what}, where the secrets belong. Move it away. ${lostSecretsAdvice}.`,
          { cause },
        );
      }
      const says = cause instanceof NotSecretsError ? cause.message : 'does not contain secrets';
      // The file has more than tokens: the key that proves the sales that wait is in it, too. Nobody here knows whether an
      // agent runs: the folder may be this start's own.
      const words = `${path} ${says}. Correct the file. Where an agent runs, do not end it: move the file away, and the agent writes its own copy again within a minute. If you delete it while none runs, POS programs need new tokens, an API key that was set at the till has to be set again, and sales that wait need "queue resend all --code CHANGED_ON_DISK".`;
      throw new SecretsError(words, { cause });
    }
  };
  const write = (secrets: Record<string, string>): void => {
    const text = `${JSON.stringify(secrets)}\n`;
    writePrivateFile(path, text);
    noteSecretsText(path, text);
  };
  const change = async (changes: Readonly<Record<string, string | null>>): Promise<void> => {
    const before = read();
    const isNew = Object.entries(changes).some(([name, value]) => (before[name] ?? null) !== value);
    if (!isNew) return;
    const after = Object.entries({ ...before, ...changes }).flatMap(([name, value]) =>
      value === null ? [] : [[name, value] as const],
    );
    write(Object.fromEntries(after));
  };
  return {
    async get(name) {
      return read()[name] ?? null;
    },
    set: (name, value) => change({ [name]: value }),
    remove: (name) => change({ [name]: null }),
    change,
  };
}

/** What stands in it may be as it should be: nobody is told to delete it. */
function cannotBeRead(path: string, cause: unknown): string {
  const held = heldFileIn(cause);
  if (held !== null) return held.message;
  const reason = errorText(cause);
  return `${path} cannot be read: ${reason}. Give this user access to the file, then start again.`;
}

class NotSecretsError extends Error {}

const secretsSchema = z.record(z.string(), z.string());

/** @throws NotSecretsError, with what is wrong and where */
function secretsIn(text: string): Record<string, string> {
  const read = readJsonFile(text);
  if (read.kind === 'bad') throw new NotSecretsError(read.reason);
  const secrets = secretsSchema.safeParse(read.value);
  if (!secrets.success) throw new NotSecretsError('must hold one JSON object of texts');
  return secrets.data;
}

function refuseOpenFile(path: string): void {
  // Windows has no such modes: there the folder of the user is closed to others.
  if (process.platform === 'win32') return;
  const found = statSync(path, { throwIfNoEntry: false });
  const mode = (found?.mode ?? 0) & 0o777;
  // Nobody has read any secrets in a folder.
  if (found?.isFile() !== true || (mode & 0o077) === 0) return;
  throw new SecretsError(
    `${path} is open to other users of this machine (mode ${mode.toString(8)}). Close it (chmod 600 ${path}); if somebody may have read it, create new tokens and get a new API key.`,
  );
}

const bridgeTokenName = 'bridge_token';
const bridgeTokenBytes = 24;

/** A secret of a data folder: made at the first start, the same ever after. */
async function keptSecret(secrets: SecretStore, name: string, make: () => string): Promise<string> {
  const kept = await secrets.get(name);
  if (kept !== null) return kept;
  const made = make();
  await secrets.set(name, made);
  return made;
}

/** The bridge's first token, for a POS program. */
export function keptBridgeToken(secrets: SecretStore, randomBytes: (length: number) => Uint8Array): Promise<string> {
  return keptSecret(secrets, bridgeTokenName, () => newBridgeToken(randomBytes));
}

export function keepBridgeToken(secrets: SecretStore, token: string): Promise<void> {
  return secrets.set(bridgeTokenName, token);
}

export function newBridgeToken(randomBytes: (length: number) => Uint8Array): string {
  return `tillbridge_${textOf(randomBytes(bridgeTokenBytes))}`;
}

/** @returns null when no agent ever started on that data folder */
export function readBridgeToken(secrets: SecretStore): Promise<string | null> {
  return secrets.get(bridgeTokenName);
}

/** Whether the secrets are gone, of a data folder on which an agent has run: each start makes what is missing. */
export async function areSecretsLost(secrets: SecretStore): Promise<boolean> {
  return (await readBridgeToken(secrets)) === null;
}

/** What store IT does then. A command makes no new ones: a running agent would not know them. */
export const lostSecretsAdvice =
  'Put secrets.json back from a copy of the data folder. Without one, start the agent again, which makes new secrets: POS programs need new tokens then, and sales that wait need "queue resend all --code CHANGED_ON_DISK". An API key that was set at the till is lost with it: set it again before that start ("settings set api_key -")';

/** What has the folder may be a command, or an agent of an earlier version, which writes none again. */
const keptSecretsAdvice = `If an agent runs, do not end it: it writes secrets.json again within a minute, or its log says why. Is none there after that minute? ${lostSecretsAdvice}`;

/** @param facts.isInUse somebody has the folder: an agent knows still what stood in a file that is gone */
export function adviceOnLostSecrets(dataDir: string, { isInUse }: { readonly isInUse: boolean }): string {
  return isInUse && !existsSync(join(dataDir, 'secrets.json')) ? keptSecretsAdvice : lostSecretsAdvice;
}

/** An API key that was set at the till. Each mode has its own. */
export function apiKeyName(mode: Mode): string {
  return `api_key.${mode}`;
}

const originPrefix = 'api_key_origin.';

/** Where the key of a mode may be sent; not for an operating system to seal. */
export function keyOriginName(mode: Mode): string {
  return `${originPrefix}${mode}`;
}

/** The key that production was last run with, wherever it came from: see draining.ts. */
export const drainingKeyName = 'api_key.draining';
/** Where that one may be sent. Missing beside one that an earlier version has kept. */
export const drainingOriginName = `${originPrefix}draining`;

/** Where a key may be sent stands beside it, and is no secret itself: the settings tell it, too. */
export function isSecretName(name: string): boolean {
  return !name.startsWith(originPrefix);
}

/** Which secrets an operating system's key store seals: the rest belongs to this machine, and store IT's commands have to read it. */
export function isSealable(name: string): boolean {
  return name.startsWith('api_key.');
}

/** What stands before a secret that an operating system's key store has sealed. */
export const sealedPrefix = 'os:';

/** The API keys that were set at the till. */
export interface KeptKeys {
  readonly keys: Readonly<Partial<Record<Mode, string>>>;
  /** Modes whose key is there and was sealed for another program, user or machine: it has to be set again. */
  readonly sealed: readonly Mode[];
  /** Where each may be sent: the origin that it was entered for. Missing for one that an earlier version has kept. */
  readonly origins: Readonly<Partial<Record<Mode, string>>>;
}

/** @throws SecretsError */
export async function readApiKeys(secrets: SecretStore): Promise<KeptKeys> {
  const keys: Partial<Record<Mode, string>> = {};
  const sealed: Mode[] = [];
  const origins: Partial<Record<Mode, string>> = {};
  for (const mode of modes) {
    const key = await secrets.get(apiKeyName(mode));
    if (key?.startsWith(sealedPrefix) === true) sealed.push(mode);
    else if (key !== null) keys[mode] = key;
    const origin = await secrets.get(keyOriginName(mode));
    if (key !== null && origin !== null) origins[mode] = origin;
  }
  return { keys, sealed, origins };
}

const controlKeyName = 'control_key';

/** @returns null when no sandbox ever ran on that data folder */
export function readControlKey(secrets: SecretStore): Promise<string | null> {
  return secrets.get(controlKeyName);
}

/** What opens the embedded sandbox's control API. */
export function keptControlKey(secrets: SecretStore, randomBytes: (length: number) => Uint8Array): Promise<string> {
  return keptSecret(secrets, controlKeyName, () => `tillbridge_control_${textOf(randomBytes(24))}`);
}

/** What the screen's sessions get their secrets from: whoever deletes it ends all of them at the next start. */
export function keptSessionKey(secrets: SecretStore, randomBytes: (length: number) => Uint8Array): Promise<string> {
  return keptSecret(secrets, 'session_key', () => textOf(randomBytes(32)));
}

const officeSecretName = 'office_secret';

/** What store IT's commands and the agent know each other by; it is never told. */
export function keptOfficeSecret(secrets: SecretStore, randomBytes: (length: number) => Uint8Array): Promise<string> {
  return keptSecret(secrets, officeSecretName, () => `tillbridge_office_${textOf(randomBytes(32))}`);
}

/** @returns null when no agent ever started on that data folder */
export function readOfficeSecret(secrets: SecretStore): Promise<string | null> {
  return secrets.get(officeSecretName);
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

/** Bytes of the key that profiles of customers are kept under. */
export const profileKeyBytes = 32;

/** The key that profiles of customers are kept under. */
export function keptProfileKey(secrets: SecretStore, randomBytes: (length: number) => Uint8Array): Promise<Uint8Array> {
  return keptKey(secrets, { name: 'profile_key', byteCount: profileKeyBytes }, randomBytes);
}

interface KeyFacts {
  readonly name: string;
  readonly byteCount: number;
}

/** A key of so many bytes: made at the first start, the same ever after. One of another length is replaced. */
export async function keptKey(
  secrets: SecretStore,
  key: KeyFacts,
  randomBytes: (length: number) => Uint8Array,
): Promise<Uint8Array> {
  const kept = await readKey(secrets, key);
  if (kept !== null) return kept;
  const made = randomBytes(key.byteCount);
  await secrets.set(key.name, textOf(made));
  return made;
}

/** @returns null where there is none of that length */
export async function readKey(secrets: SecretStore, { name, byteCount }: KeyFacts): Promise<Uint8Array | null> {
  const key = Buffer.from((await secrets.get(name)) ?? '', 'base64url');
  return key.length === byteCount ? key : null;
}
