import { z } from 'zod';
import type { ImmediateOutcome } from '../../../app/operations/immediate/immediate-outcome.ts';
import type { CancelOutcome, SaveOutcome } from '../../../app/operations/intake/save-outcome.ts';
import type { ReverseOutcome } from '../../../app/operations/reversals/reversals.ts';
import type { Operation, OperationValues } from '../../../app/store/schema/operation.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { type AskedKind, nothingTold, type Told } from '../facts.ts';
import type { BridgeReply } from '../world/till.ts';

const answerSchema = z.object({
  status: z.string().optional(),
  state: z.string().optional(),
  transaction_id: z.string().optional(),
  reservation_id: z.string().optional(),
  enrollment_id: z.string().optional(),
  customer_id: z.string().nullish(),
  duplicate: z.boolean().optional(),
  amount_minor: z.number().nullish(),
  currency: z.string().nullish(),
  points: z.number().nullish(),
  stamps: z.number().nullish(),
  visits: z.number().nullish(),
  error: z.object({ code: z.string(), details: z.array(z.unknown()).optional() }).nullish(),
});
type Answer = z.output<typeof answerSchema>;

/** What a POS program makes of the bridge's answer to a write. */
export function toldByBridge(kind: AskedKind, { status, body }: BridgeReply, atMs: number): Told {
  const answer = answerSchema.catch({}).parse(body ?? {});
  return {
    ...nothingTold,
    atMs,
    verdict: verdictOf(kind, status, answer),
    status,
    code: answer.error?.code ?? null,
    details: JSON.stringify(answer.error?.details ?? []),
    state: answer.status ?? answer.state ?? null,
    transactionId: answer.transaction_id ?? null,
    reservationId: answer.reservation_id ?? null,
    enrollmentId: answer.enrollment_id ?? null,
    customerId: answer.customer_id ?? null,
    values: hasValues(kind) && status < 300 ? valuesIn(answer) : null,
    isDuplicate: answer.duplicate ?? false,
  };
}

function verdictOf(kind: AskedKind, status: number, answer: Answer): Told['verdict'] {
  if (status === 200 || status === 201 || status === 202) {
    if (answer.status === 'failed') return 'refused';
    if (kind === 'reverse' || kind === 'earn') return answer.status === 'success' ? 'done' : 'promised';
    return answer.status === 'pending' ? 'promised' : 'done';
  }
  // Reversed before is what whoever asks for a reversal wants.
  if (kind === 'reverse' && answer.error?.code === 'ALREADY_REVERSED') return 'done';
  if (status >= 400 && status < 500) return status === 429 ? 'not_sent' : 'refused';
  const details = answer.error?.details ?? [];
  return details.includes('not_sent') || details.includes('not_saved') ? 'not_sent' : 'unknown';
}

/** A commit and a redemption answer with the transaction's own values. */
function hasValues(kind: AskedKind): boolean {
  return kind === 'redeem' || kind === 'commit' || kind === 'reserve';
}

function valuesIn(answer: Answer): OperationValues {
  return {
    amountMinor: answer.amount_minor ?? null,
    currency: answer.currency ?? null,
    points: answer.points ?? null,
    stamps: answer.stamps ?? null,
    visits: answer.visits ?? null,
  };
}

/** What the screen makes of a write for which the cashier waits. */
export function toldOfWaiting(outcome: ImmediateOutcome, atMs: number): Told {
  switch (outcome.kind) {
    case 'done':
      return { ...ofOperation(outcome.operation, atMs), verdict: 'done', isDuplicate: outcome.duplicate };
    case 'refused': {
      const { code, details } = outcome.refusal.error;
      const verdict = code === 'ALREADY_REVERSED' ? 'done' : 'refused';
      return { ...ofOperation(outcome.operation, atMs), verdict, code, details: JSON.stringify(details ?? []) };
    }
    case 'not_sent':
      return { ...nothingTold, atMs, verdict: 'not_sent', state: outcome.kind };
    case 'unknown':
      return { ...ofOperation(outcome.operation, atMs), verdict: 'unknown' };
    case 'reference_taken':
      return { ...nothingTold, atMs, verdict: 'refused', state: outcome.kind };
    case 'above_limit':
    case 'not_saved':
      return { ...nothingTold, atMs, verdict: 'not_sent', state: outcome.kind };
    default:
      return assertNever(outcome);
  }
}

/** What the screen makes of a request to take something back. @returns null when somebody has to wait for it */
export function toldOfReversal(outcome: ReverseOutcome, atMs: number): Told | null {
  switch (outcome.kind) {
    case 'cancelled':
    case 'saved':
      return { ...nothingTold, atMs, verdict: 'promised', state: outcome.kind };
    case 'already':
      return { ...nothingTold, atMs, verdict: 'done', state: outcome.kind };
    case 'immediate':
      return null;
    case 'not_saved':
      return { ...nothingTold, atMs, verdict: 'not_sent', state: outcome.kind };
    case 'irreversible':
    case 'reference_taken':
      return { ...nothingTold, atMs, verdict: 'refused', state: outcome.kind };
    default:
      return assertNever(outcome);
  }
}

/** What the screen makes of a sale that was to be saved. */
export function toldOfSale(outcome: SaveOutcome, atMs: number): Told {
  switch (outcome.kind) {
    case 'saved':
      return { ...ofOperation(outcome.operation, atMs), verdict: 'promised', isDuplicate: outcome.duplicate };
    case 'not_saved':
      return { ...nothingTold, atMs, verdict: 'not_sent', state: outcome.kind };
    case 'reference_taken':
    case 'above_limit':
    case 'queue_full':
      return { ...nothingTold, atMs, verdict: 'refused', state: outcome.kind };
    default:
      return assertNever(outcome);
  }
}

/** What the screen makes of taking back a sale that was perhaps not sent yet. @returns null when it was too late */
export function toldOfCancelling(outcome: CancelOutcome, atMs: number): Told | null {
  return outcome.kind === 'cancelled' ? { ...ofOperation(outcome.operation, atMs), verdict: 'done' } : null;
}

function ofOperation(operation: Operation, atMs: number): Told {
  return { ...nothingTold, atMs, state: operation.state, transactionId: operation.transactionId };
}
