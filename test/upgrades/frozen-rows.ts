import BetterSqlite3 from 'better-sqlite3';
import type { FrozenSet } from './frozen-set.ts';
import { Home } from './home.ts';

/** A row of a frozen database with the request that it was sent as. */
export interface FrozenRow {
  readonly row_id: number;
  readonly intent: string;
  readonly external_ref: string;
  /** As its own program told it. */
  readonly state: string;
  readonly path: string;
  readonly body: string;
}

export const keyOf = ({ intent, external_ref }: Pick<FrozenRow, 'intent' | 'external_ref'>) =>
  `${intent} ${external_ref}`;

/** Oldest first. */
export function frozenRows({ files, told }: FrozenSet): readonly FrozenRow[] {
  const states = new Map(told.map(({ operation }) => [Number(operation.rowId), String(operation.state)]));
  const home = new Home(files);
  const database = new BetterSqlite3(home.database);
  try {
    return database
      .prepare<[], Omit<FrozenRow, 'state'>>(
        'SELECT row_id, intent, external_ref, path, body FROM operations ORDER BY row_id',
      )
      .all()
      .map((row) => ({ ...row, state: states.get(row.row_id) ?? 'not told' }));
  } finally {
    database.close();
    home.remove();
  }
}
