import { z } from 'zod';

/** Of a frozen body, what tells one sale from another. */
const saleSchema = z.object({
  identifier: z.object({ customer_id: z.string().optional() }),
  card_id: z.string().optional(),
  amount_minor: z.number().nullable().default(null),
  currency: z.string().optional(),
  points: z.number().nullable().default(null),
  stamps: z.number().nullable().default(null),
  visits: z.number().nullable().default(null),
});

const valueFields = ['amount_minor', 'points', 'stamps', 'visits'] as const;

/** What the service told of the sale that it holds; a replay may tell no more than its id. */
export type HeldSale = { readonly [Field in (typeof valueFields)[number]]?: number | null | undefined } & {
  readonly currency?: string | null | undefined;
  readonly card_id?: string | null | undefined;
  readonly customer_id?: string | null | undefined;
};

/** Fields by which the sale in a frozen body is not the one that the service holds; those it did not tell agree. */
export function differingFields(body: string, held: HeldSale): readonly string[] {
  const sale = saleSchema.parse(JSON.parse(body));
  const differing: string[] = valueFields.filter((field) => held[field] !== undefined && held[field] !== sale[field]);
  // Beside stamps or visits a currency says nothing, and a service may leave it out.
  if (sale.amount_minor !== null && isOther(sale.currency, held.currency)) differing.push('currency');
  if (isOther(sale.card_id, held.card_id)) differing.push('card_id');
  if (isOther(sale.identifier.customer_id, held.customer_id)) differing.push('customer_id');
  return differing;
}

/** Both are known, and they are not the same. */
function isOther(ours: string | undefined, theirs: string | null | undefined): boolean {
  return ours !== undefined && theirs !== undefined && theirs !== null && ours !== theirs;
}
