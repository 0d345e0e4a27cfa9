import { hourMs, minuteMs } from '../../../shared/lib/durations.ts';
import type { OperationState } from '../../../shared/machines/operation.ts';
import { isClockFar } from '../../../shared/till/limits.ts';
import type { OperationHistoryEntry } from '../../store/schema/operation.ts';
import { hasLeftTill, sendsThatLeft } from '../../store/schema/watch-schedule.ts';
import type { ClockNow } from '../requests/corrected-instant.ts';

/** What a row tells of its first send. Instants and times in milliseconds. */
export interface SavedSend {
  /** By the till's wall clock: when it was marked first, or saved where that is not known. */
  readonly byTillMs: number;
  /** When it was saved, by the clock that nobody sets. */
  readonly savedMonotonicMs: number;
  /** How far the service's clock was ahead when it was saved; null where that was not known. */
  readonly skewMs: number | null;
  /** Whether monotonic time has run on from there: it starts again with each start of the agent. */
  readonly isOfThisRun: boolean;
}

export interface SkewNow extends Omit<ClockNow, 'setByMs'> {
  /** Whether the wall clock was set since the agent started. */
  readonly hasJumped: boolean;
  /** By how much two of its readings may be apart because of that: since a row was saved in this run, or the agent started. */
  readonly setRangeMs: number;
}

/** A clock that was set by more tells nothing of a bound of five minutes. */
const mostRangeMs = 4 * minuteMs;

/**
 * When a row was sent first by the service's clock, or the earliest that it can have been: a time that is too late takes
 * the row's own record for another's.
 */
export function firstSendByService(sent: SavedSend, now: Omit<SkewNow, 'setRangeMs'>): number {
  // Nothing is sent before it is saved.
  return (now.hasJumped ? savedByServiceMs(sent, now) : null) ?? byServiceMs(sent.byTillMs, sent, now);
}

/** How long before now a row of another run can have been sent first, where its time was noted by a clock that was ahead. */
const mostBeforeNowMs = hourMs;

/**
 * A first send that is still to come was noted by a clock that was ahead: how long ago that was tells the clock that nobody sets,
 * and over a restart it is bounded. No bound would take another till's of a day ago for the row's own.
 *
 * @param firstMs by the service's clock, as it was noted
 * @param oldestMonotonicMs of what was noted, at the earliest; null: of another run
 */
export function noLaterThanNow(
  firstMs: number,
  oldestMonotonicMs: number | null,
  { nowMs, monotonicMs, skewMs }: Pick<SkewNow, 'nowMs' | 'monotonicMs' | 'skewMs'>,
): number {
  const serviceNowMs = nowMs + (skewMs ?? 0);
  if (firstMs <= serviceNowMs) return firstMs;
  return serviceNowMs - (oldestMonotonicMs === null ? mostBeforeNowMs : monotonicMs - oldestMonotonicMs);
}

/**
 * When a row was saved by the service's clock: how long ago that was is sure, whatever the wall clock was set to since.
 *
 * @returns null where it was saved in another run, or the service's clock is not known
 */
export function savedByServiceMs(
  { isOfThisRun, savedMonotonicMs }: Pick<SavedSend, 'isOfThisRun' | 'savedMonotonicMs'>,
  { nowMs, monotonicMs, skewMs }: Pick<SkewNow, 'nowMs' | 'monotonicMs' | 'skewMs'>,
): number | null {
  return isOfThisRun && skewMs !== null ? nowMs + skewMs - (monotonicMs - savedMonotonicMs) : null;
}

/**
 * A time of the till's wall clock by the service's. Somebody may have set the clock between two runs: of both readings the
 * earlier one takes no record for another's.
 */
export function byServiceMs(byTillMs: number, sent: Pick<SavedSend, 'skewMs'>, now: Pick<SkewNow, 'skewMs'>): number {
  return byTillMs + Math.min(sent.skewMs ?? now.skewMs ?? 0, now.skewMs ?? sent.skewMs ?? 0);
}

/**
 * When a row can have been sent first, by the till's wall clock. The order of its lines tells and not their times: somebody
 * may have set the clock between two of them. What an earlier request of the row has sent counts only where nothing proves
 * that it came to nothing: since then another till may have used the reference.
 *
 * @param saved.savedAtMs when the row was saved
 * @param saved.tillTimeMs when the request was saved that stands in it now
 */
export function firstSendByTill(
  history: readonly Pick<OperationHistoryEntry, 'from' | 'to' | 'atMs'>[],
  saved: { readonly savedAtMs: number; readonly tillTimeMs: number },
): number {
  const savedAt = history.findLastIndex(({ to, atMs }) => to === 'queued' && atMs === saved.tillTimeMs);
  const firstAt = history.findIndex(({ from, to }, at) => {
    if (to === 'unknown') return isUnsent(from);
    return to === 'sending' && (at > savedAt || !isUnsent(history[at + 1]?.to ?? null));
  });
  const first = history[firstAt];
  if (first?.to === 'sending') return first.atMs;
  // In a copy of the database that was put back no line tells when it was sent: at once, for all that is known.
  const isEarlierRequest = firstAt >= 0 && firstAt < savedAt;
  return isEarlierRequest || savedAt < 0 ? saved.savedAtMs : saved.tillTimeMs;
}

/**
 * When bytes of a row may have reached the service, by the till's wall clock: at each send of which nothing proves that it came
 * to nothing. One that is under way is none of them: an answer that calls itself a repeat tells of an earlier one.
 *
 * @param setRangeMs by so much it is known that the clock may have been set back between two lines
 * @returns null where the lines do not tell it: they have none, are those of a copy that was put back, or somebody set the
 * clock back between two of them
 */
export function possibleSendsByTill(
  history: readonly Pick<OperationHistoryEntry, 'to' | 'atMs'>[],
  setRangeMs = 0,
): readonly number[] | null {
  const sends = history.filter(({ to }, at) => {
    const next = history[at + 1];
    return to === 'sending' && next !== undefined && !isUnsent(next.to);
  });
  return sends.length === 0 || areDoubtful(history, setRangeMs) ? null : sends.map(({ atMs }) => atMs);
}

/**
 * When bytes of a row left the till, by its wall clock, also those that were refused.
 *
 * @returns null where the lines do not tell it, as above; none where nothing of it ever left
 */
export function sendsByTill(
  history: readonly Pick<OperationHistoryEntry, 'to' | 'atMs' | 'httpStatus'>[],
  setRangeMs = 0,
): readonly number[] | null {
  if (!hasLeftTill(history)) return [];
  return areDoubtful(history, setRangeMs) ? null : sendsThatLeft(history).map(({ atMs }) => atMs);
}

/** Times at which what left the till can have been noted. */
export interface NotedTimes {
  readonly atMs: readonly number[];
  /** Those by the service's clock alone, as far as it is known: at a time by the till's own another till may have noted it. */
  readonly byServiceMs: readonly number[];
  /** By so much they may be off. */
  readonly rangeMs: number;
  /** Whether it can have been noted at no other time, as far as the clocks tell. */
  readonly areAll: boolean;
}

/**
 * When the service can have noted what left the till at these times of the till's wall clock: by that clock or by its own.
 * A write for which somebody waits goes out as it is saved, so that what the service's clock was ahead then is right,
 * whatever the till's is set to since. What it is ahead now is right for a time before only where nobody has set the till's.
 *
 * @param saved.byServiceMs when the request was saved by the service's clock, as monotonic time tells; null: it does not
 * @param now.rangeMs how far the clock may have been set since the saving; null: that is not known
 */
export function notedTimes(
  sendsMs: readonly number[],
  saved: Pick<SavedSend, 'skewMs'> & { readonly tillTimeMs: number; readonly byServiceMs: number | null },
  now: Pick<SkewNow, 'skewMs'> & { readonly rangeMs: number | null },
): NotedTimes {
  const { tillTimeMs, skewMs } = saved;
  const wasSavedThen = (atMs: number) => !isClockFar(atMs - tillTimeMs);
  const skewsAt = (byTillMs: number): readonly number[] => [
    ...(skewMs !== null && wasSavedThen(byTillMs) ? [skewMs] : []),
    ...(now.rangeMs === null ? [] : [now.skewMs ?? skewMs ?? 0]),
  ];
  const unheardAt = (byTillMs: number): readonly number[] => {
    if (skewMs !== null || saved.byServiceMs === null || !wasSavedThen(byTillMs)) return [];
    return [saved.byServiceMs - tillTimeMs];
  };
  const atMs = sendsMs.flatMap((byTillMs) =>
    [...new Set([0, ...skewsAt(byTillMs)])].map((aheadMs) => byTillMs + aheadMs),
  );
  const byServiceMs = sendsMs.flatMap((byTillMs) =>
    [...skewsAt(byTillMs), ...unheardAt(byTillMs)].slice(0, 1).map((aheadMs) => byTillMs + aheadMs),
  );
  const areOfSaving = skewMs !== null && sendsMs.every(wasSavedThen);
  return areOfSaving || sendsMs.length === 0
    ? { atMs, byServiceMs, rangeMs: 0, areAll: true }
    : { atMs, byServiceMs, rangeMs: now.rangeMs ?? 0, areAll: now.rangeMs !== null };
}

function areDoubtful(history: readonly Pick<OperationHistoryEntry, 'to' | 'atMs'>[], setRangeMs: number): boolean {
  return history.some(({ to, atMs }, at) => {
    const before = history[at - 1];
    return before !== undefined && (atMs < before.atMs - setRangeMs || (to === 'unknown' && isUnsent(before.to)));
  });
}

/**
 * By how much the till's wall clock may have been set since a row was saved: by its own word within this run, by the service's
 * clock over a restart.
 *
 * @returns null where that is too much, or not known
 */
export function knownRangeMs(sent: SavedSend, now: Pick<SkewNow, 'skewMs' | 'setRangeMs'>): number | null {
  if (now.setRangeMs > mostRangeMs) return null;
  const isKnown =
    sent.isOfThisRun || (sent.skewMs !== null && now.skewMs !== null && !isClockFar(now.skewMs - sent.skewMs));
  return isKnown ? now.setRangeMs : null;
}

/**
 * Whether something of a row may stand at the service, by its lines. Where each attempt was refused, or none left the till, a
 * record of another time is another till's: nothing of the row waits to be noted with a time of arrival.
 */
export function mayHaveArrived(history: readonly Pick<OperationHistoryEntry, 'to'>[]): boolean {
  return history.some(({ to }) => mayStand.has(to));
}

/** After these the service may have something of it. */
const mayStand: ReadonlySet<OperationState> = new Set(['unknown', 'accepted', 'applied', 'failed', 'reversed']);

/** Nothing of it is at the service, as far as the till was told. */
function isUnsent(state: OperationState | null): boolean {
  return state === 'queued' || state === 'refused';
}
