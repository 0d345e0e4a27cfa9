import { z } from 'zod';
import { type Identifier, identifierSchema } from '../../shared/contract/identifier.ts';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import type { Transaction, TransactionList } from '../../shared/contract/transaction.ts';
import type { CallOutcome, Done, Refused } from '../client/outcome.ts';
import type { SendableOperation } from './delivery.ts';
import { differingFields, type HeldSale } from './same-sale.ts';
import type { EarnAnswer } from './settlement.ts';

/** Its calls never reject. */
export interface CourierOptions {
  readonly keyFingerprint: string;
  /** Sends the frozen bytes. */
  readonly transmit: (row: SendableOperation) => Promise<CallOutcome<EarnAnswer>>;
  /** Asks what the service holds under the row's reference. */
  readonly lookUp: (row: SendableOperation) => Promise<CallOutcome<TransactionList>>;
  readonly identify: (identifier: Identifier) => Promise<CallOutcome<CustomerProfile>>;
}

type Outcome = CallOutcome<EarnAnswer | Transaction>;

/** What became of one attempt. */
export interface Carried {
  /** The row as it is known now: once its bytes went out it may be at the service, whatever is learned later. */
  readonly row: SendableOperation;
  /** `held`: it must not be sent, and the service's books do not show it. */
  readonly outcome: Outcome | { readonly kind: 'held' };
}

const frozenSchema = z.object({ identifier: identifierSchema });

/**
 * Carries one row to the service and makes sure that the answer is about this row: what could be the record of an
 * earlier attempt, of another key or of another till is looked up in the service's books before it is believed.
 */
export class Courier {
  readonly #options: CourierOptions;

  constructor(options: CourierOptions) {
    this.#options = options;
  }

  async carry(row: SendableOperation): Promise<Carried> {
    if (isOfAnotherKey(row, this.#options.keyFingerprint)) return { row, outcome: await this.#seeUnderThisKey(row) };
    const outcome = await this.#options.transmit(row);
    switch (outcome.kind) {
      case 'refused': {
        // Not proven yet: an earlier attempt may have been recorded, or the refusal be about that very record.
        const isProven = !row.maybeSent && outcome.error.code !== 'DUPLICATE_TRANSACTION';
        return isProven ? { row, outcome } : { row: asSent(row), outcome: (await this.#find(row)) ?? outcome };
      }
      case 'done':
        return outcome.answer.duplicate
          ? { row: asSent(row), outcome: await this.#verified(row, outcome) }
          : { row, outcome };
      case 'unknown':
        return { row, outcome };
    }
  }

  /**
   * Another key may be another source, for which the service knows no such reference and would take the sale a second
   * time. Its books prove a sale that they show, and nothing about one that they do not.
   */
  async #seeUnderThisKey(row: SendableOperation): Promise<Carried['outcome']> {
    const found = await this.#find(row);
    return found === null || found.kind === 'refused' ? { kind: 'held' } : found;
  }

  /** A replay tells of the first request under the reference, which may have been another till's. */
  async #verified(row: SendableOperation, outcome: Done<EarnAnswer>): Promise<Outcome> {
    if ('amount_minor' in outcome.answer && outcome.answer.amount_minor !== undefined) {
      return this.#aboutThisSale(row, outcome, outcome.answer);
    }
    return (await this.#find(row)) ?? outcome;
  }

  /** @returns null when the books show no earn under the row's reference */
  async #find(row: SendableOperation): Promise<Outcome | null> {
    const outcome = await this.#options.lookUp(row);
    if (outcome.kind === 'unknown') return outcome;
    // Of a receipt the books may show an earn, a redemption and reversals.
    const held = outcome.kind === 'done' ? outcome.answer.data.find(({ intent }) => intent === row.intent) : undefined;
    return outcome.kind === 'done' && held !== undefined
      ? this.#aboutThisSale(row, { ...outcome, answer: held }, held)
      : null;
  }

  /** The outcome, or a refusal when the service holds another sale under the reference: ours is not recorded. */
  async #aboutThisSale(
    row: SendableOperation,
    outcome: Done<EarnAnswer | Transaction>,
    held: HeldSale,
  ): Promise<Outcome> {
    // A reversal's reference is made from its original's: it can be no other's.
    if (row.intent !== 'earn') return outcome;
    const differing = differingFields(row.body, held);
    if (differing.length > 0) return anothersSale(row, outcome, differing);
    // The same values. What was sent before is its own record; what was not may still be another customer's sale.
    const customerId = held.customer_id ?? null;
    if (row.maybeSent || customerId === null) return outcome;
    const { identifier } = frozenSchema.parse(JSON.parse(row.body));
    const customer = await this.#options.identify(identifier);
    if (customer.kind === 'unknown') return customer;
    const isOurs = customer.kind === 'done' && customer.answer.customer_id === customerId;
    return isOurs ? outcome : anothersSale(row, outcome, ['identifier']);
  }
}

function anothersSale(row: SendableOperation, outcome: Done<unknown>, differing: readonly string[]): Refused {
  const error = {
    code: 'DUPLICATE_TRANSACTION',
    message: `The service holds another sale under ${row.externalRef}. Differing: ${differing.join(', ')}.`,
    retryable: false,
    request_id: outcome.facts.requestId ?? '',
    details: [...differing],
  };
  return { kind: 'refused', error, facts: outcome.facts, body: { error } };
}

function asSent(row: SendableOperation): SendableOperation {
  return { ...row, maybeSent: true };
}

function isOfAnotherKey(row: SendableOperation, keyFingerprint: string): boolean {
  return row.maybeSent && row.lastKeyFingerprint !== null && row.lastKeyFingerprint !== keyFingerprint;
}
