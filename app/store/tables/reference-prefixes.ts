import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { prepareAll } from '../../sql/prepare.ts';
import { lastStatements } from '../statements/last.ts';
import { readMeta, writeMeta } from '../versions/meta.ts';

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
  const kept = readMeta(database, 'reference_prefixes');
  const hasRows = prepareAll(database, lastStatements).last.get() !== null;
  const before = kept === null ? (hasRows ? [''] : []) : keptSchema.parse(JSON.parse(kept));
  const older = before.filter((prefix) => prefix !== current).slice(0, mostKept);
  if (before[0] !== current) writeMeta(database, 'reference_prefixes', JSON.stringify([current, ...older]));
  return { current, older };
}
