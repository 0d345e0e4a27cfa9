import { prepareAll } from '../../sql/prepare.ts';
import type { RowOf } from '../../sql/statement.ts';
import type { ServiceDatabase } from './open.ts';
import { keyStatements } from './statements/keys.ts';

/** An API key of a partner. */
export type ApiKey = RowOf<typeof keyStatements.list>;

export interface KeyStore {
  list(): readonly ApiKey[];
  /** Does nothing when the key is there already, revoked or not. */
  insert(key: ApiKey): void;
  revoke(apiKey: string): void;
  /** Writes what a key may do again. */
  change(key: ApiKey): void;
}

export function createKeyStore(database: ServiceDatabase): KeyStore {
  const { list, insert, revoke, change } = prepareAll(database, keyStatements);
  return {
    list: () => list.all(),
    insert: (key) => void insert.run(key),
    revoke: (apiKey) => void revoke.run({ apiKey }),
    change: (key) => void change.run(key),
  };
}
