import { strToU8, zipSync } from 'fflate';
import { anyKeyPrefix } from '../../shared/till/key-prefix.ts';
import { withoutSecrets } from '../machine/log.ts';

/** One file of a support bundle. */
export interface BundlePart {
  readonly name: string;
  readonly text: string;
}

/** A file of a support bundle that is no text: what a crashed process has left. */
export interface BundleDump {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A secret was found in a part: the bundle is not made. */
export interface FoundSecret {
  readonly part: string;
  /** What kind of secret it is; never the secret. */
  readonly what: SecretKind;
}

type SecretKind = 'api_key' | 'token' | 'header' | 'private_key' | 'own';

/** Each kind in words, for store IT. */
export const secretWords: Readonly<Record<SecretKind, string>> = {
  api_key: 'an API key',
  token: 'a POS token',
  header: 'an authorization header',
  private_key: 'a private key',
  own: 'a secret of this till',
};

/** What looks like a secret, whichever one it is. */
const shapes: readonly (readonly [SecretKind, RegExp])[] = [
  ['api_key', new RegExp(`${anyKeyPrefix}(?!\\[removed\\])[\\w-]{4,}`)],
  ['token', /tillbridge_(?!\[removed\])[\w-]{16,}/],
  ['header', /Bearer +(?!\[removed\])[\w.~+/-]{8,}/i],
  ['private_key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
];

/** Shorter ones are found in innocent text. */
const leastSecretLength = 8;

/**
 * Looks for secrets before anything leaves the machine: what has the shape of one, and the very secrets that this till
 * holds.
 */
export function findSecret(parts: readonly BundlePart[], secrets: readonly string[]): FoundSecret | null {
  for (const { name, text } of parts) {
    for (const [what, shape] of shapes) if (shape.test(text)) return { part: name, what };
    const own = secrets.find((secret) => secret.length >= leastSecretLength && text.includes(secret));
    if (own !== undefined) return { part: name, what: 'own' };
  }
  return null;
}

/** The same in a piece of memory, where texts have one byte or two for each letter. */
export function findSecretInDump({ name, bytes }: BundleDump, secrets: readonly string[]): FoundSecret | null {
  const text = Buffer.from(bytes).toString('latin1').replaceAll('\0', '');
  return findSecret([{ name, text }], secrets);
}

/** A text without what looks like a secret or a customer. */
export function redacted(text: string): string {
  return withoutSecrets(text);
}

export function zip(parts: readonly BundlePart[], madeAtMs: number, dumps: readonly BundleDump[] = []): Uint8Array {
  const texts = parts.map(({ name, text }): [string, Uint8Array] => [name, strToU8(text)]);
  const files = dumps.map(({ name, bytes }): [string, Uint8Array] => [name, bytes]);
  return zipSync(Object.fromEntries([...texts, ...files]), { mtime: madeAtMs });
}
