import type { Database } from 'better-sqlite3';
import { prepareAll } from '../../sql/prepare.ts';
import { metaStatements } from '../statements/meta.ts';

/** A fact about the database itself; null when it was never noted. */
export function readMeta(database: Database, key: string): string | null {
  return prepareAll(database, { find: metaStatements.find }).find.get({ key })?.value ?? null;
}

export function writeMeta(database: Database, key: string, value: string): void {
  prepareAll(database, { put: metaStatements.put }).put.run({ key, value });
}

/** Adds one to a number that is kept; it begins with 1. */
export function countUpMeta(database: Database, key: string): void {
  prepareAll(database, { countUp: metaStatements.countUp }).countUp.run({ key });
}

export function removeMeta(database: Database, key: string): void {
  prepareAll(database, { remove: metaStatements.remove }).remove.run({ key });
}
