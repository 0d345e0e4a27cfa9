import type { ServiceDatabase } from './open.ts';

/** An API key of a partner. */
export interface ApiKey {
  readonly apiKey: string;
  /** The partner: what the natural key of a write is scoped by. A rotated key keeps it. */
  readonly source: string;
  readonly expiresAtMs: number | null;
  /** Addresses or networks that may use it; null for any. */
  readonly allowedAddresses: readonly string[] | null;
  readonly revoked: boolean;
}

export interface KeyStore {
  list(): readonly ApiKey[];
  /** Does nothing when the key is there already, revoked or not. */
  insert(key: ApiKey): void;
  revoke(apiKey: string): void;
  /** Writes what a key may do anew. */
  change(key: ApiKey): void;
}

interface KeyRow {
  readonly api_key: string;
  readonly source: string;
  readonly expires_at_ms: number | null;
  readonly allowed_addresses: string | null;
  readonly revoked: number;
}

export function createKeyStore(database: ServiceDatabase): KeyStore {
  const list = database.prepare<[], KeyRow>(
    'SELECT api_key, source, expires_at_ms, allowed_addresses, revoked FROM api_keys ORDER BY api_key',
  );
  const insert = database.prepare<[string, string, number | null, string | null, number]>(
    `INSERT INTO api_keys (api_key, source, expires_at_ms, allowed_addresses, revoked) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (api_key) DO NOTHING`,
  );
  const revoke = database.prepare<[string]>('UPDATE api_keys SET revoked = 1 WHERE api_key = ?');
  const change = database.prepare<[number | null, string | null, number, string]>(
    'UPDATE api_keys SET expires_at_ms = ?, allowed_addresses = ?, revoked = ? WHERE api_key = ?',
  );
  return {
    list: () => list.all().map(toKey),
    insert({ apiKey, source, expiresAtMs, allowedAddresses, revoked }) {
      insert.run(apiKey, source, expiresAtMs, addressesText(allowedAddresses), Number(revoked));
    },
    revoke: (apiKey) => void revoke.run(apiKey),
    change: ({ apiKey, expiresAtMs, allowedAddresses, revoked }) =>
      void change.run(expiresAtMs, addressesText(allowedAddresses), Number(revoked), apiKey),
  };
}

function addressesText(allowedAddresses: ApiKey['allowedAddresses']): string | null {
  return allowedAddresses === null ? null : JSON.stringify(allowedAddresses);
}

function toKey(row: KeyRow): ApiKey {
  return {
    apiKey: row.api_key,
    source: row.source,
    expiresAtMs: row.expires_at_ms,
    allowedAddresses: row.allowed_addresses === null ? null : JSON.parse(row.allowed_addresses),
    revoked: row.revoked === 1,
  };
}
