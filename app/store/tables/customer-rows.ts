import type { Database } from 'better-sqlite3';
import { type Identifier, identifierEntry } from '../../../shared/contract/identifier.ts';
import { prepareAll } from '../../sql/prepare.ts';
import { toOperation } from '../rows/rows.ts';
import type { Operation } from '../schema/operation.ts';
import { customerRowStatements } from '../statements/customer-rows.ts';
import { lastStatements } from '../statements/last.ts';

/** By what a customer's operations are told from others'. */
export interface CustomerNames {
  readonly identifiers: readonly Identifier[];
  readonly cardIds: readonly string[];
}

/** So many of the till's last operations are looked through, in some milliseconds; the customer stands at the till. */
const lookedThrough = 5_000;

/** What this till itself has of a customer. */
export class CustomerRows {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepareAll(database, { ...customerRowStatements, ...lastStatements });
  }

  /** Their earns and redemptions among this till's last operations, newest first. */
  newest(theirs: CustomerNames, limit: number): readonly Operation[] {
    const names = theirs.identifiers.map((identifier) => {
      const { kind, value } = identifierEntry(identifier);
      return `${kind}:${value}`;
    });
    const rows = this.#statements.newest.all({
      afterRowId: (this.#statements.last.get()?.rowId ?? 0) - lookedThrough,
      names: JSON.stringify(names),
      cards: JSON.stringify(theirs.cardIds),
      limit,
    });
    return rows.map((row) => toOperation(row));
  }
}
