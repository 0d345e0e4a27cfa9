import { z } from 'zod';
import type { AgentCore } from '../core/agent-core.ts';
import { callOfPath } from '../line/call-of-path.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { Failure } from './answers.ts';

interface Named {
  readonly amount_minor?: number | undefined;
  readonly points?: number | undefined;
}

const valueSchema = z.object({ amount_minor: z.number().nullable(), points: z.number().nullable() });

/**
 * Compares the value that a reversal names with the original's. The full value may be named; any other would be a
 * partial reversal (spec "POST /transactions/reverse").
 *
 * @returns the named value when the original's is unknown here, so that the service has to compare it
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

/** The value of a commit, which spends what was held. Its answer has it, and so has its reservation's. */
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
