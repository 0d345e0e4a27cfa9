import { apiKeyName, drainingKeyName, isSealable, type SecretStore, sealedPrefix } from '../app/machine/secrets.ts';
import { modes } from '../shared/till/modes.ts';

/** The used part of Electron's `safeStorage`. Older versions have only the synchronous calls. */
export interface SafeStorage {
  isEncryptionAvailable(): boolean;
  encryptString(text: string): Buffer;
  decryptString(sealed: Buffer): string;
  isAsyncEncryptionAvailable?(): Promise<boolean>;
  encryptStringAsync?(text: string): Promise<Buffer>;
  decryptStringAsync?(sealed: Buffer): Promise<{ readonly result: string }>;
  /** Only on Linux. */
  getSelectedStorageBackend?(): string;
}

/** Encrypts texts with a key that the operating system keeps for this user. */
interface Sealer {
  /** Why nothing can be encrypted here; null when it can. */
  readonly whyNot: string | null;
  seal(text: string): Promise<Buffer>;
  /** @throws when it was encrypted for another user or on another machine */
  open(sealed: Buffer): Promise<string>;
}

/** @param storage Electron's, once the app is ready */
export async function electronSealer(
  storage: SafeStorage,
  platform: NodeJS.Platform = process.platform,
): Promise<Sealer> {
  return {
    whyNot: await whyNotSealed(storage, platform),
    seal: async (text) => storage.encryptStringAsync?.(text) ?? storage.encryptString(text),
    open: async (sealed) => (await storage.decryptStringAsync?.(sealed))?.result ?? storage.decryptString(sealed),
  };
}

async function whyNotSealed(storage: SafeStorage, platform: NodeJS.Platform): Promise<string | null> {
  // Chromium then encrypts with a password that everybody knows.
  const isByKnownPassword = platform === 'linux' && storage.getSelectedStorageBackend?.() === 'basic_text';
  if (isByKnownPassword) return 'This desktop has no key store (such as GNOME Keyring or KWallet)';
  const isAvailable = await (storage.isAsyncEncryptionAvailable?.() ?? storage.isEncryptionAvailable());
  return isAvailable ? null : 'The key store of this system cannot be used';
}

/**
 * Keeps API keys in the file of secrets, encrypted by the operating system where possible. A key that cannot be
 * decrypted is returned as it is in the file. The reader recognizes it by its prefix.
 */
export function osSecretStore(file: SecretStore, sealer: Sealer): SecretStore {
  const asKept = async (name: string, value: string): Promise<string> =>
    isSealable(name) && sealer.whyNot === null ? sealedPrefix + (await sealer.seal(value)).toString('base64') : value;
  return {
    async get(name) {
      const kept = await file.get(name);
      if (kept === null || !kept.startsWith(sealedPrefix) || !isSealable(name)) return kept;
      try {
        return await sealer.open(Buffer.from(kept.slice(sealedPrefix.length), 'base64'));
      } catch {
        return kept;
      }
    },
    async set(name, value) {
      return file.set(name, await asKept(name, value));
    },
    remove: (name) => file.remove(name),
    async change(changes) {
      const kept = Object.entries(changes).map(
        async ([name, value]) => [name, value === null ? null : await asKept(name, value)] as const,
      );
      return file.change(Object.fromEntries(await Promise.all(kept)));
    },
  };
}

/** Encrypts API keys that are in plain text, because there was no key store then or a command set them. */
export async function sealOpenKeys(file: SecretStore, sealer: Sealer): Promise<void> {
  if (sealer.whyNot !== null) return;
  const store = osSecretStore(file, sealer);
  for (const name of [...modes.map(apiKeyName), drainingKeyName]) {
    const kept = await file.get(name);
    if (kept !== null && !kept.startsWith(sealedPrefix)) await store.set(name, kept);
  }
}
