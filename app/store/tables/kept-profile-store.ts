import { basename } from 'node:path';
import type { Database } from 'better-sqlite3';
import { prepareAll } from '../../sql/prepare.ts';
import type { RowOf } from '../../sql/statement.ts';
import { emptyLog } from '../files/empty-log.ts';
import { keptProfileErasure, keptProfileStatements } from '../statements/kept-profiles.ts';

/** A profile as it lies on the disk: readable only with the key. */
export type SealedProfile = RowOf<typeof keptProfileStatements.newest>;

export type NewSealedProfile = Omit<SealedProfile, 'history'>;

/** What became of the order to forget all profiles. */
export interface ErasedProfiles {
  readonly erased: number;
  /** Files of the data folder in which something of them may be left. */
  readonly notReached: readonly string[];
}

/** Saved customers in SQLite. Methods that write run inside a transaction of the Writer. */
export class KeptProfileStore {
  readonly #database: Database;
  readonly #statements;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepareAll(database, { ...keptProfileStatements, eraseAll: keptProfileErasure.profiles });
  }

  /** What is kept beside it stays. */
  put(profile: NewSealedProfile, names: readonly Buffer[]): void {
    this.#statements.put.run(profile);
    for (const name of names) this.#statements.name.run({ name, customer: profile.customer });
  }

  /** Beside the profile of the same customer, where there is one. */
  putHistory(customer: Buffer, history: Buffer): void {
    this.#statements.history.run({ customer, history });
  }

  find(name: Buffer): SealedProfile | null {
    return this.#statements.find.get({ name });
  }

  /** The customer who was seen last. */
  newest(): SealedProfile | null {
    return this.#statements.newest.get();
  }

  all(): readonly SealedProfile[] {
    return this.#statements.all.all();
  }

  remove(customer: Buffer): void {
    this.#statements.remove.run({ customer });
  }

  /** The customer stays, under their other names. */
  removeName(name: Buffer): void {
    this.#statements.removeName.run({ name });
  }

  /** Removes what was not seen between two instants, and the ones seen longest ago beyond `most`. */
  trim(seen: { readonly fromMs: number; readonly toMs: number }, most: number): void {
    this.#statements.outside.run(seen);
    this.#statements.beyond.run({ most });
  }

  /** Removes all of them. @returns how many there were */
  eraseAll(): number {
    return this.#statements.eraseAll.run();
  }

  /**
   * Outside of any transaction: after it neither the file nor its log holds what was deleted.
   *
   * @returns false while another program reads the database: the log is as it was
   */
  wipe(): boolean {
    return emptyLog(this.#database);
  }

  /** Name of the log, which holds what was deleted until it is wiped. */
  get logName(): string {
    return `${basename(this.#database.name)}-wal`;
  }
}
