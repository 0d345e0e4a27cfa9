import type { z } from 'zod';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { earnInputSchema, TillReply } from '../../shared/till/api.ts';
import type { OperationView } from '../../shared/till/views.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { HandedSale } from '../core/screen-sale.ts';
import type { CancelOutcome, SaveOutcome } from '../operations/intake/save-outcome.ts';
import type { Approval } from '../operations/reversals/reversal-row.ts';
import type { Operation } from '../store/schema/operation.ts';
import { aboveLimit, withinLimits } from './limits.ts';
import { operationView } from './operation-view.ts';
import { failed, noSuchOperation, succeeded } from './replies.ts';

type CheckedEarn = z.output<typeof earnInputSchema>;
type TakenEarn = { readonly operation: OperationView; readonly duplicate: boolean };

/**
 * Saves an earn from the screen, and answers when it is on the disk. An operation_id that was saved before gets the
 * saved operation, even when the values differ now: the page has lost that answer, and the cashier must see what was
 * saved.
 */
export function takeEarn(core: AgentCore, input: CheckedEarn): Promise<TillReply<TakenEarn>> {
  const { handed_over_id, ...sale } = input;
  if (handed_over_id === undefined) return saveEarn(core, sale, null);
  return core.screenSale.take(handed_over_id, async (handed) => {
    // With a reference of the till it would become a second sale when the program hands it over again.
    if (handed === null && core.operationById(sale.operation_id) === null) return handedOverGone;
    return saveEarn(core, sale, handed);
  });
}

async function saveEarn(
  core: AgentCore,
  input: Omit<CheckedEarn, 'handed_over_id'>,
  handed: HandedSale | null,
): Promise<TillReply<TakenEarn>> {
  const { operation_id, customer_name, receipt_number, repeat, large, pin, ...request } = input;
  // A number that the cashier typed instead gets the till's own prefix.
  const externalRef = receipt_number === undefined ? (handed?.externalRef ?? undefined) : undefined;
  const { confirm_above_minor } = core.settings.limits;
  const isLarge = confirm_above_minor !== null && (request.amount_minor ?? 0) > confirm_above_minor;
  if (isLarge && large === 'ask' && core.operationById(operation_id) === null) {
    return failed('looks_large', `Above ${confirm_above_minor} minor units: the cashier has to look twice.`, {
      field: 'amount_minor',
      details: [confirm_above_minor],
    });
  }
  // A repeated press is not a second sale, so nothing has to be asked.
  if (repeat === 'ask' && core.operationById(operation_id) === null) {
    const earlier = core.findRepeat(request);
    if (earlier !== null) {
      return failed('looks_like_a_repeat', 'The same customer and value were saved a moment ago.', {
        details: [operationView(earlier)],
      });
    }
  }
  const save = (approvedBy?: string) =>
    core.saveEarn({
      origin: 'till',
      operationId: operation_id,
      request: { ...request, ...(externalRef === undefined ? {} : { external_ref: externalRef }) },
      ...(handed === null ? {} : { posName: handed.posName }),
      customerName: customer_name,
      receiptNumber: receipt_number ?? null,
      idempotencyKey: null,
      ...(approvedBy === undefined ? {} : { approvedBy }),
    });
  return withinLimits(core, pin, save, (outcome) => {
    if (outcome.kind === 'saved' && handed !== null) {
      const { operationId, externalRef: takenUnder, amountMinor } = outcome.operation;
      core.screenSale.used(handed, { operationId, externalRef: takenUnder, amountMinor: amountMinor ?? 0 });
    }
    const isOwnPress = outcome.kind === 'reference_taken' && outcome.operation.operationId === operation_id;
    if (outcome.kind === 'reference_taken' && externalRef !== undefined && !isOwnPress) {
      // The program has sent the sale itself meanwhile. With another number it would be earned twice.
      if (core.screenSale.current === handed) core.screenSale.drop();
      return handedOverGone;
    }
    return taken(operation_id, outcome);
  });
}

const handedOverGone = failed(
  'not_now',
  'The program has withdrawn this amount, it was taken, or the agent was started anew.',
  { field: 'handed_over_id' },
);

function taken(operationId: string, outcome: SaveOutcome): TillReply<TakenEarn> {
  if (outcome.kind === 'saved') {
    return succeeded({ operation: operationView(outcome.operation), duplicate: outcome.duplicate });
  }
  if (outcome.kind === 'reference_taken' && outcome.operation.operationId === operationId) {
    return succeeded({ operation: operationView(outcome.operation), duplicate: true });
  }
  return notTaken(outcome);
}

function notTaken(outcome: Exclude<SaveOutcome, { kind: 'saved' }>): TillReply<never> {
  switch (outcome.kind) {
    case 'reference_taken':
      return failed('reference_taken', `${outcome.operation.externalRef} stands for another sale.`, {
        field: 'receipt_number',
        details: [...outcome.differingFields],
      });
    case 'above_limit':
      return aboveLimit(outcome.limit);
    case 'queue_full':
      return failed('queue_full', `${outcome.maxQueue} operations wait already.`);
    case 'not_saved':
      return failed('not_saved', outcome.message);
    default:
      return assertNever(outcome);
  }
}

/** The newest operations, and the redemptions that must not be repeated unasked, however many came after them. */
export function recentOperations(
  core: Pick<AgentCore, 'recentOperations' | 'redemptionsToMind'>,
  limit: number,
): readonly Operation[] {
  const listed = [...core.recentOperations({ limit }), ...core.redemptionsToMind()];
  const unique = new Map(listed.map((operation) => [operation.rowId, operation]));
  return [...unique.values()].sort((left, right) => right.rowId - left.rowId);
}

/** Cancels an operation of which no byte was sent. */
export async function cancelOperation(
  core: AgentCore,
  operationId: string,
  approval?: Approval,
): Promise<TillReply<{ operation: OperationView }>> {
  const outcome: CancelOutcome = await core.cancel(operationId, approval);
  switch (outcome.kind) {
    case 'cancelled':
      return succeeded({ operation: operationView(outcome.operation) });
    case 'too_late':
      return failed('cannot_cancel', 'The operation was sent already, or is final.', {
        details: [operationView(outcome.operation)],
      });
    case 'not_found':
      return noSuchOperation;
    case 'not_saved':
      return failed('not_saved', outcome.message);
    default:
      return assertNever(outcome);
  }
}
