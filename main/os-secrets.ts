import type { SecretStore } from '../app/secrets.ts';

/** What Electron's `safeStorage` does: sealed with a key that the operating system keeps for this user. */
export interface Sealer {
  isEncryptionAvailable(): boolean;
  encryptString(text: string): Buffer;
  decryptString(sealed: Buffer): string;
}

const sealedPrefix = 'os:';

/** The API keys alone: the bridge's tokens belong to this machine, and store IT's commands have to read them. */
const isSealed = (name: string) => name.startsWith('api_key.');

/**
 * Keeps API keys in the file of secrets sealed by the operating system, where it can. A key that was kept in the open
 * before is read, and sealed the next time that it is set.
 */
export function osSecretStore(file: SecretStore, sealer: Sealer): SecretStore {
  return {
    async get(name) {
      const kept = await file.get(name);
      if (kept === null || !kept.startsWith(sealedPrefix)) return kept;
      try {
        return sealer.decryptString(Buffer.from(kept.slice(sealedPrefix.length), 'base64'));
      } catch {
        // Sealed on another machine or for another user: it has to be set again, and until then there is none.
        return null;
      }
    },
    async set(name, value) {
      if (!isSealed(name) || !sealer.isEncryptionAvailable()) return file.set(name, value);
      return file.set(name, sealedPrefix + sealer.encryptString(value).toString('base64'));
    },
    remove: (name) => file.remove(name),
  };
}
