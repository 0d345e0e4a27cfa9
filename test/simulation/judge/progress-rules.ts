import type { Operation } from '../../../app/store/schema/operation.ts';
import { type Evidence, type ShownTill, stuckReason } from './evidence.ts';
import type { Verdict } from './rules.ts';

/** Everything comes to an end, but for what can never be sent; and that is shown. */
export function judgeProgress(evidence: Evidence): readonly Verdict[] {
  return evidence.shown.flatMap((shown) =>
    shown.operations.flatMap((operation) => [
      ...judgeWaiting(evidence, shown, operation),
      ...judgeRetention(evidence, shown, operation),
    ]),
  );
}

function judgeWaiting(evidence: Evidence, shown: ShownTill, operation: Operation): readonly Verdict[] {
  const { till, attention, core } = shown;
  const { state, intent, externalRef, cause, reversesRowId } = operation;
  if (state !== 'queued' && state !== 'sending' && state !== 'accepted' && state !== 'unknown') return [];
  const text = `${till.name} ${intent} ${externalRef} is ${state} ${cause ?? ''}`;
  const original = reversesRowId === null ? null : core.operation(reversesRowId);
  const isStuck =
    stuckReason(evidence, till, operation) !== null ||
    (original !== null && stuckReason(evidence, till, original) !== null);
  const isShown = attention.has(operation.rowId);
  if (isStuck) {
    const isConnectionBad = core.status().connection.state !== 'online';
    return state === 'unknown' && !isShown && !isConnectionBad ? [{ rule: 'stuck-unseen', text }] : [];
  }
  // What went out under another key is a person's to decide, when no read can tell what became of it.
  // Now and then it is looked up, and for that moment it is not in the list.
  const isAnotherKeys = (row: Operation): boolean =>
    (row.state === 'unknown' && attention.has(row.rowId)) ||
    (row.state === 'sending' && row.cause === 'unauthenticated');
  if (till.hadOtherKey && (isShown || isAnotherKeys(operation))) return [];
  // A reversal that waits for such a one goes its way when that is decided.
  const isWithPerson = original !== null && isAnotherKeys(original);
  if (till.hadOtherKey && state === 'queued' && isWithPerson) return [];
  return [{ rule: state === 'unknown' && isShown ? 'unknown-for-ever' : 'row-never-ends', text }];
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function judgeRetention(evidence: Evidence, { till, core }: ShownTill, operation: Operation): readonly Verdict[] {
  const { world } = evidence;
  const { state, identifier, updatedAtMs, externalRef } = operation;
  // By a clock that was set nobody can tell how long ago something was settled.
  if (identifier === null || world.plan.faults.has('clock_jump')) return [];
  if (state !== 'applied' && state !== 'reversed' && state !== 'cancelled' && state !== 'written_off') return [];
  // What is still looked up is not over, and of what never gets an answer the looks never end.
  const isLookedUp = state === 'cancelled' || state === 'written_off' || till.forgotten.length > 0;
  if (isLookedUp && stuckReason(evidence, till, operation) !== null) return [];
  const ageMs = core.clock.now() - updatedAtMs;
  if (ageMs < world.plan.limits.retentionDays * dayMs + 2 * hourMs) return [];
  return [
    { rule: 'kept-too-long', text: `${till.name} ${externalRef} names its customer after ${ageMs / hourMs} hours` },
  ];
}
