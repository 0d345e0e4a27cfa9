/** Proves a page's session by a key that scripts may use but cannot read. */
export interface SessionKey {
  readonly session: string;
  readonly key: CryptoKey;
}

/** Keeps the session of this origin, which includes the port. */
export interface SessionKeeper {
  /** Null: this browser has no session. */
  read(): Promise<SessionKey | null>;
  /** @param secret in hexadecimal digits */
  keep(session: string, secret: string): Promise<SessionKey>;
}

const storeName = 'session';
const only = 'screen';

/**
 * Keeps the key in the browser's database, where scripts cannot read it. Another program that takes the agent's port
 * later serves pages of this origin. It finds the key there, but cannot copy it. Without a database (private mode) the
 * session lasts as long as the page.
 */
export function browserSessionKeeper(page: Window & typeof globalThis): SessionKeeper {
  // The database is opened at once, because that takes longer than the agent's first message.
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
        // Without a database the session lasts as long as the page.
      }
      return inMemory;
    },
  };
}

// The function is asynchronous, because `open` itself may throw in a browser that stores nothing.
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
