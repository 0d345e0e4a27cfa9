import BetterSqlite3 from 'better-sqlite3';
import { type Files, Home } from './home.ts';

/** A row of a frozen database with the request that it was sent as. */
export interface FrozenRow {
  readonly row_id: number;
  readonly intent: string;
  readonly external_ref: string;
  readonly state: string;
  readonly path: string;
  readonly body: string;
}

export const keyOf = ({ intent, external_ref }: Pick<FrozenRow, 'intent' | 'external_ref'>) =>
  `${intent} ${external_ref}`;

/** What stands in the frozen database itself, oldest first. */
export function frozenRows(files: Files): readonly FrozenRow[] {
  const home = new Home(files);
  const database = new BetterSqlite3(home.database);
  try {
    return database
      .prepare<[], FrozenRow>('SELECT row_id, intent, external_ref, state, path, body FROM operations ORDER BY row_id')
      .all();
  } finally {
    database.close();
    home.remove();
  }
}
