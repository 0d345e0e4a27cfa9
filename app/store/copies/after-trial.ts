import type { Database } from 'better-sqlite3';
import { connect } from '../database/connect.ts';
import { readMeta } from '../versions/meta.ts';
import { refuseTooNew } from '../versions/migrate.ts';
import { StoreError } from '../versions/store-error.ts';

/**
 * Whether this program can go on with a database that a newer one has had open.
 *
 * @throws StoreError, SqliteError for one that is damaged
 */
export function isTooNew(path: string): boolean {
  return look(path, (database) => {
    try {
      refuseTooNew(database);
      return false;
    } catch (error) {
      if (error instanceof StoreError && error.code === 'too_new') return true;
      throw error;
    }
  });
}

/** The number of the newest operation that a database has ever held. It grows with every one that is taken. */
export function newestRowId(path: string): number {
  return look(path, (database) => {
    const row = database.prepare<[], { newest: number | null }>('SELECT max(row_id) AS newest FROM operations').get();
    return Math.max(row?.newest ?? 0, Number(readMeta(database, 'last_deleted_row_id') ?? 0));
  });
}

function look<Answer>(path: string, read: (database: Database) => Answer): Answer {
  const database = connect(path, { readonly: true, fileMustExist: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}
