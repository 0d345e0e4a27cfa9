import type { z } from 'zod';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { earnInputSchema, TillReply } from '../../shared/till/api.ts';
import type { OperationView } from '../../shared/till/views.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { HandedSale } from '../core/screen-sale.ts';
import type { Approval } from '../operations/reversal-row.ts';
import type { CancelOutcome, SaveOutcome } from '../operations/save-outcome.ts';
import { aboveLimit, withinLimits } from './limits.ts';
import { operationView } from './operation-view.ts';
import { failed, noSuchOperation, succeeded } from './replies.ts';

type EarnInput = z.output<typeof earnInputSchema>;
type TakenEarn = { readonly operation: OperationView; readonly duplicate: boolean };

/**
 * Takes an earn from the screen; answered when it is on the disk. An operation_id that was saved before is answered
 * with what was saved then, also when this time the values are others: the page has lost that answer, and the cashier
 * has to see what stands.
 */
export function takeEarn(core: AgentCore, input: EarnInput): Promise<TillReply<TakenEarn>> {
  const { handed_over_id, ...sale } = input;
  if (handed_over_id === undefined) return saveEarn(core, sale, null);
  return core.screenSale.take(handed_over_id, async (handed) => {
    // Under a reference of the till it would be a second sale when the program hands it over anew.
    if (handed === null && core.operationById(sale.operation_id) === null) return handedOverGone;
    return saveEarn(core, sale, handed);
  });
}

async function saveEarn(
  core: AgentCore,
  input: Omit<EarnInput, 'handed_over_id'>,
  handed: HandedSale | null,
): Promise<TillReply<TakenEarn>> {
  const { operation_id, customer_name, receipt_number, repeat, large, pin, ...request } = input;
  // A number that the cashier has typed instead is the till's own.
  const externalRef = receipt_number === undefined ? (handed?.externalRef ?? undefined) : undefined;
  const { confirm_above_minor } = core.settings.limits;
  const isLarge = confirm_above_minor !== null && (request.amount_minor ?? 0) > confirm_above_minor;
  if (isLarge && large === 'ask' && core.operationById(operation_id) === null) {
    return failed('looks_large', `Above ${confirm_above_minor} minor units: the cashier has to look twice.`, {
      field: 'amount_minor',
      details: [confirm_above_minor],
    });
  }
  // The same press again is no second sale, so there is nothing to ask about.
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
      // Its program has sent the sale itself since. Under another number it would be earned twice.
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

/** Takes back an operation of which no byte was sent. */
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
