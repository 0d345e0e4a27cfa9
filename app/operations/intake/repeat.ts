import { type Identifier, identifierEntry } from '../../../shared/contract/identifier.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { cameToNothing, type OperationState } from '../../../shared/machines/operation.ts';
import { repeatWindowMs } from '../../../shared/till/limits.ts';
import type { KeptProfiles } from '../../customers/kept-profiles.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { OperationStore } from '../../store/tables/operation-store.ts';
import { isSamePhone } from '../requests/same-phone.ts';
import type { NewEarn } from './save-outcome.ts';

interface RepeatParts {
  readonly operations: Pick<OperationStore, 'earnsOfValues'>;
  readonly customers: Pick<KeptProfiles, 'find'>;
}

/** An earn that came to nothing is no reason to ask. */
const nothingCameOfIt: ReadonlySet<OperationState> = new Set([...cameToNothing, 'reversed']);

/** A recent earn of the same customer and values, from the screen or from a POS program; null when there is none. */
export function findRepeat(
  { operations, customers }: RepeatParts,
  request: NewEarn['request'],
  moment: { readonly nowMs: number; readonly currency: string },
): Operation | null {
  const values = {
    amountMinor: request.amount_minor ?? null,
    currency: request.currency ?? moment.currency,
    points: request.points ?? null,
    stamps: request.stamps ?? null,
    visits: request.visits ?? null,
  };
  const isTheirs = ownerTest(customers, request.identifier);
  const earns = operations.earnsOfValues(values, moment.nowMs - repeatWindowMs);
  return earns.find((earn) => !nothingCameOfIt.has(earn.state) && isTheirs(earn)) ?? null;
}

/**
 * Whether an earn is of the customer whom an identifier names. The screen names a found customer by the service's id, where
 * a POS program sends the card or the phone: the service has told of the earn whose it is, or this till knows the customer
 * by both names.
 */
function ownerTest(customers: RepeatParts['customers'], identifier: Identifier): (earn: Operation) => boolean {
  const asked = identifierEntry(identifier);
  const profile = customers.find(identifier);
  const customerId = identifier.customer_id ?? profile?.customer_id ?? null;
  return ({ identifier: named, serviceCustomerId }) => {
    if (named?.kind === asked.kind && named.value === asked.value) return true;
    if (customerId === null) return false;
    if (serviceCustomerId !== null || named === null) return serviceCustomerId === customerId;
    switch (named.kind) {
      case 'customer_id':
        return named.value === customerId;
      case 'loyalty_id':
      case 'external_id':
        return customers.find({ [named.kind]: named.value })?.customer_id === customerId;
      case 'phone':
        return profile !== null && profile.phone !== null && isSamePhone(named.value, profile.phone);
      case 'email':
        return profile !== null && named.value.toLowerCase() === profile.email?.toLowerCase();
      default:
        return assertNever(named.kind);
    }
  };
}
