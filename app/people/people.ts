import { holdsPaymentCard, paymentCardProblem } from '../../shared/contract/payment-card.ts';
import { text } from '../../shared/contract/primitives.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { oneByOne } from '../../shared/lib/one-by-one.ts';
import { isOneDigitRepeated, maxBadgeLength, maxNameLength, pinShape } from '../../shared/till/limits.ts';
import type { Audit, AuditEvent } from '../audit/audit-events.ts';
import type { Writer } from '../store/database/writer.ts';
import { areDoubted, noDoubts, type PeopleDoubts } from '../store/people/people-roll.ts';
import { type Managers, managersOf, type PeopleStore, type Person } from '../store/people/people-store.ts';
import { BadgeBrake } from './badge-brake.ts';
import { CashierPinCheck, type CashierPinOutcome } from './cashier-pin-check.ts';
import { counted } from './counted.ts';
import { hashPin, isPin } from './pin-hash.ts';
import { failuresBeforeLock, lockMsAfter } from './pin-lock.ts';
import { ScannedCodes } from './scanned-codes.ts';

const mostRefLength = 255;

export type PinOutcome =
  | { readonly kind: 'right'; readonly name: string }
  /** `attemptsLeft`: so many more before it is locked. */
  | { readonly kind: 'wrong'; readonly attemptsLeft: number }
  | { readonly kind: 'locked'; readonly forMs: number }
  /** Nobody has a PIN on this till: there is nothing to ask for. */
  | { readonly kind: 'no_managers' }
  /** There are some, and none is believed: the list was changed outside of Tillbridge. */
  | { readonly kind: 'nobody_believed' };

type BadgeOutcome =
  | { readonly kind: 'known'; readonly person: Person }
  | { readonly kind: 'unknown' }
  /** Too many unknown ones in a row: none is looked at until then. */
  | { readonly kind: 'locked'; readonly forMs: number };

export type AddOutcome =
  | { readonly kind: 'added'; readonly person: Person }
  | {
      readonly kind: 'invalid';
      readonly field: 'name' | 'pin' | 'badge' | 'employee_ref';
      readonly problem: string;
    };

interface NewCashier {
  readonly name: string;
  readonly employeeRef: string;
  readonly badge: string;
}

interface PeopleOptions {
  readonly store: PeopleStore;
  readonly writer: Writer;
  readonly clock: Clock;
  /** Never a test clock: whoever moves that one would open the lock. */
  readonly lockClock: Pick<Clock, 'monotonicMs'>;
  readonly randomBytes: (length: number) => Uint8Array;
  /** A keyed hash: whoever has the database alone cannot try badge numbers. */
  readonly badgeHash: (badge: string) => Buffer;
  /** Who answers for what both modes have in common (till-managers.ts); without it, the managers here. */
  readonly tillManagers?: () => Managers;
  /** Told of PINs, badges and who is added or removed. */
  readonly audit?: Audit;
  /** Told when somebody was added or removed. */
  readonly onChanged?: () => void;
  /** Told the version of the list once it is on the disk, to be kept outside of the database. */
  readonly onVersion?: (version: number) => void;
}

/** What the doors ask of it. */
export type PeopleCommands = Pick<People, keyof People>;

/** Managers, who decide with a PIN, and cashiers, whose reference stands on what they take. */
export class People {
  readonly #options: PeopleOptions;
  /** Monotonic: no change of the wall clock opens it sooner. A restart begins the wait again. */
  #lockedUntilMs: number;
  /** Wrong PINs since the last right one, in this process. If the database has fewer, somebody changed it. */
  #failures = 0;
  /** Two at the same moment would each find the name, the PIN or the badge free, or somebody gone who was just added. */
  readonly #oneByOne = oneByOne();
  /** The audit log has an entry of these. */
  #doubtsTold = JSON.stringify(noDoubts);
  readonly #cashierPins: CashierPinCheck;
  readonly #badgeBrake: BadgeBrake;
  readonly #scannedCodes: ScannedCodes;

  constructor(options: PeopleOptions) {
    this.#options = options;
    this.#cashierPins = new CashierPinCheck(options);
    this.#badgeBrake = new BadgeBrake(options.lockClock);
    this.#scannedCodes = new ScannedCodes(options.lockClock);
    this.#lockedUntilMs = options.lockClock.monotonicMs() + lockMsAfter(this.#failureCount);
  }

  /** Those who are believed. */
  list(): readonly Person[] {
    return this.#options.store.read().believed;
  }

  /** Who is on the list, or was, and not by this till. The audit log is told of each such finding once. */
  doubts(): PeopleDoubts {
    const { doubts } = this.#options.store.read();
    const now = JSON.stringify(doubts);
    if (areDoubted(doubts) && now !== this.#doubtsTold) {
      const { changed, missing, isRollWhole } = doubts;
      this.#note({ event: 'people_changed', changed, missing, is_list_whole: isRollWhole });
    }
    this.#doubtsTold = now;
    return doubts;
  }

  /** Whether somebody who was listed before still is: under the same name, as the same one. */
  isListed({ name, role, employeeRef }: Person): boolean {
    const now = this.#byName(name);
    return now !== undefined && now.role === role && now.employeeRef === employeeRef;
  }

  get hasManagers(): boolean {
    return this.#options.store.read().asksFor('manager');
  }

  get hasCashiers(): boolean {
    return this.#options.store.read().asksFor('cashier');
  }

  /** Looks up a badge. Unknown ones lock by their own count, with the waits of PINs. */
  checkBadge(badge: string): BadgeOutcome {
    const { leftMs } = this.#badgeBrake;
    if (leftMs > 0) return { kind: 'locked', forMs: leftMs };
    const person = this.#cashierByBadge(badge);
    if (person !== null) {
      this.#badgeBrake.known();
      this.#note({ event: 'badge_right', person: person.name });
      return { kind: 'known', person };
    }
    const lockMs = this.#badgeBrake.unknown();
    this.#note({ event: 'badge_wrong', locked_ms: lockMs });
    return lockMs === 0 ? { kind: 'unknown' } : { kind: 'locked', forMs: lockMs };
  }

  /**
   * Whose badge a code is that was scanned for whatever it is: an unknown one is most likely a customer's card, and locks
   * nothing. Null: nobody's, or no badge is looked at now.
   */
  badgeAmong(code: string): Person | null {
    if (this.#badgeBrake.leftMs > 0 || !this.#scannedCodes.mayLook()) return null;
    const person = this.#cashierByBadge(code);
    if (person === null) this.#scannedCodes.unknown();
    else this.#note({ event: 'badge_right', person: person.name });
    return person;
  }

  /** Whether a cashier can sign in by name. */
  hasPin(name: string): boolean {
    return this.#options.store.cashierPins().has(name);
  }

  /** One at a time, as the managers'; wrong ones count for each name. @throws PinNotCountedError, SqliteError */
  checkCashierPin(name: string, pin: string): Promise<CashierPinOutcome> {
    return this.#oneByOne(() => this.#cashierPins.check(name, pin));
  }

  /**
   * @param pin null: takes it away
   * @param by who sets it: see AuditEvent
   * @throws ManagersUnreadError, StoreError, SqliteError
   */
  setCashierPin(name: string, pin: string | null, by: string | null = null): Promise<AddOutcome> {
    return this.#oneByOne(() => this.#setCashierPin(name, pin, by));
  }

  /** One at a time: guesses sent together count one by one. @throws PinNotCountedError, SqliteError */
  checkPin(pin: string): Promise<PinOutcome> {
    return this.#oneByOne(() => this.#check(pin, this.#managers()));
  }

  /** Whether anybody answers for the till itself. @throws ManagersUnreadError, SqliteError */
  get hasTillManagers(): boolean {
    return this.#tillManagers().isAsked;
  }

  /** As checkPin, of those who answer for the till itself; wrong ones count together. @throws ManagersUnreadError, too */
  checkTillPin(pin: string): Promise<PinOutcome> {
    return this.#oneByOne(() => this.#check(pin, this.#tillManagers()));
  }

  /** @param by who adds: see AuditEvent @throws StoreError, SqliteError */
  addManager(name: string, pin: string, by: string | null = null): Promise<AddOutcome> {
    return this.#oneByOne(() => this.#addManager(name, pin, by));
  }

  /** @param by who adds: see AuditEvent @throws StoreError, SqliteError */
  addCashier(cashier: NewCashier, by: string | null = null): Promise<AddOutcome> {
    return this.#oneByOne(() => this.#addCashier(cashier, by));
  }

  async #addManager(name: string, pin: string, by: string | null): Promise<AddOutcome> {
    const problem = this.#nameProblem(name);
    if (problem !== null) return { kind: 'invalid', field: 'name', problem };
    const pinProblem = pinShapeProblem(pin);
    if (pinProblem !== null) return { kind: 'invalid', field: 'pin', problem: pinProblem };
    const { store, writer, clock, randomBytes } = this.#options;
    // The PIN alone tells who decides: no other manager has it, and no cashier.
    const cashiers = [...store.cashierPins().values()].map((cashier) => cashier.pin);
    for (const taken of [...this.#managers().believed, ...cashiers]) {
      if (await isPin(pin, taken)) return { kind: 'invalid', field: 'pin', problem: takenPin };
    }
    const hash = await hashPin(pin, randomBytes);
    await writer.urgent(() => store.addManager(name, hash, clock.now()));
    return this.#added(name, by);
  }

  async #addCashier({ name, employeeRef, badge }: NewCashier, by: string | null): Promise<AddOutcome> {
    const problem = this.#nameProblem(name);
    if (problem !== null) return { kind: 'invalid', field: 'name', problem };
    const refProblem = textProblem(employeeRef, mostRefLength) ?? cardProblem(employeeRef);
    if (refProblem !== null) return { kind: 'invalid', field: 'employee_ref', problem: refProblem };
    const badgeProblem = textProblem(badge, maxBadgeLength);
    if (badgeProblem !== null) return { kind: 'invalid', field: 'badge', problem: badgeProblem };
    const other = this.#cashierByBadge(badge);
    if (other !== null) return { kind: 'invalid', field: 'badge', problem: `is ${other.name}'s` };
    const { store, writer, clock, badgeHash } = this.#options;
    await writer.urgent(() => store.addCashier(name, employeeRef, badgeHash(badge), clock.now()));
    return this.#added(name, by);
  }

  async #setCashierPin(name: string, pin: string | null, by: string | null): Promise<AddOutcome> {
    const cashier = this.#byName(name);
    if (cashier?.role !== 'cashier') return { kind: 'invalid', field: 'name', problem: 'no cashier has this name' };
    const pinProblem = pin === null ? null : pinShapeProblem(pin);
    if (pinProblem !== null) return { kind: 'invalid', field: 'pin', problem: pinProblem };
    const { store, writer, randomBytes, onChanged } = this.#options;
    if (pin !== null) {
      for (const manager of [...this.#managers().believed, ...this.#tillManagers().believed]) {
        if (await isPin(pin, manager)) return { kind: 'invalid', field: 'pin', problem: takenPin };
      }
    }
    const hash = pin === null ? null : await hashPin(pin, randomBytes);
    await writer.urgent(() => store.setCashierPin(name, hash));
    this.#cashierPins.forget(name);
    this.#versionSaved();
    this.#note({ event: pin === null ? 'cashier_pin_removed' : 'cashier_pin_set', person: name, by });
    onChanged?.();
    return { kind: 'added', person: cashier };
  }

  /** @param by who removes @returns whether there was somebody of that name @throws StoreError, SqliteError */
  remove(name: string, by: string | null = null): Promise<boolean> {
    return this.#oneByOne(() => this.#remove(name, by));
  }

  async #remove(name: string, by: string | null): Promise<boolean> {
    const { store, writer, onChanged } = this.#options;
    const removed = await writer.urgent(() => store.remove(name));
    if (removed) this.#versionSaved();
    if (removed) this.#note({ event: 'person_removed', person: name, by });
    if (removed) onChanged?.();
    return removed;
  }

  #cashierByBadge(badge: string): Person | null {
    const hash = this.#options.badgeHash(badge);
    return this.#options.store.read().believed.find((person) => person.badge?.equals(hash) === true) ?? null;
  }

  #byName(name: string): Person | undefined {
    return this.list().find((person) => person.name === name);
  }

  #managers(): Managers {
    return managersOf(this.#options.store.read());
  }

  #tillManagers(): Managers {
    return (this.#options.tillManagers ?? (() => this.#managers()))();
  }

  /** A count that somebody has changed in the database is as good as one that locks. */
  get #failureCount(): number {
    return Math.max(this.#failures, this.#options.store.pinFailures ?? failuresBeforeLock);
  }

  async #countFailures(count: number): Promise<void> {
    const { store, writer } = this.#options;
    await counted(() => writer.urgent(() => store.setPinFailures(count)));
    this.#failures = count;
  }

  async #check(pin: string, { believed: managers, isAsked }: Managers): Promise<PinOutcome> {
    const { lockClock } = this.#options;
    if (managers.length === 0) return { kind: isAsked ? 'nobody_believed' : 'no_managers' };
    const leftMs = this.#lockedUntilMs - lockClock.monotonicMs();
    if (leftMs > 0) return { kind: 'locked', forMs: leftMs };
    // Counted before it is looked at: pulling the plug forgives nothing.
    const failures = this.#failureCount + 1;
    await this.#countFailures(failures);
    let right: string | null = null;
    if (pinShape.test(pin)) {
      for (const manager of managers) if (await isPin(pin, manager)) right = manager.name;
    }
    if (right !== null) {
      await this.#countFailures(0);
      this.#note({ event: 'pin_right', person: right });
      return { kind: 'right', name: right };
    }
    const lockMs = lockMsAfter(failures);
    this.#lockedUntilMs = lockClock.monotonicMs() + lockMs;
    this.#note({ event: 'pin_wrong', locked_ms: lockMs });
    return lockMs === 0
      ? { kind: 'wrong', attemptsLeft: failuresBeforeLock - failures }
      : { kind: 'locked', forMs: lockMs };
  }

  #nameProblem(name: string): string | null {
    return (
      textProblem(name, maxNameLength) ??
      cardProblem(name) ??
      (this.#byName(name) === undefined ? null : `${name} exists`)
    );
  }

  #added(name: string, by: string | null): AddOutcome {
    const person = this.#byName(name);
    if (person === undefined) throw new Error(`${name} was added and cannot be found`);
    this.#versionSaved();
    this.#note({ event: 'person_added', person: name, role: person.role, by });
    this.#options.onChanged?.();
    return { kind: 'added', person };
  }

  #versionSaved(): void {
    const version = this.#options.store.versionSaved();
    if (version !== null) this.#options.onVersion?.(version);
  }

  #note(event: AuditEvent): void {
    this.#options.audit?.note(event);
  }
}

const takenPin = 'cannot be used; choose another PIN';

function pinShapeProblem(pin: string): string | null {
  if (!pinShape.test(pin)) return 'must be 4 to 12 digits';
  return isOneDigitRepeated(pin) ? 'must not have the same digit only' : null;
}

/** Not of a badge, which is kept as a keyed hash alone. */
function cardProblem(value: string): string | null {
  return holdsPaymentCard(value) ? paymentCardProblem : null;
}

function textProblem(value: string, mostLength: number): string | null {
  // The database would keep another text than was typed.
  if (!value.isWellFormed()) return 'has half a character';
  const parsed = text.max(mostLength, `must have at most ${mostLength} characters`).safeParse(value);
  if (!parsed.success) return parsed.error.issues[0]?.message ?? 'is not a text';
  // In a list, and in the audit log, the rest of the name would begin a line.
  if (/[\u2028\u2029]/.test(value)) return 'must not hold separators of lines';
  return value.trim() === value ? null : 'must not begin or end with a space';
}
