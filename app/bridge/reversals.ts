import { endpoints, fillPath } from '../../shared/contract/endpoints.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { AgentCore } from '../agent-core.ts';
import { type ImmediateWrite, reversalRefOf } from '../operations/immediate-write.ts';
import type { Operation } from '../operations/operation.ts';
import type { Irreversible } from '../operations/reversals.ts';
import { type Failure, jsonAnswer } from './answers.ts';
import type { EndpointCall, Reply } from './endpoint-route.ts';
import { answerOutcome, notSaved, outcomeUnknown } from './immediate-answers.ts';
import type { BridgeAnswer } from './messages.ts';
import { serviceIdHeader } from './reads.ts';
import { intentOfOperation } from './transaction-view.ts';

type Core = Pick<
  AgentCore,
  'perform' | 'reverse' | 'operation' | 'operationsByReference' | 'operationByTransactionId' | 'reversalOf'
>;
type ByReference = EndpointCall<typeof endpoints.reverse>;
type ById = EndpointCall<typeof endpoints.reverseById>;

const bridgeWait = { waitMs: 0 };

/** Spec "POST /transactions/reverse": ours by the rules of the agent, anybody else's by the service's. */
export function answerReverse(core: Core, call: ByReference, operationId: string): Promise<Reply> {
  const { external_ref: externalRef, intent } = call.body;
  const original = core
    .operationsByReference(externalRef)
    .find((operation) => intentOfOperation[operation.intent] === intent);
  if (original !== undefined) return reverseOurs(core, { original, call, operationId });
  const reversalRef = call.body.reversal_ref ?? reversalRefOf(intent, externalRef);
  return passOn(core, {
    path: endpoints.reverse.path,
    body: { ...call.body, reversal_ref: reversalRef },
    reversalRef,
    operationId,
    idempotencyKey: call.idempotencyKey,
    posName: call.caller.name,
  });
}

/** Spec "POST /transactions/{transaction_id}/reverse", by either of an operation's ids. */
export function answerReverseById(core: Core, call: ById, operationId: string): Promise<Reply> {
  const { transaction_id: id } = call.params;
  const original = core.operationByTransactionId(id);
  if (original !== null) return reverseOurs(core, { original, call, operationId });
  if (id.startsWith('txn_local_')) return Promise.resolve(unknownTransaction);
  const reversalRef = call.body.reversal_ref ?? `reverse-${id}`;
  return passOn(core, {
    path: fillPath(endpoints.reverseById.path, call.params),
    body: { ...call.body, reversal_ref: reversalRef },
    reversalRef,
    operationId,
    idempotencyKey: call.idempotencyKey,
    posName: call.caller.name,
  });
}

const unknownTransaction: Failure = {
  status: 404,
  code: 'VALIDATION_ERROR',
  message: 'This agent has no transaction of that id.',
  details: ['transaction_not_found'],
};

interface OursToReverse {
  readonly original: Operation;
  readonly call: ByReference | ById;
  readonly operationId: string;
}

async function reverseOurs(core: Core, { original, call, operationId }: OursToReverse): Promise<Reply> {
  const { body, idempotencyKey, caller } = call;
  if (!isWhole(original, body)) return partial;
  const outcome = await core.reverse(original.rowId, {
    origin: 'bridge',
    posName: caller.name,
    operationId,
    reversalRef: body.reversal_ref ?? null,
    reason: body.reason ?? null,
    idempotencyKey,
  });
  switch (outcome.kind) {
    case 'saved':
    case 'cancelled':
      return acceptedAnswer(outcome.reversal, outcome.original, { duplicate: outcome.duplicate });
    case 'immediate': {
      const performed = await core.perform(outcome.write, bridgeWait);
      return answerOutcome(performed, ({ operation, duplicate }) => accepted(operation, outcome.original, duplicate));
    }
    case 'irreversible':
      return outcome.why === 'outcome_unknown' ? outcomeUnknown(outcome.operation) : refusals[outcome.why];
    case 'already':
      return { status: 409, code: 'ALREADY_REVERSED', message: 'This transaction was reversed already.' };
    case 'not_saved':
      return notSaved(outcome.message);
    default:
      return assertNever(outcome);
  }
}

/** The full value may be named; anything else would be partial (spec "POST /transactions/reverse"). */
function isWhole(original: Operation, body: ById['body']): boolean {
  const { amount_minor: amountMinor, points } = body;
  return (
    (amountMinor === undefined || amountMinor === original.amountMinor) &&
    (points === undefined || points === original.points)
  );
}

const partial: Failure = {
  status: 400,
  code: 'VALIDATION_ERROR',
  message: 'A transaction is reversed as a whole: leave amount_minor and points out.',
  details: ['partial_reversal_unsupported'],
};

const neverSucceeded: Failure = {
  status: 400,
  code: 'VALIDATION_ERROR',
  message: 'The transaction never succeeded: there is nothing to take back.',
  details: ['transaction_not_succeeded'],
};
const noReversal: Failure = {
  status: 422,
  code: 'VALIDATION_ERROR',
  message: 'This transaction has no reversal.',
  details: ['transaction_not_reversible'],
};

const refusals: Readonly<Record<Exclude<Irreversible, 'outcome_unknown'>, Failure>> = {
  one_shot: noReversal,
  no_transaction: noReversal,
  failed: neverSucceeded,
  written_off: neverSucceeded,
};

interface PassedOn {
  readonly path: string;
  readonly body: object & { readonly [field: string]: unknown };
  readonly reversalRef: string;
  readonly operationId: string;
  readonly idempotencyKey: string | null;
  readonly posName: string;
}

/** The reversal of what this agent never carried: the service alone knows it. */
async function passOn(core: Core, reversal: PassedOn): Promise<Reply> {
  const write: ImmediateWrite = {
    origin: 'bridge',
    posName: reversal.posName,
    operationId: reversal.operationId,
    intent: 'reverse',
    path: reversal.path,
    body: reversal.body,
    externalRef: reversal.reversalRef,
    identifier: null,
    customerName: null,
    idempotencyKey: reversal.idempotencyKey,
    reversesRowId: null,
  };
  const performed = await core.perform(write, bridgeWait);
  return answerOutcome(performed, ({ answer, operation, duplicate }) => ({
    status: duplicate || answer.duplicate === true ? 200 : 202,
    body: { ...answer, transaction_id: operation.transactionId, duplicate: duplicate || answer.duplicate === true },
    headers: serviceIdHeader(operation),
  }));
}

function acceptedAnswer(
  reversal: Operation,
  original: Operation,
  { duplicate }: { readonly duplicate: boolean },
): BridgeAnswer {
  const { status, body, headers } = accepted(reversal, original, duplicate);
  return jsonAnswer(status, body, headers);
}

function accepted(reversal: Operation, original: Operation, duplicate: boolean) {
  return {
    status: duplicate ? 200 : 202,
    body: {
      transaction_id: reversal.transactionId,
      status: 'pending',
      duplicate,
      reverses_transaction_id: original.transactionId,
    },
    headers: serviceIdHeader(reversal),
  };
}
