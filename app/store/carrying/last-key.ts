import type { Database } from 'better-sqlite3';
import { readMeta, writeMeta } from '../versions/meta.ts';

/** The fingerprint of the key under which an agent used the database last; null: under none, or that cannot be read. */
export function lastKeyIn(database: Database): string | null {
  try {
    return readMeta(database, 'last_key');
  } catch {
    return null;
  }
}

/** A database that was used under no key goes on under that of the one whose operations it takes in. */
export function carryLastKey(from: Database, into: Database): void {
  const key = lastKeyIn(from);
  if (key !== null && lastKeyIn(into) === null) writeMeta(into, 'last_key', key);
}
