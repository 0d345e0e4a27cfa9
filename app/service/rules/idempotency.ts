import type { EndpointName } from '../../../shared/contract/endpoints.ts';
import { keyReusedDetail } from '../../../shared/contract/errors.ts';
import type { Intent } from '../../../shared/contract/primitives.ts';
import { type Refusal, type Result, refuse } from '../answer.ts';
import type { Call, ServiceContext } from '../context.ts';
import type { StoredTransaction } from '../store/transaction-store.ts';

/**
 * Natural keys (spec "What the service does", 4): a source never has two writes of one of these. They are texts, so
 * that one unique index holds for all of them; the reference stands last, so that none can look like another.
 */
export function naturalKeyOf(intent: Exclude<Intent, 'reverse'>, externalRef: string): string {
  return `${intent}:${externalRef}`;
}

/**
 * A reversal's: its own reference, or else the original's with its intent (gap: Transactions). Another partner's
 * original, named by its id, has a reference that may be one of the caller's own, too: then the id stands for it.
 */
export function naturalKeyOfReversal(
  original: Pick<StoredTransaction, 'intent' | 'externalRef' | 'source' | 'transactionId'>,
  { source, reversalRef }: { readonly source: string; readonly reversalRef: string | undefined },
): string {
  if (reversalRef !== undefined) return reversalKey(reversalRef);
  if (original.source !== source) return `${foreignReversalPrefix}${original.transactionId}`;
  return reversalKeyOfOriginal(original.intent, original.externalRef);
}

/** How the natural key of a reversal of another partner's original begins. */
const foreignReversalPrefix = 'reverse:id:';

function reversalKey(reversalRef: string): string {
  return `reverse:ref:${reversalRef}`;
}

function reversalKeyOfOriginal(intent: Intent, externalRef: string): string {
  return `reverse:original:${intent}:${externalRef}`;
}

/** Every natural key with this external_ref in it. Keys that begin with `foreignReversalPrefix` have none. */
export function naturalKeysShowing(externalRef: string): readonly string[] {
  return [
    naturalKeyOf('earn', externalRef),
    naturalKeyOf('redeem', externalRef),
    naturalKeyOf('enroll', externalRef),
    naturalKeyOf('adjust', externalRef),
    reversalKeyOfOriginal('earn', externalRef),
    reversalKeyOfOriginal('redeem', externalRef),
    reversalKey(externalRef),
  ];
}

/** What an Idempotency-Key stands for. */
interface KeyedCall {
  readonly endpoint: EndpointName;
  readonly naturalKey: string;
}

/**
 * Asked for a new write only: a write that its natural key knows is a replay, whatever this header says. The
 * Idempotency-Key never replaces the natural key; it only must not come back on another request: another
 * endpoint, or another natural key (gap: Errors and limits).
 */
export function checkIdempotencyKey({ store }: ServiceContext, call: Call, request: KeyedCall): Refusal | null {
  if (call.idempotencyKey === null) return null;
  const first = store.idempotency.find(call.caller.source, call.idempotencyKey);
  if (first === null) return null;
  if (first.endpoint === request.endpoint && first.naturalKey === request.naturalKey) return null;
  return refuse('DUPLICATE_TRANSACTION', 'This Idempotency-Key was used for another request.', {
    details: [keyReusedDetail],
  });
}

/**
 * Keeps what the key was first used for. Refused writes keep nothing, so it is called only when the write is recorded,
 * or was.
 */
export function keepIdempotencyKey({ store }: ServiceContext, call: Call, request: KeyedCall): void {
  if (call.idempotencyKey !== null) store.idempotency.insert(call.caller.source, call.idempotencyKey, request);
}

/** A replay's answer. A key that is first seen on it stands for that request from now on. */
export function answerReplay(context: ServiceContext, call: Call, request: KeyedCall, answer: Result): Result {
  if (answer.kind === 'done') keepIdempotencyKey(context, call, request);
  return answer;
}
