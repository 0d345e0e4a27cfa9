import type { TillError } from '../../shared/till/api.ts';
import type { FoundCustomer } from '../../shared/till/views.ts';
import type { LookUp } from './shape.ts';

/** Where the sale screen stands. */
export type Stage =
  | { readonly kind: 'idle' }
  | { readonly kind: 'finding'; readonly lookUp: LookUp }
  | { readonly kind: 'missing'; readonly lookUp: LookUp; readonly error: TillError }
  | {
      readonly kind: 'customer';
      readonly lookUp: LookUp;
      readonly found: FoundCustomer;
      readonly cardId: string | null;
    };
