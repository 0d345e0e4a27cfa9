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
      Object.entries(statements).map(([name, statement]) => ({
        ...statement,
        name: `${file.replace(/\.ts$/, '')}.${name}`,
      })),
    );
  });
  return (await Promise.all(modules)).flat();
}

/** SQLite's plan, one line a step. */
export function planOf(database: Database, { text, binds }: Pick<NamedStatement, 'text' | 'binds'>): string {
  const steps = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`);
  return steps
    .all(...binds.map(() => null))
    .map(({ detail }) => detail)
    .join('\n');
}

/** The names of those that look through a whole table or index. */
export function scanning(database: Database, statements: readonly NamedStatement[]): readonly string[] {
  return statements.filter((statement) => /\bSCAN (?!CONSTANT)/.test(planOf(database, statement))).map(nameOf);
}

/** The names of those that sort what they have found. */
export function sorting(database: Database, statements: readonly NamedStatement[]): readonly string[] {
  return statements.filter((statement) => planOf(database, statement).includes('TEMP B-TREE')).map(nameOf);
}

/** The partial indexes that no statement's plan names. */
export function unusedPartialIndexes(database: Database, statements: readonly NamedStatement[]): readonly string[] {
  const plans = statements.map((statement) => planOf(database, statement));
  return database
    .prepare<[], { name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '% WHERE %'`)
    .all()
    .map(nameOf)
    .filter((name) => !plans.some((plan) => new RegExp(`INDEX ${name}\\b`).test(plan)));
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
