import type { Database } from 'better-sqlite3';
import { prepareAll } from '../sql/prepare.ts';
import type { RowOf } from '../sql/statement.ts';
import { connect } from './connect.ts';
import { managerStatements, peopleStatements } from './statements/people.ts';
import { hasTable } from './table-columns.ts';

/** Somebody of the shop, without what proves who it is. */
export type Person = RowOf<typeof peopleStatements.byName>;

export interface PinHash {
  readonly salt: Buffer;
  readonly hash: Buffer;
  /** Of scrypt: N. */
  readonly cost: number;
}

export type ManagerRow = RowOf<typeof managerStatements.list>;

/** The managers in a database that another agent may have open. @throws what SQLite says */
export function managersIn(path: string): readonly ManagerRow[] {
  const database = connect(path, { readonly: true, fileMustExist: true });
  try {
    // One that was not opened since people were added to the schema has none.
    return hasTable(database, 'people') ? prepareAll(database, managerStatements).list.all() : [];
  } finally {
    database.close();
  }
}

/** Managers and cashiers in SQLite. Methods that write run inside a transaction of the Writer. */
export class PeopleStore {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepareAll(database, { ...peopleStatements, managers: managerStatements.list });
  }

  addManager(name: string, pin: PinHash, atMs: number): void {
    this.#statements.addManager.run({ name, pinSalt: pin.salt, pinHash: pin.hash, pinCost: pin.cost, madeAtMs: atMs });
  }

  addCashier(name: string, employeeRef: string, badge: Buffer, atMs: number): void {
    this.#statements.addCashier.run({ name, employeeRef, badge, madeAtMs: atMs });
  }

  /** @returns whether there was somebody of that name */
  remove(name: string): boolean {
    return this.#statements.remove.run({ name }) > 0;
  }

  list(): readonly Person[] {
    return this.#statements.list.all();
  }

  byName(name: string): Person | null {
    return this.#statements.byName.get({ name });
  }

  byBadge(badge: Buffer): Person | null {
    return this.#statements.byBadge.get({ badge });
  }

  managers(): readonly ManagerRow[] {
    return this.#statements.managers.all();
  }

  /** Wrong PINs since the last right one. */
  get pinFailures(): number {
    return this.#statements.failures.get()?.count ?? 0;
  }

  setPinFailures(count: number): void {
    this.#statements.setFailures.run({ count });
  }
}
