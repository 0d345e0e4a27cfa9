import type { Operation } from '../../../app/store/schema/operation.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { type Asked, lastWord, wasAcknowledged } from '../facts.ts';
import { type HeldEnrollment, isSameValue, pointsUnit, stands } from './books.ts';
import { type Case, say, sayOf } from './case.ts';
import {
  canSee,
  type Evidence,
  heldUnder,
  isForgotten,
  isLost,
  isSameSale,
  type ShownTill,
  wasReversalAsked,
} from './evidence.ts';
import { judgeReversal } from './reversal-rules.ts';
import type { Verdict } from './rules.ts';

/** What somebody was told of each request, against the service's books. */
export function judgeTold(evidence: Evidence): readonly Verdict[] {
  return evidence.world.asked.flatMap((asked) => {
    const shown = evidence.shown.find(({ till }) => till.name === asked.till);
    if (shown === undefined || isForgotten(evidence, asked)) return [];
    return judgeAsked({ evidence, asked, shown });
  });
}

function judgeAsked(about: Case): readonly Verdict[] {
  switch (about.asked.kind) {
    case 'earn':
      return judgeEarn(about);
    case 'redeem':
      return judgeRedeem(about);
    case 'reverse':
      return judgeReversal(about);
    case 'commit':
      return judgeCommit(about);
    case 'reserve':
      return judgeHold(about);
    case 'release':
      return judgeRelease(about);
    case 'enroll':
    case 'verify':
      return judgeEnrollment(about);
    default:
      return assertNever(about.asked.kind);
  }
}

function judgeEarn(about: Case): readonly Verdict[] {
  const { evidence, asked, shown } = about;
  if (!wasAcknowledged(asked) || isLost(evidence, 'earn', asked.ref)) return [];
  const last = lastWord(asked);
  if (last?.verdict === 'refused') return [];
  const held = heldUnder(evidence, 'earn', asked.ref);
  if (held.some((one) => one.tag === asked.tag || isSameSale(evidence, asked, one))) return [];
  if (shown.seenByPerson.has(asked.ref) || wasReversalAsked(evidence, 'earn', asked.ref)) return [];
  const row = shown.operations.find((operation) => operation.intent === 'earn' && operation.externalRef === asked.ref);
  if (row !== undefined && wasReplaced(shown, row, asked)) return [];
  // One that still waits is judged for that.
  const waits = row !== undefined && ['queued', 'sending', 'unknown', 'accepted'].includes(row.state);
  return waits ? [] : say('acknowledged-earn-lost', about, held[0]);
}

/**
 * Whether a sale was refused, by the service or because the service held another till's under its reference, and the till
 * was then given another request under that reference. A refused one stands in Needs attention and leaves its reference
 * free; a later one takes its whole place, since nobody can tell a corrected sale from another one with its number.
 */
function wasReplaced({ core }: ShownTill, { rowId }: Operation, asked: Asked): boolean {
  const isOfAsked = core.sentRequest(rowId)?.body?.includes(`"${asked.tag}"`) ?? false;
  const history = core.history(rowId);
  return !isOfAsked && history.some(({ from, to }) => from === 'refused' && to === 'queued');
}

function judgeRedeem(about: Case): readonly Verdict[] {
  const { evidence, asked, shown } = about;
  const last = lastWord(asked);
  if (isLost(evidence, 'redeem', asked.ref)) return [];
  const held = heldUnder(evidence, 'redeem', asked.ref);
  const mine = held.find((one) => one.tag === asked.tag && canSee(evidence, shown.till, one));
  const isSeen = shown.seenByPerson.has(asked.ref);
  const verdicts: Verdict[] = [];
  if (last?.verdict === 'done' && last.state !== 'reversed') {
    const isHeld = held.some((one) => one.tag === asked.tag || isSameSale(evidence, asked, one));
    if (!isHeld) {
      verdicts.push(...say(held.length === 0 ? 'told-done-not-held' : 'told-done-anothers', about, held[0]));
    } else if (mine?.status === 'reversed' && !wasReversalAsked(evidence, 'redeem', asked.ref)) {
      verdicts.push(...say('told-done-but-reversed', about, mine));
    }
    if (last.values !== null && !isSameValue(last.values, asked.values)) {
      verdicts.push(...say('told-other-values', about, mine ?? held[0]));
    }
  }
  const isNo = last?.verdict === 'refused' || last?.verdict === 'not_sent';
  if (isNo && !isOfAnotherDay(about) && asked.decision !== 'give_it' && stands(mine) && !isSeen) {
    verdicts.push(...say('told-no-but-stands', about, mine));
  }
  if (asked.decision === 'take_full_payment' && stands(mine) && !isSeen) {
    verdicts.push(...say('paid-in-full-but-stands', about, mine));
  }
  return verdicts;
}

/**
 * Whether a request that was asked for again was told that its reference stands for one of another day. A till whose clock
 * was set ahead cannot tell that from a night in which it slept, until it hears the service's clock.
 */
function isOfAnotherDay({ asked }: Case): boolean {
  const last = lastWord(asked);
  const isConflict = last?.code === 'DUPLICATE_TRANSACTION' && last.details.includes('"first_business_date"');
  return isConflict && asked.askedAtMs.length > 1 && asked.wasClockUnheard;
}

function judgeCommit(about: Case): readonly Verdict[] {
  const { evidence, asked, shown } = about;
  const last = lastWord(asked);
  if (last === null || isLost(evidence, 'redeem', asked.ref)) return [];
  const reservation = evidence.books.reservations.find(({ reservation_id: id }) => id === asked.reservationId);
  if (reservation === undefined) return [];
  const held = heldUnder(evidence, 'redeem', asked.ref);
  const mine = held.find(({ transactionId }) => transactionId === reservation.committed_transaction_id);
  switch (last.verdict) {
    case 'done': {
      if (mine === undefined) return say('commit-told-done-not-held', about, held[0]);
      const told = last.values;
      const isOther = told !== null && told.points !== null && told.points !== mine.values.points;
      return isOther ? say('told-other-values', about, mine) : [];
    }
    case 'refused':
    case 'not_sent':
      return stands(mine) && !shown.seenByPerson.has(asked.ref) && !wasCommittedByAnother(about)
        ? say('told-no-but-stands', about, mine)
        : [];
    case 'promised':
    case 'unknown':
      return [];
    default:
      return assertNever(last.verdict);
  }
}

/** Another request of the same order and the same hold may have had the answer. */
function wasCommittedByAnother({ evidence, asked }: Case): boolean {
  return evidence.world.asked.some(
    (other) =>
      other !== asked &&
      other.kind === 'commit' &&
      other.ref === asked.ref &&
      other.reservationId === asked.reservationId &&
      lastWord(other)?.verdict === 'done',
  );
}

function judgeHold(about: Case): readonly Verdict[] {
  const { evidence, asked } = about;
  const last = lastWord(asked);
  if (last?.verdict !== 'done') return [];
  const { reservations, cards } = evidence.books;
  const reservation = reservations.find(({ reservation_id: id }) => id === last.reservationId);
  // A service that was restored may have lost it.
  if (reservation === undefined)
    return evidence.world.service.lost.length > 0 ? [] : say('told-done-not-held', about, undefined);
  const card = cards.find(({ card_id: id }) => id === reservation.card_id);
  const { external_ref: ref, points } = reservation;
  const isEqual = card?.loyalty_id === asked.loyaltyId && (points ?? 0) / pointsUnit === asked.values.points;
  // A hold names its card and its points, and no cart: an answer about another till's equal one looks like its own.
  const isKnownAsAnothers = ref !== asked.ref && wasAskedHere(evidence, asked, ref);
  if (isEqual && !isKnownAsAnothers) return [];
  const text = `a hold for ${ref} of ${card?.loyalty_id} points=${(points ?? 0) / pointsUnit}`;
  return sayOf('told-done-anothers', about, text);
}

/** Whether this till itself has asked for the hold of a cart, and remembers that. */
function wasAskedHere(evidence: Evidence, { till }: Asked, ref: string): boolean {
  return evidence.world.asked.some(
    (other) => other.kind === 'reserve' && other.till === till && other.ref === ref && !isForgotten(evidence, other),
  );
}

function judgeRelease(about: Case): readonly Verdict[] {
  const { evidence, asked } = about;
  if (lastWord(asked)?.verdict !== 'done' || evidence.world.service.lost.length > 0) return [];
  const reservation = evidence.books.reservations.find(({ reservation_id: id }) => id === asked.reservationId);
  return reservation?.state === 'committed' ? say('release-told-but-committed', about, undefined) : [];
}

function judgeEnrollment(about: Case): readonly Verdict[] {
  const { evidence, asked } = about;
  const last = lastWord(asked);
  if (last?.verdict !== 'done' || evidence.world.service.lost.length > 0) return [];
  const { enrollments } = evidence.books;
  const enrollment =
    asked.kind === 'verify'
      ? enrollments.find(({ enrollment_id: id }) => id === asked.ref)
      : enrollments.find(({ external_ref: ref }) => ref === asked.ref);
  if (enrollment === undefined) return say('told-done-not-held', about, undefined);
  const isAwaited = last.state === 'awaiting_otp' && last.enrollmentId === enrollment.enrollment_id;
  const isEnrolled = last.state === 'enrolled' && last.customerId === enrollment.customer_id;
  // A pending enrollment names nobody: that another till has begun it shows when its code is entered, and no earlier.
  if (asked.kind === 'enroll' && isAwaited && !wasBegunHere(evidence, asked, enrollment)) return [];
  const isOwn = enrollment.phone === asked.phone && (isAwaited || isEnrolled);
  return isOwn ? [] : say('told-done-anothers', about, undefined);
}

/** Whether this till was told of the enrollment when it asked for the one that it is, and remembers that. */
function wasBegunHere(evidence: Evidence, asked: Asked, enrollment: HeldEnrollment): boolean {
  return evidence.world.asked.some(
    (other) =>
      other.kind === 'enroll' &&
      other.till === asked.till &&
      other.ref === asked.ref &&
      other.phone === enrollment.phone &&
      other.told.some(({ enrollmentId }) => enrollmentId === enrollment.enrollment_id) &&
      !isForgotten(evidence, other),
  );
}
