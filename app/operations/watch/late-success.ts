import type { Transaction } from '../../../shared/contract/transaction.ts';
import type { OperationState } from '../../../shared/machines/operation.ts';
import { deadStates } from '../../../shared/machines/operation.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import type { RecordedVersion } from '../ownership/recorded-version.ts';
import type { NewRows } from '../requests/new-rows.ts';
import { linkToOriginal, undo } from '../reversals/reversal-row.ts';
import { changeWithConsequences } from '../settlement/consequences.ts';
import { learnedFrom, stepWithoutSend } from '../settlement/settlement.ts';
import { wasEverSent } from './unsent-in-copy.ts';

export interface LateSuccessParts {
  readonly stores: OperationStores;
  readonly newRows: NewRows;
  readonly nowMs: number;
}

/**
 * Writes down that the service holds an operation that was thought not to be there, and what follows: it is taken back
 * when somebody had wanted that and the record is surely its own, else a person is told. Ends its watch: its reference is used
 * up. Runs inside a transaction of the Writer.
 *
 * @returns the rows that have changed
 */
export function settleFound(
  parts: LateSuccessParts,
  operation: Operation,
  found: RecordedVersion & { readonly isSurelyOwn: boolean },
): readonly number[] {
  const { stores } = parts;
  const { watches } = stores.operations;
  const { rowId, state } = operation;
  const wasDead = deadStates.has(state);
  const stands = found.record.status !== 'failed' && (wasDead || state === 'applied');
  if (stands && found.isEarlier) watches.putBack(rowId, found.version);
  const { reversesRowId } = operation;
  const originalBefore = reversesRowId === null ? null : (stores.operations.operation(reversesRowId)?.state ?? null);
  const touched = stands ? writeDown(parts, operation, found.record) : [];
  // After its changes: a late success begins a watch of its own.
  watches.end(rowId);
  const now = stores.operations.operation(rowId);
  const isNews = stands && (wasDead || found.isEarlier);
  if (!isNews || now === null || (now.state !== 'accepted' && now.state !== 'applied')) return touched;
  // One that another till has taken again after the undo differs in its time alone.
  const isToReverse = found.isSurelyOwn && wasUndone(parts, { ...operation, decision: now.decision });
  const reversed = isToReverse ? takeBack(parts, now, 'undone before it was found to stand') : [];
  if (reversed.length === 0 && needsPerson(operation, originalBefore)) {
    watches.setFound(rowId, found.isEarlier ? 'earlier_version' : 'stands');
  }
  return [rowId, ...touched, ...reversed];
}

/**
 * A reversal that was saved to be sent when it can be, and has happened after all, is nothing to decide about. One that
 * somebody waited for was told as refused: they count on what was not taken back.
 */
function needsPerson({ intent, state, delivery }: Operation, originalBefore: OperationState | null): boolean {
  if (intent !== 'reverse' || state === 'written_off') return true;
  return delivery === 'immediate' && originalBefore !== 'reversed';
}

function writeDown({ stores, nowMs }: LateSuccessParts, operation: Operation, record: Transaction): readonly number[] {
  const { rowId, attempts, state, delivery } = operation;
  const learned = learnedFrom(record);
  const step = { ...stepWithoutSend({ rowId, attempts, maybeSent: true }, nowMs), ...learned };
  // Who asks for it again is told what stands.
  if (delivery === 'immediate') stores.rows.setAnswer(rowId, record);
  // It stood, and was taken back at another till.
  if (learned.event === 'reverse') {
    const stood = changeWithConsequences(stores, { ...step, event: 'apply' });
    return [...stood, ...changeWithConsequences(stores, step)];
  }
  // What the till shows as applied was applied, whatever the service says of how far it has come.
  if (state === 'applied') return [];
  const changed = changeWithConsequences(stores, step);
  const reversal = stores.operations.operation(rowId);
  const original = reversal === null ? null : linkToOriginal(stores, reversal);
  if (original === null || reversal?.state !== 'applied') return changed;
  const undone = { ...stepWithoutSend(original, nowMs), event: 'reverse' } as const;
  return [...changed, ...changeWithConsequences(stores, undone)];
}

/**
 * Whether somebody was told that it would not happen, and wanted it so. A reversal for which somebody waited was told as
 * refused, and asked for what stands under the reference: a redemption that another till makes there says no time of its own.
 */
function wasUndone({ stores }: LateSuccessParts, { rowId, state, delivery, decision }: Operation): boolean {
  if (decision === 'take_full_payment') return true;
  // What is there now then is another till's, where the order was moved: or this one's, and the database is an older copy.
  if (!wasEverSent(stores.operations.history(rowId))) return false;
  const dropped = stores.operations.watches.droppedReversalOf(rowId);
  if (dropped !== null && stores.operations.operation(dropped)?.delivery === 'deferred') return true;
  // Nothing else cancels what nobody waits for.
  return state === 'cancelled' && delivery === 'deferred';
}

/**
 * Sends the reversal of an operation that stands: the one that was asked for before, if there is one. Runs inside a
 * transaction of the Writer.
 *
 * @returns the rows that have changed; none when it cannot be taken back
 */
export function takeBack(parts: LateSuccessParts, original: Operation, reason: string): readonly number[] {
  const { stores, newRows, nowMs } = parts;
  const { operations } = stores;
  const dropped = operations.watches.droppedReversalOf(original.rowId);
  if (dropped === null) return undo({ ...stores, newRows }, original, reason);
  const step = stepWithoutSend({ rowId: dropped, attempts: 0, maybeSent: false }, nowMs);
  if (operations.change({ ...step, event: 'resend' }) === null) return [];
  operations.watches.defer(dropped);
  return [dropped];
}
