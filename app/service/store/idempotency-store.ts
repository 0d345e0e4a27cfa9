import type { ServiceDatabase } from './open.ts';

/** What an Idempotency-Key was first used for. */
export interface KeyedRequest {
  readonly endpoint: string;
  readonly naturalKey: string;
}

export interface IdempotencyStore {
  find(source: string, idempotencyKey: string): KeyedRequest | null;
  insert(source: string, idempotencyKey: string, request: KeyedRequest): void;
}

export function createIdempotencyStore(database: ServiceDatabase): IdempotencyStore {
  const find = database.prepare<[string, string], KeyedRequest>(
    `SELECT endpoint, natural_key AS naturalKey FROM idempotency_keys WHERE source = ? AND idempotency_key = ?`,
  );
  const insert = database.prepare<[string, string, string, string]>(
    `INSERT INTO idempotency_keys (source, idempotency_key, endpoint, natural_key) VALUES (?, ?, ?, ?)
     ON CONFLICT (source, idempotency_key) DO NOTHING`,
  );
  return {
    find: (source, idempotencyKey) => find.get(source, idempotencyKey) ?? null,
    insert: (source, idempotencyKey, { endpoint, naturalKey }) =>
      void insert.run(source, idempotencyKey, endpoint, naturalKey),
  };
}
