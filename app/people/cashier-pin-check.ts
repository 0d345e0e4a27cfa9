import type { Clock } from '../../shared/lib/clock.ts';
import type { Audit } from '../audit/audit-events.ts';
import type { Writer } from '../store/database/writer.ts';
import type { PeopleStore, Person, PinHash } from '../store/people/people-store.ts';
import { counted } from './counted.ts';
import { isPin, nobodysPin } from './pin-hash.ts';
import { failuresBeforeLock, lockMsAfter } from './pin-lock.ts';

export type CashierPinOutcome =
  | { readonly kind: 'right'; readonly person: Person }
  /** Also where nobody of that name has a PIN. `attemptsLeft`: so many more before the name is locked. */
  | { readonly kind: 'wrong'; readonly attemptsLeft: number }
  | { readonly kind: 'locked'; readonly forMs: number };

interface CheckParts {
  readonly store: Pick<PeopleStore, 'cashierPins' | 'cashierFailures' | 'setCashierFailures'>;
  readonly writer: Pick<Writer, 'urgent'>;
  readonly lockClock: Pick<Clock, 'monotonicMs'>;
  readonly audit?: Audit;
}

/** The tries of one name, as far as this process knows. */
interface Tries {
  readonly failures: number;
  readonly lockedUntilMs: number;
}

/** Names that were made up are counted in memory alone; beyond so many they share one count. */
const mostNames = 200;
const otherNames = '';

/** Looks at a cashier's PIN; wrong ones count for each name. Asked one at a time. */
export class CashierPinCheck {
  readonly #parts: CheckParts;
  readonly #startedAtMs: number;
  readonly #tries = new Map<string, Tries>();

  constructor(parts: CheckParts) {
    this.#parts = parts;
    this.#startedAtMs = parts.lockClock.monotonicMs();
  }

  /** The name has another PIN: what was tried before counts no more. */
  forget(name: string): void {
    this.#tries.delete(name);
  }

  /** @throws PinNotCountedError, SqliteError */
  async check(name: string, pin: string): Promise<CashierPinOutcome> {
    const { store, lockClock, audit } = this.#parts;
    const cashier = store.cashierPins().get(name);
    const key = this.#tries.has(name) || this.#tries.size < mostNames || cashier !== undefined ? name : otherNames;
    const kept = cashier === undefined ? 0 : (store.cashierFailures(name) ?? failuresBeforeLock);
    const { failures: before, lockedUntilMs } = this.#triesOf(key, kept);
    const leftMs = lockedUntilMs - lockClock.monotonicMs();
    if (leftMs > 0) return { kind: 'locked', forMs: leftMs };
    const failures = before + 1;
    // Counted before it is looked at: pulling the plug forgives nothing.
    if (cashier !== undefined) await this.#keep(name, failures);
    this.#tries.set(key, { failures, lockedUntilMs });
    // A name without a PIN takes as long, and says the same.
    const isRight = await isPin(pin, cashier?.pin ?? (nobodysPin satisfies PinHash));
    if (isRight && cashier !== undefined) {
      await this.#keep(name, 0);
      this.#tries.delete(key);
      audit?.note({ event: 'cashier_pin_right', person: name });
      return { kind: 'right', person: cashier.person };
    }
    const lockMs = lockMsAfter(failures);
    this.#tries.set(key, { failures, lockedUntilMs: lockClock.monotonicMs() + lockMs });
    // What was typed for a name could be anything where nobody has that name.
    audit?.note({ event: 'cashier_pin_wrong', person: cashier?.person.name ?? '', locked_ms: lockMs });
    return lockMs === 0
      ? { kind: 'wrong', attemptsLeft: failuresBeforeLock - failures }
      : { kind: 'locked', forMs: lockMs };
  }

  /**
   * The higher of memory and database: within a run nobody forgives them by changing the file.
   *
   * @param kept failures in the database
   */
  #triesOf(key: string, kept: number): Tries {
    const known = this.#tries.get(key);
    if (known === undefined) return { failures: kept, lockedUntilMs: this.#startedAtMs + lockMsAfter(kept) };
    return { failures: Math.max(known.failures, kept), lockedUntilMs: known.lockedUntilMs };
  }

  #keep(name: string, failures: number): Promise<void> {
    const { store, writer } = this.#parts;
    return counted(() => writer.urgent(() => store.setCashierFailures(name, failures)));
  }
}
