import type { TillReply } from '../../shared/till/api.ts';
import type { AgentCore } from '../agent-core.ts';
import { failed, succeeded } from './replies.ts';

/** Who sells now, until signed out or the agent ends: a till that starts belongs to nobody. */
export interface SignedIn {
  readonly name: string;
  readonly employee_ref: string;
}

export class CashierDesk {
  readonly #core: Pick<AgentCore, 'people'>;
  readonly #onChanged: () => void;
  #cashier: SignedIn | null = null;

  constructor(core: Pick<AgentCore, 'people'>, onChanged: () => void) {
    this.#core = core;
    this.#onChanged = onChanged;
  }

  get cashier(): SignedIn | null {
    return this.#cashier;
  }

  signIn(badge: string): TillReply<SignedIn> {
    const found = this.#core.people.cashierByBadge(badge);
    if (found === null || found.employeeRef === null) return failed('badge_unknown', 'No cashier has this badge.');
    this.#cashier = { name: found.name, employee_ref: found.employeeRef };
    this.#onChanged();
    return succeeded(this.#cashier);
  }

  signOut(): TillReply<Record<string, never>> {
    this.#cashier = null;
    this.#onChanged();
    return succeeded({});
  }

  /** An operation's input with the reference of who takes it; one that it names itself stays. */
  stamped<Input extends { readonly employee_ref?: string | undefined }>(input: Input): Input {
    return this.#cashier === null || input.employee_ref !== undefined
      ? input
      : { ...input, employee_ref: this.#cashier.employee_ref };
  }
}
