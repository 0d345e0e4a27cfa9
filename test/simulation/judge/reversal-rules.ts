import { lastWord } from '../facts.ts';
import { stands } from './books.ts';
import { type Case, say } from './case.ts';
import { bookIntent, canSee, heldUnder, isForgotten, isLost } from './evidence.ts';
import type { Verdict } from './rules.ts';

/** A reversal that somebody was promised, against what stands. */
export function judgeReversal(about: Case): readonly Verdict[] {
  const { evidence, asked, shown } = about;
  const { world } = evidence;
  const intent = asked.originalIntent ?? 'earn';
  const last = lastWord(asked);
  if (last?.verdict !== 'done' && last?.verdict !== 'promised') return [];
  if (isLost(evidence, intent, asked.ref) || shown.seenByPerson.has(asked.ref)) return [];
  // What the till sold in a time that its database does not remember is to it as another till's sale: a later one under
  // the same reference gives way to it, and with it the reversal of that later one.
  const ownTags = new Set(
    world.asked
      .filter(
        (other) =>
          other.till === asked.till &&
          other.ref === asked.ref &&
          bookIntent(other.kind) === intent &&
          !isForgotten(evidence, other),
      )
      .map(({ tag }) => tag),
  );
  const original = heldUnder(evidence, intent, asked.ref).find(
    (held) =>
      stands(held) &&
      canSee(evidence, shown.till, held) &&
      (ownTags.size === 0 || held.tag === null || ownTags.has(held.tag)),
  );
  if (original === undefined) return [];
  // Sold again under the same reference after it was taken back.
  const isSoldAgain = world.asked.some(
    (other) =>
      other.ref === asked.ref &&
      bookIntent(other.kind) === intent &&
      other.askedAtMs.some((atMs) => atMs > (asked.told[0]?.atMs ?? 0)),
  );
  // One that still waits is judged for that.
  const waits = shown.operations.some(
    ({ intent: kind, state, reversesRowId }) =>
      kind === 'reverse' &&
      (state === 'queued' || state === 'sending' || state === 'unknown' || state === 'accepted') &&
      shown.core.operation(reversesRowId ?? 0)?.externalRef === asked.ref,
  );
  return isSoldAgain || waits ? [] : say('reversal-promised-but-stands', about, original);
}
