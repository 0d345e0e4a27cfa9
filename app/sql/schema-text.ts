import BetterSqlite3, { type Database } from 'better-sqlite3';

/**
 * What steps of a schema leave behind, as one text: tables, indexes, views and triggers as they are described in the end,
 * and the rows that the steps have written. Run in an empty database it takes a tenth of the time of the steps, which
 * make tables that later ones make again.
 *
 * @param steps in SQL, in their order
 */
export function schemaTextOf(steps: readonly string[]): string {
  const database = new BetterSqlite3(':memory:');
  try {
    for (const step of steps) database.exec(step);
    // In the order in which they were made, so that each finds what it speaks of.
    const objects = database
      .prepare<[], { type: string; name: string; sql: string }>(
        'SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid',
      )
      .all();
    const tables = objects.filter(({ type }) => type === 'table');
    const rows = tables.flatMap(({ name }) => insertsOf(database, name));
    return [...objects.map(({ sql }) => sql), ...rows, ''].join(';\n');
  } finally {
    database.close();
  }
}

function insertsOf(database: Database, table: string): readonly string[] {
  const columns = database.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
  const names = columns.map((name) => `"${name}"`);
  const values = names.map((name) => `quote(${name})`).join(` || ', ' || `);
  return database
    .prepare<[], string>(`SELECT ${values} FROM "${table}"`)
    .pluck()
    .all()
    .map((row) => `INSERT INTO "${table}" (${names.join(', ')}) VALUES (${row})`);
}
