import { z } from 'zod';
import { endpoints, fillPath } from '../../shared/contract/endpoints.ts';
import type { Transaction } from '../../shared/contract/transaction.ts';
import { cameToNothing } from '../../shared/machines/operation.ts';
import type { Unknown } from '../client/outcome.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { reversalRefOf, reversalRefOfId } from '../operations/requests/reversal-reference.ts';
import type { NonEarnWrite } from '../operations/requests/write.ts';
import { isReferenceFree } from '../operations/settlement/freed-reference.ts';
import type { Operation } from '../store/schema/operation.ts';
import { acceptedReversal } from './accepted-reversal.ts';
import type { Reply } from './answers.ts';
import { type Failure, unknownFailure } from './answers.ts';
import type { EndpointCall } from './endpoint-route.ts';
import { answerOutcome, type GoodAnswer, outcomeUnknown } from './immediate-answers.ts';
import { maybeSame } from './joined-record.ts';
import { performOnce, writeOf } from './performed-write.ts';
import { isHidden, referenceOfAnother, sees, unknownTransaction } from './reach.ts';
import { isWholeValue, partial } from './reversal-value.ts';

type Core = Pick<
  AgentCore,
  | 'perform'
  | 'operation'
  | 'passedOnReversals'
  | 'operationByTransactionId'
  | 'operationsByReference'
  | 'enrollmentsUnder'
  | 'readTransaction'
  | 'readTransactionsByReference'
>;
export type ReversalByReference = EndpointCall<typeof endpoints.reverse>;
export type ReversalById = EndpointCall<typeof endpoints.reverseById>;

/**
 * Reverses an operation that only the service knows, not this agent. A named value is first compared with the service's
 * record. A full value is then left out, so that the reversal is the same one with and without it.
 *
 * @param whenUnknown answers when the service does not know the operation either; null: in the service's own words
 */
export async function passOnByReference(
  core: Core,
  call: ReversalByReference,
  facts: {
    readonly reversalRef: string;
    readonly operationId: string;
    readonly whenUnknown: (() => Promise<Reply>) | null;
  },
): Promise<Reply> {
  const another = referenceOfAnother(core, call.caller, facts.reversalRef);
  if (another !== null) return another;
  const { amount_minor, points, ...unvalued } = call.body;
  const isValued = amount_minor !== undefined || points !== undefined;
  if (isValued) {
    const books = await core.readTransactionsByReference(unvalued.external_ref);
    if (books.kind === 'unknown') return unread(books, standingUnder(core, facts.reversalRef)[0] ?? null);
    const held = books.kind === 'done' ? books.answer.data.filter(({ intent }) => intent === unvalued.intent) : [];
    const whole = held.filter((original) => isWholeValue(call.body, original));
    if (held.length > 0 && whole.length === 0) return partial;
    // Of several, among them another source's, only the service knows which is meant: it compares the value itself.
    if (held.length > 0 && whole.length === held.length)
      return passOnByReference(core, { ...call, body: unvalued }, facts);
  }
  const body = { ...call.body, reversal_ref: facts.reversalRef };
  const performed = await performOnce(core, reversalOf(call, { ...facts, path: endpoints.reverse.path, body }));
  if (facts.whenUnknown !== null && performed.kind === 'refused' && performed.refusal.httpStatus === 404) {
    return facts.whenUnknown();
  }
  const { external_ref: externalRef, intent } = call.body;
  const originalId = async (): Promise<string | null> => {
    const books = await core.readTransactionsByReference(externalRef);
    const held = books.kind === 'done' ? books.answer.data.filter((transaction) => transaction.intent === intent) : [];
    // Of several, among them another source's, this reversal has taken back one that shows it.
    return (held.find(({ status }) => status === 'reversed') ?? held[0])?.transaction_id ?? null;
  };
  const reverses = performed.kind === 'done' ? (toldOriginal(performed.answer) ?? (await originalId())) : null;
  // The next try may be able to read the service's records.
  if (performed.kind === 'done' && reverses === null) return outcomeUnknown(performed.operation);
  return answerOutcome(performed, (good) => accepted(core, good, reverses));
}

/**
 * Reverses by the service's id. Without a reversal_ref the key of a reversal is its original's reference and intent
 * (decisions "Transactions"). They are read first, so that it is the same reversal by id and by reference.
 */
export async function passOnById(core: Core, call: ReversalById, operationId: string): Promise<Reply> {
  const { transaction_id: id } = call.params;
  const original = await core.readTransaction(id);
  if (original.kind === 'unknown') return byEarlierTry(core, call, original);
  if (original.kind === 'done') {
    // It is this till's own, under an id that a lost or wrong answer hid.
    if (isHidden(core, call.caller, original.answer)) return unknownTransaction;
    const { external_ref, intent } = original.answer;
    const books = await core.readTransactionsByReference(external_ref);
    if (books.kind === 'unknown') return byEarlierTry(core, call, books);
    // By reference the service finds only what was done with the same API key.
    const isFound = books.kind === 'done' && books.answer.data.some(({ transaction_id }) => transaction_id === id);
    if (isFound && (intent === 'earn' || intent === 'redeem')) {
      const reversalRef = call.body.reversal_ref ?? reversalRefOf(intent, external_ref);
      const byReference = { ...call, params: {}, body: { ...call.body, external_ref, intent } };
      if (!standsForOurs(core, reversalRef, original.answer)) {
        return passOnByReference(core, byReference, { reversalRef, operationId, whenUnknown: null });
      }
    }
  }
  const reversalRef = call.body.reversal_ref ?? reversalRefOfId(id);
  const another = referenceOfAnother(core, call.caller, reversalRef);
  if (another !== null) return another;
  const body = { ...call.body, reversal_ref: reversalRef };
  const path = fillPath(endpoints.reverseById.path, call.params);
  const performed = await performOnce(core, reversalOf(call, { reversalRef, operationId, path, body }));
  return answerOutcome(performed, (good) => accepted(core, good, id));
}

/** Whether a reference is the one of a reversal of an operation of ours that the service's record cannot be. */
function standsForOurs(core: Core, reversalRef: string, record: Transaction): boolean {
  return core.operationsByReference(reversalRef).some((reversal) => {
    if (reversal.intent !== 'reverse' || reversal.reversesRowId === null) return false;
    const ours = core.operation(reversal.reversesRowId);
    // An id that is proven is not the record's: by that one it would have been found.
    const hasOtherId = ours !== null && ours.serviceTransactionId !== null && ours.state !== 'accepted';
    const isOurs = ours !== null && !hasOtherId && maybeSame(ours, record);
    return !isOurs && !isReferenceFree(core, reversal);
  });
}

/** Nothing is sent now, because what is compared first could not be read. An earlier try may have been. */
export function unread(books: Unknown, earlier: Operation | null): Failure {
  return earlier === null ? unknownFailure({ ...books, recorded: 'no' }) : outcomeUnknown(earlier, books.retryAfterMs);
}

/** The same by id, where an earlier try says whether it was done. */
function byEarlierTry(core: Core, call: ReversalById, books: Unknown): Reply {
  const { transaction_id: id } = call.params;
  const { reversal_ref: reversalRef, amount_minor, points } = call.body;
  const tries = reversalRef === undefined ? core.passedOnReversals(id) : standingUnder(core, reversalRef);
  const earlier = tries.find((one) => sees(core, call.caller, one)) ?? null;
  if (earlier === null) return unread(books, null);
  const told = toldOriginal(earlier.answer);
  // The reference stands for the reversal of something else.
  if (told !== null && told !== id) return unread(books, null);
  // A value cannot be compared now.
  const isValued = amount_minor !== undefined || points !== undefined;
  const isDone = earlier.state === 'accepted' || earlier.state === 'applied';
  if (!isDone || told === null || isValued) return unread(books, earlier);
  const done = { kind: 'done', operation: earlier, answer: earlier.answer, duplicate: true } as const;
  return answerOutcome(done, (good) => accepted(core, good, id));
}

/** Reversals that were asked for under a reference, and have not come to nothing. */
export function standingUnder(core: Pick<Core, 'operationsByReference'>, reversalRef: string): readonly Operation[] {
  const mayStand = ({ intent, state }: Operation) => intent === 'reverse' && !cameToNothing.has(state);
  return core.operationsByReference(reversalRef).filter(mayStand);
}

function reversalOf(
  call: ReversalByReference | ReversalById,
  {
    reversalRef: externalRef,
    operationId,
    path,
    body,
  }: Pick<NonEarnWrite, 'operationId' | 'path' | 'body'> & { readonly reversalRef: string },
): NonEarnWrite {
  return writeOf(call, { operationId, path, body, intent: 'reverse', externalRef, identifier: null });
}

const acceptedSchema = z.object({ reverses_transaction_id: z.string() });

function toldOriginal(answer: unknown): string | null {
  const told = acceptedSchema.safeParse(answer);
  return told.success ? told.data.reverses_transaction_id : null;
}

/** @param reverses the original's id at the service, if known */
function accepted(core: Core, { answer, operation, duplicate }: GoodAnswer, reverses: string | null) {
  const original = operation.reversesRowId === null ? null : core.operation(operation.reversesRowId);
  return acceptedReversal(operation, {
    duplicate: duplicate || answer.duplicate === true,
    reverses: original?.transactionId ?? reverses,
  });
}
