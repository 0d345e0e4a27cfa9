import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { migrations as allMigrations, type Migration } from '../migrations/index.ts';
import { newDatabase } from '../migrations/new-database.ts';
import { readMeta, writeMeta } from './meta.ts';
import { StoreError } from './store-error.ts';

/** Marks the file as Tillbridge's (`TILL` in ASCII), so that no other program's database is taken for ours. */
export const applicationId = 0x54494c4c;

/** A step that is applied to a database. Its digest is only compared later. */
export type MigrationStep = Omit<Migration, 'digest'>;

/** Gives an empty database the newest schema, in one transaction: what all steps would leave, one after another. */
export function describeNew(database: Database): void {
  const newest = allMigrations.at(-1);
  if (newest === undefined) return;
  applyStep(database, { ...newest, sql: newDatabase.sql });
  database.pragma('foreign_keys = ON');
}

/**
 * Brings the schema up to date, each step in its own transaction with foreign keys off outside of it and checked
 * before the commit. A newer database opens when its newest step allows this version to.
 */
export function migrate(database: Database, migrations: readonly MigrationStep[] = allMigrations): void {
  const newestKnown = migrations.at(-1)?.version ?? 0;
  const found = Number(database.pragma('user_version', { simple: true }));
  if (found > newestKnown) {
    refuseTooNew(database, newestKnown);
    return;
  }
  database.pragma('foreign_keys = OFF');
  for (const migration of migrations.filter(({ version }) => version > found)) applyStep(database, migration);
  database.pragma('foreign_keys = ON');
}

/** Why this version would misread a database; null when it would not. */
export function tooNewIn(
  database: Database,
  newestKnown = allMigrations.at(-1)?.version ?? 0,
): { readonly found: number; readonly oldestReader: number; readonly newestKnown: number } | null {
  const found = Number(database.pragma('user_version', { simple: true }));
  if (found <= newestKnown) return null;
  const oldestReader = readOldestReader(database);
  return oldestReader > newestKnown ? { found, oldestReader, newestKnown } : null;
}

/** @throws StoreError for a database that this version would misread */
export function refuseTooNew(database: Database, newestKnown = allMigrations.at(-1)?.version ?? 0): void {
  const tooNew = tooNewIn(database, newestKnown);
  if (tooNew !== null) {
    throw new StoreError(
      'too_new',
      `The database has schema ${tooNew.found} and allows programs from schema ${tooNew.oldestReader} on; this one knows ${newestKnown}. Install the newer version again: nothing was changed. What else can be done stands in docs/recovery.md, "Going back to an older version".`,
    );
  }
}

function applyStep(database: Database, migration: MigrationStep): void {
  database.transaction(() => {
    database.pragma(`application_id = ${applicationId}`);
    database.exec(migration.sql);
    writeMeta(database, 'oldest_reader', String(migration.oldestReader));
    // Noted beside the number in the file's header, which can be damaged without a trace.
    writeMeta(database, 'schema_version', String(migration.version));
    writeMeta(database, 'schema_digest', schemaDigest(database));
    const broken = database.pragma('foreign_key_check');
    if (Array.isArray(broken) && broken.length > 0) {
      throw new StoreError('damaged', `Schema step ${migration.version} would break ${broken.length} references.`);
    }
    database.pragma(`user_version = ${migration.version}`);
  })();
}

/** A digest of the texts of tables, indexes and triggers, which shows whether they have changed: SQLite keeps no checksum. */
export function schemaDigest(database: Database): string {
  const texts = database
    .prepare<[], { text: string }>(
      `SELECT type || ' ' || name || ' ' || sql AS text FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name`,
    )
    .all();
  return createHash('sha256')
    .update(texts.map(({ text }) => text).join('\n'))
    .digest('hex');
}

function readOldestReader(database: Database): number {
  const noted = readMeta(database, 'oldest_reader');
  return noted === null ? Number.POSITIVE_INFINITY : Number(noted);
}
