import BetterSqlite3, { type Database } from 'better-sqlite3';
import { migrations } from '../migrations/index.ts';
import { migrate, schemaDigest } from './migrate.ts';

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/**
 * Objects in a database's schema that no version of the agent makes, or that it makes otherwise: `trigger more_points`. A
 * foreign trigger could change rows after they were acknowledged. Tables and indexes of a newer version are not foreign.
 */
export function foreignObjects(database: Database): readonly string[] {
  const version = Number(database.pragma('user_version', { simple: true }));
  // Most often the schema is as it was made, which its digest tells at once.
  if (migrations.find((step) => step.version === version)?.digest === schemaDigest(database)) return [];
  const made = new Map(objectsAt(version).map((object) => [object.name, object]));
  const isNewer = version > (migrations.at(-1)?.version ?? 0);
  return objectsIn(database)
    .filter(({ type, name, sql }) => {
      if (isNewer && (type === 'table' || type === 'index')) return false;
      const ours = made.get(name);
      return ours === undefined || ours.type !== type || ours.sql !== sql;
    })
    .map(({ type, name }) => `${type} ${name}`);
}

/** Objects that a database's version makes and its schema lacks: `index operations_queued`. None for a newer version. */
export function missingObjects(database: Database): readonly string[] {
  const version = Number(database.pragma('user_version', { simple: true }));
  const step = migrations.find((migration) => migration.version === version);
  if (step === undefined || step.digest === schemaDigest(database)) return [];
  const there = new Set(objectsIn(database).map(({ name }) => name));
  return objectsAt(version)
    .filter(({ name }) => !there.has(name))
    .map(({ type, name }) => `${type} ${name}`);
}

function objectsAt(version: number): readonly SchemaObject[] {
  const model = new BetterSqlite3(':memory:');
  try {
    migrate(
      model,
      migrations.filter((migration) => migration.version <= version),
    );
    return objectsIn(model);
  } finally {
    model.close();
  }
}

function objectsIn(database: Database): readonly SchemaObject[] {
  return database
    .prepare<[], SchemaObject>('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name')
    .all();
}
