import { identifierEntry } from '../../../shared/contract/identifier.ts';
import { cameToNothing, type OperationState } from '../../../shared/machines/operation.ts';
import { repeatWindowMs } from '../../../shared/till/limits.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { OperationStore } from '../../store/tables/operation-store.ts';
import type { NewEarn } from './save-outcome.ts';

/** An earn that came to nothing is no reason to ask. */
const nothingCameOfIt: ReadonlySet<OperationState> = new Set([...cameToNothing, 'reversed']);

/** A recent earn of the same customer and values, from the screen or from a POS program; null when there is none. */
export function findRepeat(
  store: OperationStore,
  request: NewEarn['request'],
  moment: { readonly nowMs: number; readonly currency: string },
): Operation | null {
  const { kind, value } = identifierEntry(request.identifier);
  const earns = store.earnsOfCustomer(value, moment.nowMs - repeatWindowMs);
  return (
    earns.find(
      (earn) =>
        earn.identifier?.kind === kind &&
        !nothingCameOfIt.has(earn.state) &&
        earn.amountMinor === (request.amount_minor ?? null) &&
        earn.currency === (request.currency ?? moment.currency) &&
        earn.points === (request.points ?? null) &&
        earn.stamps === (request.stamps ?? null) &&
        earn.visits === (request.visits ?? null),
    ) ?? null
  );
}
