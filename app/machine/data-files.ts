import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Mode } from '../../shared/till/modes.ts';

/** The operations of one mode: production and sandbox never share a database. */
export function databasePath(dataDir: string, mode: Mode): string {
  return join(dataDir, `${mode}.sqlite`);
}

/** What the built-in sandbox keeps: customers, cards and transactions for practice. */
export function sandboxBooksPath(dataDir: string): string {
  return join(dataDir, 'sandbox-service.sqlite');
}

export function hasDatabase(dataDir: string, mode: Mode): boolean {
  return existsSync(databasePath(dataDir, mode));
}
