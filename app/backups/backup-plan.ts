import { dayMs, hourMs, minuteMs } from '../../shared/lib/durations.ts';
import { businessCalendar } from '../operations/requests/business-date.ts';

/** When backups are due. */
interface BackupPlan {
  readonly hour: number;
  readonly timeZone: string;
}

/** What failed is tried again after so long. */
const retryAfterMs = 10 * minuteMs;
/** A backup that is this much older than a day is told. */
const graceMs = 3 * hourMs;

/** Whether one is to be made now: the first chance after the hour of each day. */
export function isBackupDue(
  plan: BackupPlan,
  { lastAtMs, nowMs }: { readonly lastAtMs: number | null; readonly nowMs: number },
): boolean {
  if (lastAtMs === null) return true;
  // A clock that was set back must not leave a till without backups.
  if (lastAtMs > nowMs + dayMs) return true;
  const calendar = businessCalendar({ timeZone: plan.timeZone, startsAt: `${String(plan.hour).padStart(2, '0')}:00` });
  return calendar.dateOf(nowMs) > calendar.dateOf(lastAtMs);
}

/** Whether something that was tried is to be tried again; a clock that was set back puts nothing off. */
export function isRetryDue({
  triedAtMs,
  nowMs,
}: {
  /** Null when it was not tried. */
  readonly triedAtMs: number | null;
  readonly nowMs: number;
}): boolean {
  return triedAtMs === null || nowMs - triedAtMs >= retryAfterMs || nowMs < triedAtMs;
}

/** @param sinceMs from when on there should have been one */
export function isBackupLate({
  lastAtMs,
  sinceMs,
  nowMs,
}: {
  readonly lastAtMs: number | null;
  readonly sinceMs: number;
  readonly nowMs: number;
}): boolean {
  return nowMs - (lastAtMs ?? sinceMs) > dayMs + graceMs;
}
