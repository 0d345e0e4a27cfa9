import { connect } from '../database/connect.ts';
import { readMeta } from '../versions/meta.ts';

/** A fact that a database file tells of itself; null where it tells none, or cannot be read. */
export function factOf(path: string, name: string): string | null {
  try {
    const database = connect(path, { readonly: true, fileMustExist: true });
    try {
      return readMeta(database, name);
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

/** Whose operations a database file holds; null where nobody can tell. */
export function deviceOf(path: string): string | null {
  return factOf(path, 'device_id');
}
