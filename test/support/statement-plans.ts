import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Database } from 'better-sqlite3';
import type { ReadStatement, WriteStatement } from '../../app/sql/statement.ts';

export type NamedStatement = (ReadStatement<never, object> | WriteStatement<never>) & { readonly name: string };

/** Every statement that the modules of a folder export, as `module.name`. */
export async function statementsIn(folder: string): Promise<readonly NamedStatement[]> {
  const modules = readdirSync(folder).map(async (file) => {
    const exported: Record<string, Record<string, NamedStatement>> = await import(
      pathToFileURL(join(folder, file)).href
    );
    return Object.values(exported).flatMap((statements) =>
      Object.entries(statements)
        // Beside them may stand what else is known of their columns.
        .filter(([, statement]) => 'text' in statement)
        .map(([name, statement]) => ({ ...statement, name: `${file.replace(/\.ts$/, '')}.${name}` })),
    );
  });
  // In an order that is the same wherever they are loaded.
  return (await Promise.all(modules)).flat().sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** SQLite's plan, one line a step. */
export function planOf(database: Database, { text, binds }: Pick<NamedStatement, 'text' | 'binds'>): string {
  const steps = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`);
  return steps
    .all(...binds.map(() => null))
    .map(({ detail }) => detail)
    .join('\n');
}

/** The names of those that look through a whole table or index; a partial index has only the rows that are wanted. */
export function scanning(database: Database, statements: readonly NamedStatement[]): readonly string[] {
  const partial = partialIndexes(database).join('|') || 'none';
  const scan = new RegExp(`\\bSCAN (?!CONSTANT|json_each|\\w+ USING (COVERING )?INDEX (${partial})\\b)`);
  return statements.filter((statement) => scan.test(withoutViews(planOf(database, statement)))).map(nameOf);
}

/** Without the reading of what a view has found: how it finds that stands in its own steps. */
function withoutViews(plan: string): string {
  const steps = plan.split('\n');
  return steps
    .filter((step) => !steps.includes(step.replace(/^SCAN /, 'CO-ROUTINE ')) || !step.startsWith('SCAN '))
    .join('\n');
}

/** The names of those that sort what they have found. */
export function sorting(database: Database, statements: readonly NamedStatement[]): readonly string[] {
  return statements.filter((statement) => planOf(database, statement).includes('TEMP B-TREE')).map(nameOf);
}

/** The names of those that write rows and keep a list or a table of their own meanwhile, as for an `IN` of three and more. */
export function keepingLists(database: Database, statements: readonly NamedStatement[]): readonly string[] {
  const keepsOne = ({ text, binds }: NamedStatement) =>
    database
      .prepare<unknown[], { opcode: string }>(`EXPLAIN ${text}`)
      .all(...binds.map(() => null))
      .some(({ opcode }) => opcode === 'OpenEphemeral');
  return statements.filter((statement) => statement.kind === 'write' && keepsOne(statement)).map(nameOf);
}

/** The partial indexes that no statement's plan names. */
export function unusedPartialIndexes(database: Database, statements: readonly NamedStatement[]): readonly string[] {
  const plans = statements.map((statement) => planOf(database, statement));
  return partialIndexes(database).filter((name) => !plans.some((plan) => new RegExp(`INDEX ${name}\\b`).test(plan)));
}

function partialIndexes(database: Database): readonly string[] {
  return database
    .prepare<[], { name: string; sql: string }>(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`,
    )
    .all()
    .filter(({ sql }) => /\bWHERE\b/.test(sql))
    .map(nameOf);
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
