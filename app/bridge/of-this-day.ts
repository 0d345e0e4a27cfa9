import type { AgentCore } from '../core/agent-core.ts';
import { tillSaysMs } from '../operations/requests/corrected-instant.ts';
import { soonAgainMs } from '../operations/requests/same-request.ts';
import type { Operation } from '../store/schema/operation.ts';

/**
 * Whether a request that names no time may be about this operation: receipt numbers start again every morning, so one of
 * another day is not the same one. A retry so soon is, also across the start of a business day.
 */
export function isOfThisDay(
  core: Pick<AgentCore, 'calendar' | 'clock' | 'status'>,
  { occurredAtMs, requestedAtMs }: Pick<Operation, 'occurredAtMs' | 'requestedAtMs'>,
): boolean {
  const nowMs = core.clock.now();
  if (nowMs - requestedAtMs <= soonAgainMs) return true;
  // A sale has the day that the till's word gives it, also where the till's own clock is wrong.
  const saidMs = tillSaysMs(nowMs, core.status().clockSkewMs);
  return core.calendar.dateOf(occurredAtMs) === core.calendar.dateOf(saidMs);
}
