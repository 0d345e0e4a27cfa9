import type { Database } from 'better-sqlite3';
import { z } from 'zod';

/** What stands before references by the setting `reference_prefix`; empty without one. */
export interface ReferencePrefixes {
  readonly current: string;
  /** Under which operations of this database were saved before; the newest first. */
  readonly older: readonly string[];
}

const keptSchema = z.array(z.string());
/** More changes than anybody makes; each costs a look for each request. */
const mostKept = 4;

/** Notes the prefix of this run beside those of the runs before. A database that is older than the setting had none. */
export function useReferencePrefix(database: Database, current: string): ReferencePrefixes {
  const row = database.prepare<[], { value: string }>(`SELECT value FROM meta WHERE key = 'reference_prefixes'`).get();
  const hasRows = database.prepare('SELECT 1 FROM operations LIMIT 1').get() !== undefined;
  const before = row === undefined ? (hasRows ? [''] : []) : keptSchema.parse(JSON.parse(row.value));
  const older = before.filter((prefix) => prefix !== current).slice(0, mostKept);
  if (before[0] !== current) {
    database
      .prepare(
        `INSERT INTO meta (key, value) VALUES ('reference_prefixes', ?)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      )
      .run(JSON.stringify([current, ...older]));
  }
  return { current, older };
}
