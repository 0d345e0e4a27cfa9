import { cameToNothing } from '../../shared/machines/operation.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { comparedOperations, freshMs } from '../customers/used-cards.ts';
import type { Operation } from '../store/schema/operation.ts';

type Core = Pick<AgentCore, 'clock' | 'status' | 'operationsOfCustomer'>;

/** Whether the balances that an operation brought can still be those of its card. A receipt may be printed later. */
export function isBalancePresent(core: Core, operation: Operation): boolean {
  const { identifier, operationId, updatedAtMs, completedAtMs } = operation;
  const cardId = cardOf(operation);
  const nowMs = core.clock.now();
  const serviceNowMs = nowMs + (core.status().clockSkewMs ?? 0);
  // What was found late has the balances of the time when the service did it.
  const ageMs = Math.max(nowMs - updatedAtMs, completedAtMs === null ? 0 : serviceNowMs - completedAtMs);
  if (ageMs > freshMs) return false;
  const theirs = {
    identifiers: identifier === null ? [] : [{ [identifier.kind]: identifier.value }],
    cardIds: cardId === null ? [] : [cardId],
  };
  return !core.operationsOfCustomer(theirs, comparedOperations).some((other) => {
    const otherCardId = cardOf(other);
    const isOfCard = cardId === null || otherCardId === null || otherCardId === cardId;
    return other.operationId !== operationId && isOfCard && isChangeSince(other, operation);
  });
}

/** Whether another operation can have changed the card after this one. In the same instant the till's own order counts. */
function isChangeSince(other: Operation, { rowId, updatedAtMs, completedAtMs }: Operation): boolean {
  if (cameToNothing.has(other.state)) return false;
  const doneLaterMs = other.completedAtMs === null || completedAtMs === null ? 0 : other.completedAtMs - completedAtMs;
  const toldLaterMs = other.updatedAtMs - updatedAtMs;
  return doneLaterMs > 0 || toldLaterMs > 0 || (doneLaterMs === 0 && toldLaterMs === 0 && other.rowId > rowId);
}

function cardOf({ cardId, serviceCardId }: Operation): string | null {
  return cardId ?? serviceCardId;
}
