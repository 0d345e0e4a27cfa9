import { prepareAll } from '../../sql/prepare.ts';
import type { RowOf } from '../../sql/statement.ts';
import type { ServiceDatabase } from './open.ts';
import { idempotencyStatements } from './statements/idempotency.ts';

/** What an Idempotency-Key was first used for. */
type KeyedRequest = RowOf<typeof idempotencyStatements.find>;

export interface IdempotencyStore {
  find(source: string, idempotencyKey: string): KeyedRequest | null;
  /** Does nothing when the key is there already. */
  insert(source: string, idempotencyKey: string, request: KeyedRequest): void;
}

export function createIdempotencyStore(database: ServiceDatabase): IdempotencyStore {
  const { find, insert } = prepareAll(database, idempotencyStatements);
  return {
    find: (source, idempotencyKey) => find.get({ source, idempotencyKey }),
    insert: (source, idempotencyKey, request) => void insert.run({ source, idempotencyKey, ...request }),
  };
}
