import { z } from 'zod';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { type TillCommandName, type TillReply, tillCommands } from '../../shared/till/api.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { parsedBody } from '../operations/requests/row-request.ts';
import type { Person } from '../store/people/people-store.ts';
import { command, type Handlers } from './command.ts';
import { failed, succeeded } from './replies.ts';
import type { ScreenLock } from './screen-lock.ts';
import type { Presser } from './writes.ts';

/**
 * The cashier who sells now, until they sign out, leave the list, or the agent ends. At its start nobody is signed in.
 */
interface SignedIn {
  readonly name: string;
  readonly employee_ref: string;
}

type Core = Pick<AgentCore, 'people' | 'settings' | 'operationById' | 'sentRequest'>;

/** An input that gets a cashier's reference. The operation's id shows whether it got one before. */
interface Stampable {
  readonly operation_id: string;
}

const stampedSchema = z.object({ employee_ref: z.string().optional() });

export class SignedInCashier {
  readonly #core: Core;
  readonly #onChanged: () => void;
  #signedIn: { readonly person: Person; readonly cashier: SignedIn } | null = null;

  constructor(core: Core, onChanged: () => void) {
    this.#core = core;
    this.#onChanged = onChanged;
  }

  get cashier(): SignedIn | null {
    const signedIn = this.#signedIn;
    return signedIn !== null && this.#core.people.isListed(signedIn.person) ? signedIn.cashier : null;
  }

  /** The reference for new operations; undefined: nobody's. */
  get employeeRefNow(): string | undefined {
    return this.cashier?.employee_ref ?? this.#core.settings.employee_ref ?? undefined;
  }

  /** The reference for writes whose requests name nobody. */
  get presser(): Presser {
    const employeeRef = this.employeeRefNow;
    return employeeRef === undefined ? {} : { employeeRef };
  }

  /** Takes any scanned code. A code that is no badge does not count as a wrong badge. */
  switchTo(code: string): TillReply<{ readonly cashier: SignedIn | null }> {
    const person = this.#core.people.badgeAmong(code);
    return succeeded({ cashier: person === null ? null : this.#take(person) });
  }

  async signInByPin(name: string, pin: string): Promise<TillReply<SignedIn>> {
    const outcome = await this.#core.people.checkCashierPin(name, pin);
    switch (outcome.kind) {
      case 'locked':
        return failed('pin_locked', 'Too many wrong PINs in a row.', {
          field: 'pin',
          details: [Math.ceil(outcome.forMs)],
        });
      case 'wrong':
        return failed('pin_wrong', 'It is not the PIN of this name.', {
          field: 'pin',
          details: [outcome.attemptsLeft],
        });
      case 'right': {
        const cashier = this.#take(outcome.person);
        return cashier === null ? failed('pin_wrong', 'No cashier has this name.') : succeeded(cashier);
      }
      default:
        return assertNever(outcome);
    }
  }

  signIn(badge: string): TillReply<SignedIn> {
    const outcome = this.#core.people.checkBadge(badge);
    if (outcome.kind === 'locked') {
      return failed('badge_locked', 'Too many unknown badges in a row.', { details: [Math.ceil(outcome.forMs)] });
    }
    const cashier = outcome.kind === 'known' ? this.#take(outcome.person) : null;
    return cashier === null ? failed('badge_unknown', 'No cashier has this badge.') : succeeded(cashier);
  }

  /** @returns null: a manager, who does not sell */
  #take(person: Person): SignedIn | null {
    if (person.employeeRef === null) return null;
    const cashier = { name: person.name, employee_ref: person.employeeRef };
    this.#signedIn = { person, cashier };
    this.#onChanged();
    return cashier;
  }

  /** Whether somebody is signed in, even when they were removed from the list since: their screen locks, too. */
  get isIn(): boolean {
    return this.#signedIn !== null;
  }

  signOut(): TillReply<Record<string, never>> {
    this.#signedIn = null;
    this.#onChanged();
    return succeeded({});
  }

  /**
   * Whether another cashier than the current one took the operation. An operation without a cashier's reference is
   * nobody's. False on a till where nobody can sign in.
   */
  isAnothers(operationId: string): boolean {
    const operation = this.#core.people.hasCashiers ? this.#core.operationById(operationId) : null;
    if (operation === null) return false;
    const taker = stampIn(this.#core.sentRequest(operation.rowId)?.body ?? null);
    return taker !== undefined && taker !== this.cashier?.employee_ref && taker !== this.#core.settings.employee_ref;
  }

  /**
   * An operation's input with the reference of the current cashier, or of the till when nobody is signed in. The page
   * cannot choose it. A repeated press keeps the first one's reference, because with another one it would be another
   * request.
   */
  stamped<Input extends Stampable>(input: Input): Input & { readonly employee_ref?: string } {
    const earlier = this.#core.operationById(input.operation_id);
    const employeeRef =
      earlier === null ? this.employeeRefNow : stampIn(this.#core.sentRequest(earlier.rowId)?.body ?? null);
    return employeeRef === undefined ? input : { ...input, employee_ref: employeeRef };
  }
}

interface CashierParts {
  readonly signedIn: SignedInCashier;
  readonly lock: Pick<ScreenLock, 'signedIn' | 'lock'>;
  readonly screenSale: Pick<AgentCore['screenSale'], 'drop'>;
  readonly onSignedOut: () => void;
}

/** The commands of who sells, and of the screen's lock. */
export function cashierHandlers({
  signedIn,
  lock,
  screenSale,
  onSignedOut,
}: CashierParts): Handlers<Extract<TillCommandName, `cashier.${string}`>> {
  return {
    'cashier.sign_in': command(tillCommands['cashier.sign_in'], async (input) => {
      const reply = 'badge' in input ? signedIn.signIn(input.badge) : await signedIn.signInByPin(input.name, input.pin);
      if (reply.ok) lock.signedIn();
      return reply;
    }),
    'cashier.switch': command(tillCommands['cashier.switch'], ({ code }) => {
      const reply = signedIn.switchTo(code);
      if (reply.ok && reply.value.cashier !== null) lock.signedIn();
      return reply;
    }),
    'cashier.active': command(tillCommands['cashier.active'], () => succeeded({})),
    'cashier.lock': command(tillCommands['cashier.lock'], () => {
      lock.lock();
      return succeeded({});
    }),
    'cashier.sign_out': command(tillCommands['cashier.sign_out'], () => {
      screenSale.drop();
      const reply = signedIn.signOut();
      onSignedOut();
      return reply;
    }),
  };
}

/** @param body frozen JSON; empty or null once erased */
function stampIn(body: string | null): string | undefined {
  const parsed = stampedSchema.safeParse(parsedBody(body));
  return parsed.success ? parsed.data.employee_ref : undefined;
}
