import type { Database } from 'better-sqlite3';
import { forgetLog } from './open-marker.ts';

/**
 * Brings the whole write-ahead log into the database and cuts it to nothing; outside of any transaction. Nobody is
 * waited for: a sale may come.
 *
 * @returns false while another program reads the database: the log is as it was
 */
export function emptyLog(database: Database): boolean {
  const busyTimeoutMs = Number(database.pragma('busy_timeout', { simple: true }));
  database.pragma('busy_timeout = 0');
  // Before it is empty: a kill between the two must not look like a log that was lost.
  forgetLog(database.name);
  try {
    return database.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0;
  } finally {
    database.pragma(`busy_timeout = ${busyTimeoutMs}`);
  }
}
