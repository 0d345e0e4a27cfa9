import type { Identifier } from '../../../shared/contract/identifier.ts';
import type { CustomerProfile } from '../../../shared/contract/profile.ts';
import type { CallOutcome, Unknown } from '../../client/outcome.ts';
import type { KeptProfiles } from '../../customers/kept-profiles.ts';
import type { Line } from '../../line/line.ts';
import { ours, type Verdict } from './verdict.ts';

/** How it is told whether a record is of the customer who was asked for. */
export interface CustomerQuestion {
  /** Told as differing when it is another customer. */
  readonly field: string;
  readonly isTheirs: (profile: CustomerProfile) => boolean;
  /** No byte of it was sent before, and the service has it already. */
  readonly isSurelyNew: boolean;
  /** Somebody waits for the answer: nobody who is silent keeps them for long. */
  readonly isWaitedFor: boolean;
  /** Nobody has the name that was asked for: whether the customer who was told of has another one. */
  readonly hasOtherName?: () => Promise<boolean | Unknown>;
}

/** A customer who seems to be another, or nobody, is asked for once more: that answer, too, may have been somebody else's. */
const looksAtCustomer = 2;

/** Asks who stands behind the identifier of a request, to tell by the customer whose a record is. */
export class WhoseCustomer {
  readonly #line: Line;
  /** Customers seen before, known without asking. */
  readonly #customers: Pick<KeptProfiles, 'find'>;

  constructor({ line, customers }: { readonly line: Line; readonly customers: Pick<KeptProfiles, 'find'> }) {
    this.#line = line;
    this.#customers = customers;
  }

  /** @returns null when this till has not seen them, or not lately */
  known(identifier: Identifier): CustomerProfile | null {
    return this.#customers.find(identifier);
  }

  /** Whether a record is of the customer behind an identifier, as far as the service knows them now. */
  async judge(identifier: Identifier, question: CustomerQuestion): Promise<Verdict> {
    const { field, isTheirs, isSurelyNew, isWaitedFor, hasOtherName } = question;
    const kept = this.known(identifier);
    if (kept !== null && isTheirs(kept)) return ours;
    const anothers: Verdict = { kind: 'anothers', fields: [field] };
    for (let looks = 0; looks < looksAtCustomer; looks += 1) {
      const customer = await this.whoIs(identifier, { isWaitedFor });
      // The write itself went out, whatever kept this question from being asked.
      if (customer.kind === 'unknown') return { ...customer, recorded: 'maybe' };
      // Nobody has that name, any more or yet: only what another till did for somebody else tells that it is not ours.
      if (customer.kind === 'refused') {
        if (isSurelyNew) continue;
        const otherName = (await hasOtherName?.()) ?? false;
        if (typeof otherName === 'object') return { ...otherName, recorded: 'maybe', isDoubtful: true };
        return otherName ? { ...anothers, isProven: true } : ours;
      }
      if (isTheirs(customer.answer)) return ours;
    }
    return anothers;
  }

  /** Who has an identifier at the service. A failure is not yet told to the line. */
  whoIs(
    identifier: Identifier,
    { isWaitedFor }: Pick<CustomerQuestion, 'isWaitedFor'>,
  ): Promise<CallOutcome<CustomerProfile>> {
    const asking = this.#line.unjudged.identify(identifier);
    return isWaitedFor ? this.#line.ask(asking) : asking;
  }
}
