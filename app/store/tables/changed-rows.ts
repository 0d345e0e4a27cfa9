import type { Database } from 'better-sqlite3';
import { prepareAll } from '../../sql/prepare.ts';
import { RowSeal } from '../rows/row-seal.ts';
import { sealStatements } from '../statements/seals.ts';

/**
 * References of operations that wait and are not as this till saved them.
 *
 * @param database which is only read; one of an older schema has no seals, and throws
 * @param key of the till
 */
export function changedRows(database: Database, key: Uint8Array): readonly string[] {
  const seal = new RowSeal(key);
  const { waiting } = prepareAll(database, { waiting: sealStatements.waiting });
  return waiting
    .all()
    .filter((row) => !seal.isOf(row, row.seal))
    .map(({ externalRef }) => externalRef);
}
