import type { Database } from 'better-sqlite3';
import { prepareAll } from '../../sql/prepare.ts';
import type { RowOf } from '../../sql/statement.ts';
import { connect } from '../database/connect.ts';
import { metaStatements } from '../statements/meta.ts';
import { peopleReading, peopleStatements } from '../statements/people.ts';
import { readMeta } from '../versions/meta.ts';
import { hasTable } from '../versions/table-columns.ts';
import { KeptCashierPins, type KeptPin } from './cashier-pins.ts';
import {
  emptyRoll,
  type PeopleProof,
  type PeopleReading,
  PeopleSeal,
  type PersonRow,
  type Roll,
  readPeople,
} from './people-roll.ts';

/** Under these names in `meta`. */
export const rollName = 'people_roll';
export const failuresSealName = 'pin_failures_seal';

type KeptPerson = RowOf<typeof peopleReading.all>;

/** Somebody of the shop, without what proves who it is. */
export type Person = Pick<KeptPerson, 'personId' | 'role' | 'name' | 'employeeRef'>;

export interface PinHash {
  readonly salt: Buffer;
  readonly hash: Buffer;
  /** Of scrypt: N. */
  readonly cost: number;
}

/** A cashier who can sign in by name. */
interface CashierPin {
  readonly person: Person;
  readonly pin: PinHash;
}

interface ManagerRow extends PinHash {
  readonly personId: number;
  readonly name: string;
}

/** Who answers with a PIN. */
export interface Managers {
  readonly believed: readonly ManagerRow[];
  /** Whether a PIN is asked for: also where nobody is left who is believed. */
  readonly isAsked: boolean;
}

/** The people in a database that another agent may have open. @throws SqliteError */
export function peopleIn(path: string, proof: PeopleProof | null): PeopleReading<KeptPerson> {
  const database = connect(path, { readonly: true, fileMustExist: true });
  try {
    const seal = proof === null ? null : new PeopleSeal(proof);
    const knownVersion = proof?.knownVersion ?? null;
    // One that was not opened since people were added to the schema has none.
    const rows = hasTable(database, 'people') ? prepareAll(database, peopleReading).all.all() : [];
    const rollText = hasTable(database, 'meta') ? readMeta(database, rollName) : null;
    return readPeople(rows, { seal, rollText, knownVersion });
  } finally {
    database.close();
  }
}

export function managersOf({ believed, asksFor }: PeopleReading<KeptPerson>): Managers {
  return { believed: believed.flatMap(managerRowsOf), isAsked: asksFor('manager') };
}

function managerRowsOf({
  personId,
  name,
  role,
  pinSalt: salt,
  pinHash: hash,
  pinCost: cost,
}: KeptPerson): ManagerRow[] {
  // The table has a CHECK: every manager has a PIN.
  if (role !== 'manager' || salt === null || hash === null || cost === null) return [];
  return [{ personId, name, salt, hash, cost }];
}

/**
 * Managers and cashiers in SQLite, each believed only as this till has added them. Methods that write run inside a
 * transaction of the Writer; `versionSaved` tells when it is on the disk.
 */
export class PeopleStore {
  readonly #statements;
  readonly #meta;
  readonly #seal: PeopleSeal | null;
  readonly #pins: KeptCashierPins;
  /** Null: from before there were rolls. */
  #knownVersion: number | null;

  /** @param proof null: nothing is sealed, and everybody on the list is believed */
  constructor(database: Database, proof: PeopleProof | null) {
    this.#statements = prepareAll(database, { ...peopleReading, ...peopleStatements });
    this.#meta = prepareAll(database, metaStatements);
    this.#seal = proof === null ? null : new PeopleSeal(proof);
    this.#pins = new KeptCashierPins(database, this.#seal);
    this.#knownVersion = proof?.knownVersion ?? null;
  }

  read(): PeopleReading<KeptPerson> {
    return readPeople(this.#statements.all.all(), {
      seal: this.#seal,
      rollText: this.#meta.find.get({ key: rollName })?.value ?? null,
      knownVersion: this.#knownVersion,
    });
  }

  addManager(name: string, pin: PinHash, atMs: number): void {
    const { salt: pinSalt, hash: pinHash, cost: pinCost } = pin;
    this.#add({ role: 'manager', name, employeeRef: null, pinSalt, pinHash, pinCost, badge: null, madeAtMs: atMs });
  }

  addCashier(name: string, employeeRef: string, badge: Buffer, atMs: number): void {
    const noPin = { pinSalt: null, pinHash: null, pinCost: null };
    this.#add({ role: 'cashier', name, employeeRef, badge, madeAtMs: atMs, ...noPin });
  }

  /** The cashiers who are believed and have a PIN, by name. */
  cashierPins(): ReadonlyMap<string, CashierPin> {
    const { believed, roll } = this.read();
    const kept = this.#pins.read(roll.version);
    const found = believed.flatMap((person) => {
      const pin = kept.find(({ name, madeAtMs }) => name === person.name && madeAtMs === person.madeAtMs);
      return person.role === 'cashier' && pin !== undefined ? [[person.name, { person, pin }] as const] : [];
    });
    return new Map(found);
  }

  /** @param pin null: the cashier has none any more @returns whether there is such a cashier */
  setCashierPin(name: string, pin: PinHash | null): boolean {
    const { believed, roll } = this.read();
    const cashier = believed.find((person) => person.name === name && person.role === 'cashier');
    if (cashier === undefined) return false;
    const others = this.#pins.read(roll.version).filter((kept) => kept.name !== name);
    const pins = pin === null ? others : [...others, { ...pin, name, madeAtMs: cashier.madeAtMs }];
    this.#write({ version: roll.version + 1, people: roll.people }, pins);
    this.setCashierFailures(name, 0);
    return true;
  }

  /** Wrong PINs of a cashier since the last right one; null when the counts are not as this till wrote them. */
  cashierFailures(name: string): number | null {
    const { failures } = this.#pins;
    return failures === null ? null : (failures.get(name) ?? 0);
  }

  setCashierFailures(name: string, count: number): void {
    const failures = new Map(this.#pins.failures);
    if (count === 0) failures.delete(name);
    else failures.set(name, count);
    this.#pins.writeFailures(failures);
  }

  /** @returns whether there was somebody of that name, on the list or on the roll */
  remove(name: string): boolean {
    const { roll } = this.read();
    const left = roll.people.filter((entry) => entry.name !== name);
    const isRemoved = this.#statements.remove.run({ name }) > 0;
    if (!isRemoved && left.length === roll.people.length) return false;
    const pins = this.#pins.read(roll.version).filter((kept) => kept.name !== name);
    this.#write({ version: roll.version + 1, people: left }, pins);
    return true;
  }

  /**
   * Once, at the first start with rolls: everybody who is on the list then.
   *
   * @returns their names; none when this till has its roll
   */
  sealFirst(): readonly string[] {
    const seal = this.#seal;
    if (seal === null || this.#knownVersion !== null) return [];
    // A start that was cut off, or the secrets were lost: what is there is not sealed a second time.
    if (this.#meta.find.get({ key: rollName }) !== null) return [];
    const rows = this.#statements.all.all();
    this.#writeFailuresSeal(this.#failureCount);
    if (rows.length > 0) this.#write({ version: 1, people: rows.map((row) => this.#entryOf(seal, row)) }, []);
    return rows.map(({ name }) => name);
  }

  /**
   * The roll's version on the disk, from now on the oldest that is believed.
   *
   * @returns it, where it is to be kept outside of the database; null where that has it
   */
  versionSaved(): number | null {
    const text = this.#meta.find.get({ key: rollName })?.value;
    const roll = this.#seal === null ? null : text === undefined ? emptyRoll : this.#seal.opened(text);
    if (roll === null || (this.#knownVersion !== null && roll.version <= this.#knownVersion)) return null;
    this.#knownVersion = roll.version;
    return roll.version;
  }

  /** Wrong PINs since the last right one; null when the count is not as this till wrote it. */
  get pinFailures(): number | null {
    const count = this.#failureCount;
    const seal = this.#meta.find.get({ key: failuresSealName })?.value ?? null;
    if (this.#seal === null || (seal === null && (this.#knownVersion === null || count === 0))) return count;
    return seal !== null && this.#seal.isOfFailures(count, seal) ? count : null;
  }

  setPinFailures(count: number): void {
    this.#statements.setFailures.run({ count });
    this.#writeFailuresSeal(count);
  }

  get #failureCount(): number {
    return this.#statements.failures.get()?.count ?? 0;
  }

  #writeFailuresSeal(count: number): void {
    if (this.#seal !== null) this.#meta.put.run({ key: failuresSealName, value: this.#seal.ofFailures(count) });
  }

  #add(row: PersonRow): void {
    const { roll } = this.read();
    const { name, employeeRef, pinSalt, pinHash, pinCost, badge, madeAtMs } = row;
    // Somebody who is believed was looked for before.
    this.#statements.removeDoubted.run({ name, badge });
    if (pinSalt !== null && pinHash !== null && pinCost !== null) {
      this.#statements.addManager.run({ name, pinSalt, pinHash, pinCost, madeAtMs });
    }
    if (badge !== null && employeeRef !== null) this.#statements.addCashier.run({ name, employeeRef, badge, madeAtMs });
    if (this.#seal === null) return;
    const others = roll.people.filter((entry) => entry.name !== name);
    const pins = this.#pins.read(roll.version).filter((kept) => kept.name !== name);
    this.#write({ version: roll.version + 1, people: [...others, this.#entryOf(this.#seal, row)] }, pins);
  }

  #entryOf(seal: PeopleSeal, row: PersonRow): Roll['people'][number] {
    return { name: row.name, role: row.role, seal: seal.ofPerson(row) };
  }

  #write(roll: Roll, pins: readonly KeptPin[]): void {
    if (this.#seal !== null) this.#meta.put.run({ key: rollName, value: this.#seal.sealed(roll) });
    // Without a seal there is no roll, and so no version that could grow.
    this.#pins.write(this.#seal === null ? 0 : roll.version, pins);
  }
}
