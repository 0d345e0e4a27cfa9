import type { Operation } from '../../../app/store/schema/operation.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { type HeldTransaction, inWords, isSameValue, stands, valuesInWords } from './books.ts';
import {
  bookIntent,
  canSee,
  type Evidence,
  heldUnder,
  isLost,
  isRequestOf,
  isSameSale,
  isWhollyForgotten,
  type ShownTill,
} from './evidence.ts';
import type { RuleName, Verdict } from './rules.ts';

/** What each till shows of its rows, against the service's books. */
export function judgeShown(evidence: Evidence): readonly Verdict[] {
  return evidence.shown.flatMap((shown) =>
    shown.operations.flatMap((operation) => [
      ...judgeRow(evidence, shown, operation),
      ...judgeHistory(shown, operation),
    ]),
  );
}

function judgeRow(evidence: Evidence, shown: ShownTill, operation: Operation): readonly Verdict[] {
  const intent = bookIntent(operation.intent);
  const sentAgainAtMs = shown.till.sentAgain.get(operation.rowId);
  if (intent === null || isLost(evidence, intent, operation.externalRef, sentAgainAtMs)) return [];
  const held = heldUnder(evidence, intent, operation.externalRef);
  const isLenient = operation.state === 'applied';
  const mine = held.find((one) => isOfRow(evidence, shown, operation, one, { isLenient }));
  // What it sent under another partner's key it cannot look up under this one.
  if (mine !== undefined && !isLenient && !canSee(evidence, shown.till, mine)) return [];
  const say = (rule: RuleName): readonly Verdict[] => [{ rule, text: rowInWords(shown, operation, mine ?? held[0]) }];
  const isSeen = shown.seenByPerson.has(operation.externalRef);
  switch (operation.state) {
    case 'applied':
      if (mine !== undefined) return judgeApplied(evidence, shown, operation, mine);
      return say(held.length === 0 ? 'shown-applied-not-held' : 'shown-applied-anothers');
    case 'reversed':
      return stands(mine) ? say('shown-reversed-but-stands') : [];
    case 'cancelled':
      if (!stands(mine) || isSeen) return [];
      return say(operation.decision === 'take_full_payment' ? 'paid-in-full-but-stands' : 'shown-cancelled-but-stands');
    case 'refused':
      // What a person changed in a time that the till does not remember is another request to it: the refusal tells them.
      return stands(mine) && !wasChangedSince(evidence, shown, operation, mine) ? say('shown-refused-but-stands') : [];
    case 'failed':
      return stands(mine) ? say('shown-failed-but-stands') : [];
    case 'written_off':
      return stands(mine) && !shown.attention.has(operation.rowId) ? say('written-off-but-stands') : [];
    case 'queued':
    case 'sending':
    case 'unknown':
    case 'accepted':
      return [];
    default:
      return assertNever(operation.state);
  }
}

function judgeApplied(
  evidence: Evidence,
  shown: ShownTill,
  operation: Operation,
  mine: HeldTransaction,
): readonly Verdict[] {
  const text = rowInWords(shown, operation, mine);
  if (stands(mine)) {
    const isTakenBack = operation.decision === 'take_full_payment' && !shown.seenByPerson.has(operation.externalRef);
    const reversal = shown.core.reversalOf(operation.rowId);
    const isUnderWay = reversal !== null && reversal.state !== 'cancelled';
    return isTakenBack && !isUnderWay ? [{ rule: 'paid-in-full-but-stands', text }] : [];
  }
  if (mine.status !== 'reversed') return [{ rule: 'shown-applied-not-success', text }];
  // What became of the reversal that it sent, a till reads under its key: when that is refused for good, nothing tells.
  if (!canSee(evidence, shown.till, mine)) return [];
  const reversal = evidence.books.transactions.find(({ reverses }) => reverses === mine.transactionId);
  const isByThisTill = reversal?.tag?.startsWith(`${shown.till.name}:`) ?? false;
  // Another till may have reversed it: this one's reads tell, its rows need not. What its key does not show it cannot know.
  return isByThisTill && canSee(evidence, shown.till, mine) ? [{ rule: 'shown-applied-but-reversed', text }] : [];
}

/** Whether a transaction is the one that a row stands for: its own request's or, leniently, one that is the same sale. */
function isOfRow(
  evidence: Evidence,
  shown: ShownTill,
  operation: Operation,
  held: HeldTransaction,
  { isLenient }: { readonly isLenient: boolean },
): boolean {
  const { books, world } = evidence;
  if (operation.intent === 'commit') {
    const path = shown.core.sentRequest(operation.rowId)?.path ?? '';
    const reservation = books.reservations.find(({ reservation_id: id }) => path.includes(`/${id}/`));
    return reservation?.committed_transaction_id === held.transactionId;
  }
  if (!isSameValue(operation, held.values)) return false;
  // A person may have corrected whose it is since it was asked for.
  const named = /"loyalty_id":"([^"]+)"/.exec(shown.core.sentRequest(operation.rowId)?.body ?? '')?.[1] ?? null;
  return world.asked.some(
    (asked) =>
      asked.till === shown.till.name &&
      asked.kind === operation.intent &&
      // A row that was saved since then is not the one of a request that the database does not remember.
      (isLenient || isRequestOf(shown, operation, asked) || !isWhollyForgotten(evidence, asked)) &&
      (asked.tag === held.tag ||
        (isLenient &&
          asked.ref === operation.externalRef &&
          isSameSale(evidence, { ...asked, loyaltyId: named ?? asked.loyaltyId }, held))),
  );
}

/** Whether a transaction is a row's own for another customer, and the till has forgotten what it did for a while. */
function wasChangedSince(
  { books }: Evidence,
  { till }: ShownTill,
  { identifier, error }: Operation,
  held: HeldTransaction | undefined,
): boolean {
  const card = books.cards.find(({ card_id: cardId }) => cardId === held?.cardId);
  const isOther = identifier?.kind === 'loyalty_id' && card !== undefined && card.loyalty_id !== identifier.value;
  return till.forgotten.length > 0 && isOther && error?.code === 'DUPLICATE_TRANSACTION';
}

function judgeHistory({ core, till }: ShownTill, operation: Operation): readonly Verdict[] {
  const last = core.history(operation.rowId).at(-1)?.to;
  if (last === operation.state) return [];
  const text = `${till.name} ${operation.intent} ${operation.externalRef} is ${operation.state}, its history ends in ${last}`;
  return [{ rule: 'history-is-broken', text }];
}

function rowInWords({ till }: ShownTill, operation: Operation, held: HeldTransaction | undefined): string {
  const { intent, externalRef, state, decision, error } = operation;
  const more = [decision, error?.code].filter((word) => word != null).join(' ');
  return `${till.name} ${intent} ${externalRef} ${valuesInWords(operation)} shown ${state} ${more}; service: ${inWords(held)}`;
}
