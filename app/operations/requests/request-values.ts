import type { NewOperation } from '../../store/schema/new-operation.ts';

/** The values that a request has, whatever else is in it. */
export interface RequestValues {
  readonly [field: string]: unknown;
  readonly card_id?: string | undefined;
  readonly amount_minor?: number | undefined;
  readonly currency?: string | undefined;
  readonly points?: number | undefined;
  readonly stamps?: number | undefined;
  readonly visits?: number | undefined;
  readonly employee_ref?: string | undefined;
}

/** The card and the values that a request names, as its row keeps them: null for what it does not name. */
export function valuesOf(body: RequestValues | null) {
  return {
    cardId: body?.card_id ?? null,
    amountMinor: body?.amount_minor ?? null,
    currency: body?.currency ?? null,
    points: body?.points ?? null,
    stamps: body?.stamps ?? null,
    visits: body?.visits ?? null,
  };
}

/** A redemption without a value of its own gives a reward, or uses up a coupon. */
export function givenKindOf(body: RequestValues | null): NewOperation['givenKind'] {
  if (typeof body?.coupon_code === 'string') return 'coupon';
  return body?.reward === true ? 'reward' : null;
}
