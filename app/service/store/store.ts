import { prepareAll } from '../../sql/prepare.ts';
import { type CardStore, createCardStore } from './card-store.ts';
import { type CustomerStore, createCustomerStore } from './customer-store.ts';
import { createEnrollmentStore, type EnrollmentStore } from './enrollment-store.ts';
import { createIdempotencyStore, type IdempotencyStore } from './idempotency-store.ts';
import { createKeyStore, type KeyStore } from './key-store.ts';
import { openServiceDatabase, type ServiceData } from './open.ts';
import { createReservationStore, type ReservationStore } from './reservation-store.ts';
import { createStateStore, type StateStore } from './state-store.ts';
import { clearingStatements } from './statements/clearing.ts';
import { createTransactionStore, type TransactionStore } from './transaction-store.ts';

/** Everything that the service remembers. Every statement is prepared once. */
export interface Store {
  readonly state: StateStore;
  readonly keys: KeyStore;
  readonly customers: CustomerStore;
  readonly cards: CardStore;
  readonly transactions: TransactionStore;
  readonly enrollments: EnrollmentStore;
  readonly reservations: ReservationStore;
  readonly idempotency: IdempotencyStore;
  /**
   * Runs `work` as one transaction: all of it is kept, or (when it throws) nothing. Inside another it joins that, and
   * spoils it when it throws.
   */
  write<T>(work: () => T): T;
  /** Customers and all that hangs on them go; keys and state stay. */
  clear(): void;
  close(): void;
}

/** @throws DataFileError when the file cannot be used */
export function openStore(data: ServiceData): Store {
  const database = openServiceDatabase(data);
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  const clearing = prepareAll(database, clearingStatements);
  let isWriting = false;
  let isSpoiled = false;

  /** What a part wrote before it threw must not be kept, even when the whole goes on without it. */
  function part<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      isSpoiled = true;
      throw error;
    }
  }

  return {
    state: createStateStore(database),
    keys: createKeyStore(database),
    customers: createCustomerStore(database),
    cards: createCardStore(database),
    transactions: createTransactionStore(database),
    enrollments: createEnrollmentStore(database),
    reservations: createReservationStore(database),
    idempotency: createIdempotencyStore(database),
    write<T>(work: () => T): T {
      if (isWriting) return part(work);
      begin.run();
      isWriting = true;
      isSpoiled = false;
      try {
        const result = work();
        if (isSpoiled) throw new Error('A part of this transaction failed, so none of it is kept');
        commit.run();
        return result;
      } catch (error) {
        // SQLite itself has rolled back when the disk was full.
        if (database.inTransaction) rollback.run();
        throw error;
      } finally {
        isWriting = false;
      }
    },
    clear() {
      for (const statement of Object.values(clearing)) statement.run();
    },
    close: () => void database.close(),
  };
}
