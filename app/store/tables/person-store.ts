import type { Database } from 'better-sqlite3';
import { prepareAll } from '../../sql/prepare.ts';
import type { RowOf } from '../../sql/statement.ts';
import { lastStatements } from '../statements/last.ts';
import { personStatements } from '../statements/person.ts';

/** What an operation holds of its customer. */
export type PersonalRow = RowOf<typeof personStatements.personal>;

/** Reads operations for what they hold of customers, a part at a time: no index leads to a person. */
export class PersonStore {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepareAll(database, { ...personStatements, ...lastStatements });
  }

  /** Of the newest operation; 0 when there is none. */
  get lastRowId(): number {
    return this.#statements.last.get()?.rowId ?? 0;
  }

  /** Those of the rows from `from` up to, and without, `to` that hold anything. */
  rows(part: { readonly from: number; readonly to: number }): readonly PersonalRow[] {
    return this.#statements.personal.all(part);
  }
}
