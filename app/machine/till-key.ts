import type { Mode } from '../../shared/till/views.ts';
import type { SecretStore } from './secrets.ts';

const tillKeyName = 'till_key';
const tillKeyBytes = 32;

/**
 * The key that this till proves its own files by: backups, the audit log, the requests of operations. Made at the first start, the same ever
 * after. It stays readable to this user: store IT's commands check by it.
 */
export async function keptTillKey(
  secrets: SecretStore,
  randomBytes: (length: number) => Uint8Array,
): Promise<Uint8Array> {
  const kept = await readTillKey(secrets);
  if (kept !== null) return kept;
  const made = randomBytes(tillKeyBytes);
  await secrets.set(tillKeyName, Buffer.from(made).toString('base64url'));
  return made;
}

/** @returns null when this till has none: no agent of this version ever started here, or the secrets were lost */
export async function readTillKey(secrets: SecretStore): Promise<Uint8Array | null> {
  const key = Buffer.from((await secrets.get(tillKeyName)) ?? '', 'base64url');
  return key.length === tillKeyBytes ? key : null;
}

const sealsBegunName = (mode: Mode) => `seals_begun.${mode}`;

/** Whether the operations of a mode have their seals: outside of their database, where nobody can take it back with them. */
export async function areSealsBegun(secrets: SecretStore, mode: Mode): Promise<boolean> {
  return (await secrets.get(sealsBegunName(mode))) !== null;
}

export function noteSealsBegun(secrets: SecretStore, mode: Mode): Promise<void> {
  return secrets.set(sealsBegunName(mode), 'yes');
}
