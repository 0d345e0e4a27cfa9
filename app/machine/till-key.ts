import type { Mode } from '../../shared/till/modes.ts';
import { tillKeyName } from './kept-secrets.ts';
import { keptKey, readKey, type SecretStore } from './secrets.ts';

const tillKey = { name: tillKeyName, byteCount: 32 };

/**
 * The key that this till proves its own files by: backups, the audit log, the requests of operations. Made at the first start, the same ever
 * after. It stays readable to this user: store IT's commands check by it.
 */
export function keptTillKey(secrets: SecretStore, randomBytes: (length: number) => Uint8Array): Promise<Uint8Array> {
  return keptKey(secrets, tillKey, randomBytes);
}

/** @returns null when this till has none: no agent of this version ever started here, or the secrets were lost */
export function readTillKey(secrets: SecretStore): Promise<Uint8Array | null> {
  return readKey(secrets, tillKey);
}

const sealsBegunName = (mode: Mode) => `seals_begun.${mode}`;

/** Whether the operations of a mode have their seals: outside of their database, where nobody can take it back with them. */
export async function areSealsBegun(secrets: SecretStore, mode: Mode): Promise<boolean> {
  return (await secrets.get(sealsBegunName(mode))) !== null;
}

const peopleVersionName = (mode: Mode) => `people_version.${mode}`;

/**
 * The newest list of a mode's people that this till has written: outside of their database, where nobody can take it back
 * with them.
 *
 * @returns null when no agent that seals people ever ran in that mode
 */
export async function knownPeopleVersion(secrets: SecretStore, mode: Mode): Promise<number | null> {
  const kept = await secrets.get(peopleVersionName(mode));
  return kept !== null && /^\d{1,15}$/.test(kept) ? Number(kept) : null;
}

export function notePeopleVersion(secrets: SecretStore, mode: Mode, version: number): Promise<void> {
  return secrets.set(peopleVersionName(mode), String(version));
}

export function noteSealsBegun(secrets: SecretStore, mode: Mode): Promise<void> {
  return secrets.set(sealsBegunName(mode), 'yes');
}
