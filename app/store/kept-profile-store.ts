import { basename } from 'node:path';
import type { Database } from 'better-sqlite3';
import { emptyLog } from './empty-log.ts';

/** A profile as it lies on the disk: readable only with the key. */
export interface SealedProfile {
  /** Keyed hash of the customer's id, 32 bytes. */
  readonly customer: Buffer;
  /** 12 bytes, never used twice with a key. */
  readonly nonce: Buffer;
  readonly sealed: Buffer;
  /** Milliseconds since 1970. */
  readonly seenAtMs: number;
}

/** What became of the order to forget all profiles. */
export interface ErasedProfiles {
  readonly erased: number;
  /** Files of the data folder in which something of them may be left. */
  readonly notReached: readonly string[];
}

/** Kept profiles in SQLite. Methods that write run inside a transaction of the Writer. */
export class KeptProfileStore {
  readonly #database: Database;
  readonly #statements;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = {
      put: database.prepare<[Buffer, Buffer, Buffer, number]>(
        `INSERT INTO kept_profiles (customer, nonce, sealed, seen_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (customer) DO UPDATE SET nonce = excluded.nonce, sealed = excluded.sealed, seen_at = excluded.seen_at`,
      ),
      name: database.prepare<[Buffer, Buffer]>(
        `INSERT INTO kept_profile_names (name, customer) VALUES (?, ?)
         ON CONFLICT (name) DO UPDATE SET customer = excluded.customer`,
      ),
      find: database.prepare<[Buffer], SealedProfile>(
        `SELECT customer, nonce, sealed, seen_at AS seenAtMs FROM kept_profiles
         WHERE customer = (SELECT customer FROM kept_profile_names WHERE name = ?)`,
      ),
      newest: database.prepare<[], SealedProfile>(
        'SELECT customer, nonce, sealed, seen_at AS seenAtMs FROM kept_profiles ORDER BY seen_at DESC LIMIT 1',
      ),
      remove: database.prepare<[Buffer]>('DELETE FROM kept_profiles WHERE customer = ?'),
      outside: database.prepare<[number, number]>('DELETE FROM kept_profiles WHERE seen_at < ? OR seen_at > ?'),
      beyond: database.prepare<[number]>(
        `DELETE FROM kept_profiles WHERE customer IN
           (SELECT customer FROM kept_profiles ORDER BY seen_at DESC LIMIT -1 OFFSET ?)`,
      ),
      all: database.prepare('DELETE FROM kept_profiles'),
    };
  }

  put(profile: SealedProfile, names: readonly Buffer[]): void {
    this.#statements.put.run(profile.customer, profile.nonce, profile.sealed, profile.seenAtMs);
    for (const name of names) this.#statements.name.run(name, profile.customer);
  }

  find(name: Buffer): SealedProfile | null {
    return this.#statements.find.get(name) ?? null;
  }

  /** The customer who was seen last. */
  newest(): SealedProfile | null {
    return this.#statements.newest.get() ?? null;
  }

  remove(customer: Buffer): void {
    this.#statements.remove.run(customer);
  }

  /** Removes what was not seen between two instants, and the ones seen longest ago beyond `most`. */
  trim(seen: { readonly fromMs: number; readonly toMs: number }, most: number): void {
    this.#statements.outside.run(seen.fromMs, seen.toMs);
    this.#statements.beyond.run(most);
  }

  /** Removes all of them. @returns how many there were */
  eraseAll(): number {
    return this.#statements.all.run().changes;
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
