import { type Identifier, identifierEntry } from '../../../shared/contract/identifier.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { type Refusal, refuse, refuseFields } from '../answer.ts';
import type { ServiceContext } from '../context.ts';
import type { Card } from '../store/card-store.ts';
import type { Customer } from '../store/customer-store.ts';
import { normalizePhone } from './phones.ts';

interface FoundCustomer {
  readonly kind: 'found';
  readonly customerId: string;
  /** The very card that was scanned, when the identifier is a card number. */
  readonly scannedCard: Card | null;
}

/**
 * The customer whom an identifier names.
 *
 * @param where the identifier's place in the request, for the names of fields (`identifier`, or empty for the body)
 */
export function findCustomer(
  context: ServiceContext,
  request: { readonly identifier: Identifier; readonly source: string; readonly where: string },
): FoundCustomer | Refusal {
  const { customers, cards } = context.store;
  const { kind, value } = identifierEntry(request.identifier);
  switch (kind) {
    case 'customer_id':
      return found(customers.byId(value));
    case 'external_id':
      return found(customers.byExternalId(request.source, value));
    case 'email':
      // gap: Enrollment (e-mail compares without case)
      return found(customers.byEmail(value.toLowerCase()));
    case 'phone': {
      const phone = normalizePhone(value, context.settings.current.default_region);
      if (phone !== null) return found(customers.byPhone(phone));
      const field = request.where === '' ? 'phone' : `${request.where}.phone`;
      return refuseFields([{ field, problem: 'is not a phone number' }]);
    }
    case 'loyalty_id': {
      const scannedCard = cards.byLoyaltyId(value);
      if (scannedCard === null) return refuseUnknownCustomer();
      return { kind: 'found', customerId: scannedCard.customerId, scannedCard };
    }
    default:
      return assertNever(kind);
  }
}

function found(customer: Customer | null): FoundCustomer | Refusal {
  if (customer === null) return refuseUnknownCustomer();
  return { kind: 'found', customerId: customer.customerId, scannedCard: null };
}

export function refuseUnknownCustomer(): Refusal {
  return refuse('CUSTOMER_NOT_FOUND', 'No customer is known by this identifier.');
}
