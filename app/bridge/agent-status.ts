import { toInstant } from '../../shared/lib/clock.ts';
import type { AgentStatus } from '../core/agent-core.ts';

/** The body of `GET /v1/agent/status` (design "The local bridge"). */
export function agentStatusBody(status: AgentStatus, versions: Readonly<Record<string, string>>): object {
  return {
    mode: status.mode,
    connection: status.connection,
    operations: status.operations,
    oldest_waiting_at: instantOrNull(status.oldestWaitingAtMs),
    window: {
      hours: status.windowHours,
      seconds_left: status.windowSecondsLeft,
      ends_at: instantOrNull(status.windowEndsAtMs),
    },
    clock_skew_ms: status.clockSkewMs,
    versions,
    device_id: status.deviceId,
    service: { base_url: status.serviceBaseUrl, last_answer_at: instantOrNull(status.lastAnswerAtMs) },
    notices: status.notices,
  };
}

function instantOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : toInstant(epochMs);
}
