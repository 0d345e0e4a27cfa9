import { endpointNames, endpoints, fillPath } from '../../shared/contract/endpoints.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { reversalRefOf } from '../operations/requests/reversal-reference.ts';
import type { ReversalOriginal } from '../operations/reversals/reversal-original.ts';
import type { Irreversible } from '../operations/reversals/reversals.ts';
import { type Operation, wasTakenBackUnsent } from '../store/schema/operation.ts';
import { acceptedReversal } from './accepted-reversal.ts';
import type { Reply } from './answers.ts';
import { type Failure, jsonAnswer } from './answers.ts';
import { answerOutcome, notSaved } from './immediate-answers.ts';
import { passOnById, passOnByReference, type ReversalById, type ReversalByReference } from './passed-on-reversals.ts';
import { performOnce } from './performed-write.ts';
import { mayUndo, sees, takenByAnother, unknownTransaction } from './reach.ts';
import { referenceTaken } from './reference-taken.ts';
import { partial, valueBeside } from './reversal-value.ts';
import { passOnOfNothing } from './reversals-of-nothing.ts';
import { namedBy } from './standing-view.ts';

type Core = Pick<
  AgentCore,
  | 'perform'
  | 'reverse'
  | 'operation'
  | 'standingFor'
  | 'passedOnReversals'
  | 'originalOf'
  | 'operationByTransactionId'
  | 'operationsByReference'
  | 'enrollmentsUnder'
  | 'readTransaction'
  | 'readTransactionsByReference'
  | 'agreesWith'
  | 'sentRequest'
>;

/**
 * Spec "POST /transactions/reverse". This till's operations follow the agent's rules, all others the service's. When
 * this till's operation has left the reference free, the service may hold it all the same. So the service is asked first,
 * and only what it does not know, or what is quite another till's, never succeeded. It is not asked when this till's
 * operation failed because of that record, was sent under another number, or was cancelled here: a POS program undoes its
 * own sale, not another's.
 */
export async function answerReverse(
  core: Core,
  call: ReversalByReference,
  newOperationId: () => string,
): Promise<Reply> {
  const { external_ref: externalRef, intent } = call.body;
  const reversalRef = call.body.reversal_ref ?? reversalRefOf(intent, externalRef);
  const ours = (found: ReversalOriginal) =>
    reverseOurs(core, { original: found.operation, named: found.named, call, operationId: newOperationId() });
  const original = core.originalOf(externalRef, intent);
  // With the till's key the service would reverse it for every caller, so the agent has to refuse it.
  if (original !== null && !mayUndo(call.caller, original.operation)) return unknownTransaction;
  if (original === null) {
    const passedOn = { reversalRef, operationId: newOperationId(), whenUnknown: null };
    const reply = await passOnByReference(core, call, passedOn);
    // It may have overtaken its earn, which was being saved meanwhile.
    const saved = reply.status === 404 || reply.status === 400 ? core.originalOf(externalRef, intent) : null;
    return saved === null || !mayUndo(call.caller, saved.operation) ? reply : ours(saved);
  }
  const { operation, named, stands, gaveWay } = original;
  const isUnderAnotherNumber = operation.rowId !== named.rowId;
  if (stands || gaveWay || isUnderAnotherNumber || isTakenBackHere(core, operation, reversalRef)) return ours(original);
  // A person may have sent it again, or under another number, while the service was asked.
  const whenNotThere = () => ours(core.originalOf(externalRef, intent) ?? original);
  return passOnOfNothing(core, call, { reversalRef, operationId: newOperationId(), whenNotThere });
}

/**
 * Before it was sent; or under this reversal's reference, before the service refused it or with the answer that it never
 * happened.
 */
function isTakenBackHere(core: Core, operation: Operation, reversalRef: string): boolean {
  if (wasTakenBackUnsent(operation)) return true;
  const { rowId, state, delivery } = operation;
  const isClosed = state === 'cancelled' && delivery === 'deferred';
  const ofThis = core.operationsByReference(reversalRef).filter(({ reversesRowId }) => reversesRowId === rowId);
  return ofThis.some((reversal) => isClosed || reversal.delivery === 'immediate');
}

/** Spec "POST /transactions/{transaction_id}/reverse", by either of an operation's ids. */
export async function answerReverseById(core: Core, call: ReversalById, operationId: string): Promise<Reply> {
  const { transaction_id: id } = call.params;
  const named = namedBy(core, id);
  if (named !== null && !mayUndo(call.caller, named)) return unknownTransaction;
  if (named !== null) return reverseOurs(core, { original: core.standingFor(named), named, call, operationId });
  return id.startsWith('txn_local_') || isNameOfCall(id) ? unknownTransaction : passOnById(core, call, operationId);
}

/** Under such an id the service has a call and no transaction: to read it would be to ask the service for something else. */
function isNameOfCall(id: string): boolean {
  const path = fillPath(endpoints.transaction.path, { transaction_id: id });
  return endpointNames.some((name) => endpoints[name].path === path);
}

const alreadyReversed: Failure = {
  status: 409,
  code: 'ALREADY_REVERSED',
  message: 'This transaction was reversed already.',
};

interface OursToReverse {
  readonly original: Operation;
  /** What the caller knows it by: the same one, or the one in whose place it stands. */
  readonly named: Operation;
  readonly call: ReversalByReference | ReversalById;
  readonly operationId: string;
}

async function reverseOurs(core: Core, { original, named, call, operationId }: OursToReverse): Promise<Reply> {
  const { body, idempotencyKey, caller } = call;
  const value = valueBeside(core, original, body);
  if (value === 'partial') return partial;
  const outcome = await core.reverse(original.rowId, {
    origin: 'bridge',
    posName: caller.name,
    operationId,
    reversalRef: body.reversal_ref ?? null,
    reason: body.reason ?? null,
    ...(value === 'whole' ? {} : { value }),
    idempotencyKey,
  });
  switch (outcome.kind) {
    case 'saved':
    case 'cancelled': {
      const taken = { duplicate: outcome.duplicate, reverses: named.transactionId };
      const { status, body, headers } = acceptedReversal(outcome.reversal, taken);
      return jsonAnswer(status, body, headers);
    }
    case 'immediate': {
      const performed = await performOnce(core, outcome.write);
      return answerOutcome(performed, ({ answer, operation, duplicate }) =>
        acceptedReversal(operation, {
          duplicate: duplicate || answer.duplicate === true,
          reverses: named.transactionId,
        }),
      );
    }
    case 'irreversible':
      return refusals[outcome.why];
    case 'already':
      return alreadyReversed;
    case 'reference_taken':
      if (!sees(core, caller, outcome.operation)) return takenByAnother(body.reversal_ref ?? '');
      return referenceTaken(outcome.operation, { ...outcome, firstBusinessDate: null });
    case 'not_saved':
      return notSaved(outcome);
    default:
      return assertNever(outcome);
  }
}

const neverSucceeded: Failure = {
  status: 400,
  code: 'VALIDATION_ERROR',
  message: 'The transaction never succeeded: there is nothing to reverse.',
  details: ['transaction_not_succeeded'],
};
const noReversal: Failure = {
  status: 422,
  code: 'VALIDATION_ERROR',
  message: 'This transaction has no reversal.',
  details: ['transaction_not_reversible'],
};

/** It may be on its way to the service at this moment. The reversal is not kept: whoever asks again hears what follows. */
const notKnownYet: Failure = {
  status: 504,
  code: 'UPSTREAM_TIMEOUT',
  message: 'Nothing was sent: whether what is to be reversed was done is not known yet; send the same request again',
  details: ['not_sent'],
};

const refusals: Readonly<Record<Irreversible, Failure>> = {
  outcome_unknown: notKnownYet,
  one_shot: noReversal,
  no_transaction: noReversal,
  refused: neverSucceeded,
  failed: neverSucceeded,
  written_off: neverSucceeded,
  cancelled: neverSucceeded,
};
