import { type ValueField, valueFields } from './value-fields.ts';

/** What the service sent of a record. A field that it did not send agrees with any value. */
export type ToldValues = { readonly [Field in ValueField]?: number | null | undefined } & {
  readonly currency?: string | null | undefined;
  readonly card_id?: string | null | undefined;
  readonly customer_id?: string | null | undefined;
};

/** Whether a value that a record tells is another than the one that was asked for. */
type DiffersInValue = (asked: unknown, told: unknown) => boolean;

/** The record of an earn or a redemption has the values that the caller sent, and no others (spec "Transaction"). */
const isOtherThanSent: DiffersInValue = (asked, told) => told !== undefined && told !== (asked ?? null);

/** A reservation has the value that was asked for, and may tell beside it what that is worth. */
export const isOtherThanHeld: DiffersInValue = (asked, told) => asked != null && isOtherThanSent(asked, told);

/**
 * The fields in which a record differs from a request: values, the currency of an amount, card and customer.
 *
 * @param request the parsed body; for a commit, which has no values, what its reservation holds
 */
export function differingFields(
  request: unknown,
  told: ToldValues,
  differsInValue: DiffersInValue = isOtherThanSent,
): readonly string[] {
  const differing: string[] = valueFields.filter((field) => differsInValue(fieldOf(request, field), told[field]));
  // A currency means nothing without an amount, and a service may leave it out.
  if (fieldOf(request, 'amount_minor') != null && isOther(fieldOf(request, 'currency'), told.currency)) {
    differing.push('currency');
  }
  // A coupon's code is its card's id (spec "POST /transactions/redeem").
  if (isOther(fieldOf(request, 'card_id') ?? fieldOf(request, 'coupon_code'), told.card_id)) differing.push('card_id');
  if (isOther(fieldOf(fieldOf(request, 'identifier'), 'customer_id'), told.customer_id)) differing.push('customer_id');
  return differing;
}

/** Whether both are known and differ. */
export function isOther(asked: unknown, told: unknown): boolean {
  return asked != null && told != null && asked !== told;
}

/** A field of any JSON value. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
