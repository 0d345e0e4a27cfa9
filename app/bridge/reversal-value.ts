import { z } from 'zod';
import type { AgentCore } from '../core/agent-core.ts';
import { callOfPath } from '../line/call-of-path.ts';
import type { Operation } from '../store/operation.ts';
import type { Failure } from './answers.ts';

interface Named {
  readonly amount_minor?: number | undefined;
  readonly points?: number | undefined;
}

const valueSchema = z.object({ amount_minor: z.number().nullable(), points: z.number().nullable() });

/**
 * Holds the value that a reversal names against the original's: the full one may be named, anything else would be
 * partial (spec "POST /transactions/reverse").
 *
 * @returns the named value itself when the original's is not known here: the service has to compare it
 */
export function valueBeside(
  core: Pick<AgentCore, 'operationByTransactionId' | 'sentRequest'>,
  original: Operation,
  named: Named,
): 'whole' | 'partial' | Named {
  if (named.amount_minor === undefined && named.points === undefined) return 'whole';
  const known = original.intent === 'commit' ? committedValue(core, original) : ownValue(original);
  if (known === null) return { amount_minor: named.amount_minor, points: named.points };
  return isWholeValue(named, known) ? 'whole' : 'partial';
}

export function isWholeValue(named: Named, known: z.output<typeof valueSchema>): boolean {
  return (
    (named.amount_minor === undefined || named.amount_minor === known.amount_minor) &&
    (named.points === undefined || named.points === known.points)
  );
}

export const partial: Failure = {
  status: 400,
  code: 'VALIDATION_ERROR',
  message: 'A transaction is reversed as a whole: leave amount_minor and points out.',
  details: ['partial_reversal_unsupported'],
};

function ownValue({ amountMinor, points }: Operation): z.output<typeof valueSchema> {
  return { amount_minor: amountMinor, points };
}

/** A commit spends what was held: its answer says how much, and so does its reservation's. */
function committedValue(
  core: Pick<AgentCore, 'operationByTransactionId' | 'sentRequest'>,
  commit: Operation,
): z.output<typeof valueSchema> | null {
  if (commit.amountMinor !== null || commit.points !== null) return ownValue(commit);
  const answered = valueSchema.safeParse(commit.answer);
  if (answered.success) return answered.data;
  const path = core.sentRequest(commit.rowId)?.path;
  const reservationId = path === undefined ? undefined : callOfPath(path).params.reservation_id;
  const held = reservationId === undefined ? null : core.operationByTransactionId(reservationId);
  const reserved = valueSchema.safeParse(held?.answer);
  return reserved.success ? reserved.data : null;
}
