/** What a request asks to be moved; of these a record has what the caller sent (spec "Transaction"). */
const valueFields = ['amount_minor', 'points', 'stamps', 'visits'] as const;

/** What the service told of a record. A field that it did not tell is left out, and agrees with anything. */
export type HeldRecord = { readonly [Field in (typeof valueFields)[number]]?: number | null | undefined } & {
  readonly currency?: string | null | undefined;
  readonly card_id?: string | null | undefined;
  readonly customer_id?: string | null | undefined;
};

/**
 * In which fields a record is of something else than a request asked for: values, currency beside an amount, card and
 * customer.
 *
 * @param request the parsed body; for a commit, which has no values of its own, what its reservation holds
 */
export function differingFields(request: unknown, held: HeldRecord): readonly string[] {
  const differing: string[] = valueFields.filter(
    (field) => held[field] !== undefined && held[field] !== (fieldOf(request, field) ?? null),
  );
  // Beside a unit a currency says nothing, and a service may leave it out.
  if (fieldOf(request, 'amount_minor') != null && isOther(fieldOf(request, 'currency'), held.currency)) {
    differing.push('currency');
  }
  // A coupon is named by its card (spec "POST /transactions/redeem").
  if (isOther(fieldOf(request, 'card_id') ?? fieldOf(request, 'coupon_code'), held.card_id)) differing.push('card_id');
  if (isOther(fieldOf(fieldOf(request, 'identifier'), 'customer_id'), held.customer_id)) differing.push('customer_id');
  return differing;
}

/** Both are known, and they are not the same. */
export function isOther(asked: unknown, told: unknown): boolean {
  return asked != null && told != null && asked !== told;
}

/** A field of what may be any JSON. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
