/** What proves a page's session: a key that scripts may use and cannot read. */
export interface SessionKey {
  readonly session: string;
  readonly key: CryptoKey;
}

/** Keeps the session of this origin, its port with it. */
export interface SessionKeeper {
  /** Null: this browser has none. */
  read(): Promise<SessionKey | null>;
  /** @param secret in hexadecimal digits */
  keep(session: string, secret: string): Promise<SessionKey>;
}

const storeName = 'session';
const only = 'screen';

/**
 * In the browser's database, not in its plain storage: whoever takes the agent's port later serves pages of this origin,
 * and they find a key there that they cannot take with them. Without a database (a browser in private mode) the session
 * lasts as long as the page.
 */
export function browserSessionKeeper(page: Window & typeof globalThis): SessionKeeper {
  // At once: it takes longer than the first word of the agent.
  const opened = openDatabase(page);
  opened.catch(() => undefined);
  let inMemory: SessionKey | null = null;
  return {
    async read() {
      try {
        const store = (await opened).transaction(storeName).objectStore(storeName);
        const kept: unknown = await outcomeOf(store.get(only));
        return isSessionKey(kept) ? kept : inMemory;
      } catch {
        return inMemory;
      }
    },
    async keep(session, secret) {
      const algorithm = { name: 'HMAC', hash: 'SHA-256' };
      const key = await page.crypto.subtle.importKey('raw', bytesOfHex(secret), algorithm, false, ['sign', 'verify']);
      inMemory = { session, key };
      try {
        const store = (await opened).transaction(storeName, 'readwrite').objectStore(storeName);
        await outcomeOf(store.put(inMemory, only));
      } catch {
        // It lasts as long as the page.
      }
      return inMemory;
    },
  };
}

// Asynchronous from the first: a browser that keeps nothing may refuse the very word.
async function openDatabase({ indexedDB: factory }: Window): Promise<IDBDatabase> {
  const request = factory.open('tillbridge', 1);
  request.onupgradeneeded = () => request.result.createObjectStore(storeName);
  return outcomeOf(request);
}

function outcomeOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser keeps nothing'));
  });
}

function isSessionKey(kept: unknown): kept is SessionKey {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    'session' in kept &&
    typeof kept.session === 'string' &&
    'key' in kept &&
    kept.key instanceof CryptoKey
  );
}

export function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  );
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
