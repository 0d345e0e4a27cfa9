import BetterSqlite3, { type Database } from 'better-sqlite3';

export type Role = 'manager' | 'cashier';

/** Somebody of the shop, without what proves who it is. */
export interface Person {
  readonly personId: number;
  readonly role: Role;
  readonly name: string;
  readonly employeeRef: string | null;
}

export interface PinHash {
  readonly salt: Buffer;
  readonly hash: Buffer;
  /** Of scrypt: N. */
  readonly cost: number;
}

export interface ManagerRow extends PinHash {
  readonly personId: number;
  readonly name: string;
}

const selectManagers = `SELECT person_id AS personId, name, pin_salt AS salt, pin_hash AS hash, pin_cost AS cost
  FROM people WHERE role = 'manager' ORDER BY person_id`;

/** The managers in a database that another agent may have open. @throws what SQLite says */
export function managersIn(path: string): readonly ManagerRow[] {
  const database = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
  try {
    // One that was not opened since people were added to the schema has none.
    const hasPeople = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'people'`).get() !== undefined;
    return hasPeople ? database.prepare<[], ManagerRow>(selectManagers).all() : [];
  } finally {
    database.close();
  }
}

/** Managers and cashiers in SQLite. Methods that write run inside a transaction of the Writer. */
export class PeopleStore {
  readonly #statements;

  constructor(database: Database) {
    const person = 'person_id AS personId, role, name, employee_ref AS employeeRef';
    this.#statements = {
      addManager: database.prepare<[string, Buffer, Buffer, number, number]>(
        `INSERT INTO people (role, name, pin_salt, pin_hash, pin_cost, made_at) VALUES ('manager', ?, ?, ?, ?, ?)`,
      ),
      addCashier: database.prepare<[string, string, Buffer, number]>(
        `INSERT INTO people (role, name, employee_ref, badge, made_at) VALUES ('cashier', ?, ?, ?, ?)`,
      ),
      remove: database.prepare<[string]>('DELETE FROM people WHERE name = ?'),
      list: database.prepare<[], Person>(`SELECT ${person} FROM people ORDER BY role DESC, name`),
      byName: database.prepare<[string], Person>(`SELECT ${person} FROM people WHERE name = ?`),
      byBadge: database.prepare<[Buffer], Person>(`SELECT ${person} FROM people WHERE badge = ?`),
      managers: database.prepare<[], ManagerRow>(selectManagers),
      failures: database.prepare<[], { count: number }>('SELECT count FROM pin_failures WHERE one = 1'),
      setFailures: database.prepare<[number]>('UPDATE pin_failures SET count = ? WHERE one = 1'),
    };
  }

  addManager(name: string, pin: PinHash, atMs: number): void {
    this.#statements.addManager.run(name, pin.salt, pin.hash, pin.cost, atMs);
  }

  addCashier(name: string, employeeRef: string, badge: Buffer, atMs: number): void {
    this.#statements.addCashier.run(name, employeeRef, badge, atMs);
  }

  /** @returns whether there was somebody of that name */
  remove(name: string): boolean {
    return this.#statements.remove.run(name).changes > 0;
  }

  list(): readonly Person[] {
    return this.#statements.list.all();
  }

  byName(name: string): Person | null {
    return this.#statements.byName.get(name) ?? null;
  }

  byBadge(badge: Buffer): Person | null {
    return this.#statements.byBadge.get(badge) ?? null;
  }

  managers(): readonly ManagerRow[] {
    return this.#statements.managers.all();
  }

  /** Wrong PINs since the last right one. */
  get pinFailures(): number {
    return this.#statements.failures.get()?.count ?? 0;
  }

  setPinFailures(count: number): void {
    this.#statements.setFailures.run(count);
  }
}
