import { isClockFar } from '../../../shared/till/limits.ts';

/** What a row kept of the clock when it was saved. Instants and times in milliseconds. */
interface ClockAtSave {
  readonly occurredAtMs: number;
  readonly tillTimeMs: number;
  readonly monotonicMs: number;
  /** Whether monotonic time has run on from there: it starts again with each start of the agent. */
  readonly isOfThisRun: boolean;
}

/** What the clock says now. */
export interface ClockNow {
  readonly nowMs: number;
  readonly monotonicMs: number;
  /** How far the service's clock is ahead of ours; null while it is not known. */
  readonly skewMs: number | null;
  /** By how much the wall clock was set since the agent started. */
  readonly setByMs: number;
}

/**
 * When a sale really took place, by the service's clock, if that is far from what its row says; null to leave it.
 * Within one run of the agent the time that has passed since is known, whatever the wall clock was set to meanwhile. For a
 * sale of an earlier run the clock counts as it stood when this run began.
 */
export function correctedInstant(saved: ClockAtSave, now: ClockNow): number | null {
  if (now.skewMs === null) return null;
  const serviceNowMs = now.nowMs + now.skewMs;
  const tookPlaceMs = saved.isOfThisRun
    ? serviceNowMs - (now.monotonicMs - saved.monotonicMs)
    : saved.tillTimeMs + now.setByMs + now.skewMs;
  return isClockFar(tookPlaceMs - saved.occurredAtMs) ? Math.round(tookPlaceMs) : null;
}

/** What time a till says it is: by the service's clock when its own is known to be wrong. */
export function tillSaysMs(nowMs: number, skewMs: number | null): number {
  return skewMs !== null && isClockFar(skewMs) ? nowMs + skewMs : nowMs;
}
