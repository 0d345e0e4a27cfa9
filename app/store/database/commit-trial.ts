import type { Database } from 'better-sqlite3';
import { countUpMeta } from '../versions/meta.ts';
import { busyTimeoutMs } from './open.ts';

/**
 * Commits a small change that matters to nobody, without waiting for another program: shows whether anything can be
 * saved now.
 *
 * @throws SqliteError when nothing can be saved
 */
export function commitTrial(database: Database): void {
  database.pragma('busy_timeout = 0');
  try {
    database.prepare('BEGIN IMMEDIATE').run();
    try {
      countUpMeta(database, 'commit_trials');
      database.prepare('COMMIT').run();
    } catch (error) {
      if (database.inTransaction) database.prepare('ROLLBACK').run();
      throw error;
    }
  } finally {
    database.pragma(`busy_timeout = ${busyTimeoutMs}`);
  }
}
