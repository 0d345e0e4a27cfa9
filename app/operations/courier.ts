import { z } from 'zod';
import type { Transaction, TransactionList } from '../../shared/contract/transaction.ts';
import type { CallOutcome, Done } from '../client/outcome.ts';
import type { SendableOperation } from './delivery.ts';
import type { EarnAnswer } from './settlement.ts';

export interface CourierOptions {
  readonly keyFingerprint: string;
  /** Sends the frozen bytes. Never rejects. */
  readonly transmit: (row: SendableOperation) => Promise<CallOutcome<EarnAnswer>>;
  /** Asks what the service holds under the row's reference. Never rejects. */
  readonly lookUp: (row: SendableOperation) => Promise<CallOutcome<TransactionList>>;
}

/** What became of one attempt; `held` when the row must not be sent and the service's books do not show it. */
export type Carried = CallOutcome<EarnAnswer | Transaction> | { readonly kind: 'held' };

/** Of a frozen body, what tells one sale from another. */
const saleSchema = z.object({
  identifier: z.object({ customer_id: z.string().optional() }),
  card_id: z.string().optional(),
  amount_minor: z.number().nullable().default(null),
  points: z.number().nullable().default(null),
  stamps: z.number().nullable().default(null),
  visits: z.number().nullable().default(null),
});

/** What the service told of the sale that it holds; a replay may tell no more than its id. */
type HeldSale = { readonly [Field in (typeof valueFields)[number]]?: number | null | undefined } & {
  readonly card_id?: string | null | undefined;
  readonly customer_id?: string | null | undefined;
};

const valueFields = ['amount_minor', 'points', 'stamps', 'visits'] as const;

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
    // Another key may be another source, for which the service knows no such reference and would take the sale twice.
    if (isOfAnotherKey(row, this.#options.keyFingerprint)) return (await this.#find(row)) ?? { kind: 'held' };
    const outcome = await this.#options.transmit(row);
    switch (outcome.kind) {
      case 'refused':
        // Not proven yet: an earlier attempt may have been recorded, or the refusal be about that very record.
        return row.maybeSent || outcome.error.code === 'DUPLICATE_TRANSACTION'
          ? ((await this.#find(row)) ?? outcome)
          : outcome;
      case 'done':
        return isReplay(outcome.answer) ? this.#verified(row, outcome) : outcome;
      case 'unknown':
        return outcome;
    }
  }

  /** A replay tells of the first request under the reference, which may have been another till's. */
  async #verified(row: SendableOperation, outcome: Done<EarnAnswer>): Promise<Carried> {
    if ('amount_minor' in outcome.answer && outcome.answer.amount_minor !== undefined) {
      return aboutThisSale(row, outcome, outcome.answer);
    }
    return (await this.#find(row)) ?? outcome;
  }

  /** @returns null when the books show no earn under the row's reference */
  async #find(row: SendableOperation): Promise<Carried | null> {
    const outcome = await this.#options.lookUp(row);
    if (outcome.kind === 'unknown') return outcome;
    const earn = outcome.kind === 'done' ? outcome.answer.data.find(({ intent }) => intent === 'earn') : undefined;
    if (outcome.kind !== 'done' || earn === undefined) return null;
    return aboutThisSale(row, { ...outcome, answer: earn }, earn);
  }
}

/** The outcome, or a refusal when the service holds another sale under the reference: ours is not recorded. */
function aboutThisSale(row: SendableOperation, outcome: Done<EarnAnswer | Transaction>, held: HeldSale): Carried {
  const differing = differingFields(row.body, held);
  if (differing.length === 0) return outcome;
  const error = {
    code: 'DUPLICATE_TRANSACTION',
    message: `The service holds another sale under ${row.externalRef}. Differing: ${differing.join(', ')}.`,
    retryable: false,
    request_id: outcome.facts.requestId ?? '',
    details: [...differing],
  };
  return { kind: 'refused', error, facts: outcome.facts, body: { error } };
}

/** Fields by which the sale in a frozen body is not the one that the service holds. */
export function differingFields(body: string, held: HeldSale): readonly string[] {
  const sale = saleSchema.parse(JSON.parse(body));
  const differing: string[] = valueFields.filter((field) => held[field] !== undefined && held[field] !== sale[field]);
  if (isOther(sale.card_id, held.card_id)) differing.push('card_id');
  if (isOther(sale.identifier.customer_id, held.customer_id)) differing.push('customer_id');
  return differing;
}

/** Both are known, and they are not the same. */
function isOther(ours: string | undefined, theirs: string | null | undefined): boolean {
  return ours !== undefined && theirs !== undefined && theirs !== null && ours !== theirs;
}

function isReplay(answer: EarnAnswer): boolean {
  return answer.duplicate;
}

function isOfAnotherKey(row: SendableOperation, keyFingerprint: string): boolean {
  return row.maybeSent && row.lastKeyFingerprint !== null && row.lastKeyFingerprint !== keyFingerprint;
}
