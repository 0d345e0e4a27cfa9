import type { Decision } from '../../store/schema/operation-values.ts';
import { notSaved } from '../requests/not-saved.ts';
import { isOneShot } from '../reversals/reversal-row.ts';
import type { DeskOptions } from './desk-options.ts';
import type { DecideOutcome } from './immediate-outcome.ts';

/**
 * Stores what the cashier chose while the outcome of an operation was not known. The first choice counts, because the
 * customer has paid or was given the value by it. Whoever chooses later gets the operation, which tells the first choice.
 */
export async function storeDecision(
  { operations, rows, writer, clock, onChanged }: DeskOptions,
  operationId: string,
  decision: Decision,
): Promise<DecideOutcome> {
  const found = operations.operationById(operationId);
  if (found === null) return { kind: 'not_found' };
  if (decision === 'take_full_payment' && isOneShot(found)) return { kind: 'one_shot', operation: found };
  let isOpen = false;
  try {
    await writer.urgent(() => {
      const { state, decision: chosen } = operations.operation(found.rowId) ?? found;
      isOpen = state === 'sending' || state === 'unknown';
      if (isOpen && chosen === null) rows.decide(found.rowId, decision, clock.now());
    });
  } catch (error) {
    return notSaved(error);
  }
  const operation = operations.operation(found.rowId) ?? found;
  if (!isOpen) return { kind: 'already_known', operation };
  onChanged([found.rowId]);
  return { kind: 'decided', operation };
}
