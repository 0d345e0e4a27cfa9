import type { IdentifierKind } from '../../shared/contract/identifier.ts';
import { readBalances } from '../../shared/contract/profile.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import { advance } from '../../shared/machines/machine.ts';
import { operationMachine } from '../../shared/machines/operation.ts';
import type { OperationView } from '../../shared/till/views.ts';
import { knownValues } from '../operations/requests/known-values.ts';
import { isOneShot, reversibleIntent } from '../operations/reversals/reversal-row.ts';
import type { Operation } from '../store/schema/operation.ts';

/** An operation as the screen shows it: the customer's identifier only as a hint. */
export function operationView(operation: Operation): OperationView {
  const { identifier } = operation;
  return {
    operation_id: operation.operationId,
    row_id: operation.rowId,
    version: operation.version,
    reverses_row_id: operation.reversesRowId,
    transaction_id: operation.transactionId,
    service_transaction_id: operation.serviceTransactionId,
    external_ref: operation.externalRef,
    intent: operation.intent,
    state: operation.state,
    cause: operation.cause,
    error: operation.error,
    employee_ref: operation.employeeRef,
    customer_name: operation.customerName,
    given_name: operation.givenName,
    is_coupon: operation.givenKind === 'coupon',
    identifier_hint: identifier === null ? null : identifierHint(identifier.kind, identifier.value),
    card_id: operation.cardId ?? operation.serviceCardId,
    ...shownValues(operation),
    new_balances: readBalances(operation.newBalances),
    completed_at: operation.completedAtMs === null ? null : toInstant(operation.completedAtMs),
    occurred_at: toInstant(operation.occurredAtMs),
    saved_at: toInstant(operation.requestedAtMs),
    updated_at: toInstant(operation.updatedAtMs),
    undo: undoOf(operation),
    one_shot: isOneShot(operation),
    decision: operation.decision,
    found: operation.found,
  };
}

function shownValues(operation: Operation) {
  const { amountMinor: amount_minor, currency, points, stamps, visits } = knownValues(operation);
  return { amount_minor, currency, points, stamps, visits };
}

/** How the operation can be undone, by the rules of reversals.ts, as far as its row shows. */
function undoOf(operation: Operation): OperationView['undo'] {
  const { state, delivery, maybeSent, intent } = operation;
  if (delivery === 'deferred' && !maybeSent && advance(operationMachine, state, 'cancel') !== null) return 'cancel';
  if (reversibleIntent(operation) === null || isOneShot(operation)) return null;
  const mayFollow = intent === 'earn' && (state === 'sending' || state === 'unknown');
  return state === 'accepted' || state === 'applied' || mayFollow ? 'reverse' : null;
}

const hidden = '•••';

/**
 * The end of an identifier: `••• 1234`. The cashier can recognize the customer, but the next customer cannot use it.
 */
export function identifierHint(kind: IdentifierKind, value: string): string {
  switch (kind) {
    case 'email': {
      const at = value.lastIndexOf('@');
      return `${String.fromCodePoint(value.codePointAt(0) ?? 0x40)}${hidden}${value.slice(at)}`;
    }
    case 'phone':
    case 'loyalty_id':
    case 'external_id':
    case 'customer_id': {
      const characters = Array.from(value);
      // Of a short identifier at most half is shown.
      const shownCount = Math.min(4, Math.floor(characters.length / 2));
      return shownCount === 0 ? hidden : `${hidden} ${characters.slice(-shownCount).join('')}`;
    }
    default:
      return assertNever(kind);
  }
}
