import { hourMs } from '../../shared/lib/durations.ts';
import { type OperationState, sumWaiting } from '../../shared/machines/operation.ts';
import type { Notice, OperationCounts } from '../../shared/till/views.ts';
import type { Settings } from '../config/settings.ts';
import type { Line } from '../line/line.ts';
import { tillSaysMs } from '../operations/requests/corrected-instant.ts';
import { areDoubted, type PeopleDoubts } from '../store/people/people-roll.ts';
import type { AgentStatus } from './agent-core.ts';
import type { Health } from './health.ts';

interface StatusFacts {
  readonly settings: Pick<Settings, 'mode' | 'offline_window_hours' | 'limits'>;
  readonly line: Pick<Line, 'connection' | 'skew' | 'lastAnswerAtMs'>;
  readonly health: Pick<Health, 'notices'>;
  readonly counts: Readonly<Record<OperationState, number>>;
  readonly foundCount: number;
  readonly unknownCounts: Pick<OperationCounts, 'changed' | 'checking'>;
  readonly oldestWaitingAtMs: number | null;
  readonly oldestUnsentAtMs: number | null;
  readonly nowMs: number;
  readonly deviceId: string;
  readonly serviceBaseUrl: string;
  readonly peopleDoubts: PeopleDoubts;
  readonly moreNotices: readonly Notice[];
}

/** How the agent is, in one value. */
export function statusOf(facts: StatusFacts): AgentStatus {
  const { settings, line, health, counts, nowMs, deviceId, serviceBaseUrl, moreNotices } = facts;
  const { oldestWaitingAtMs, oldestUnsentAtMs } = facts;
  const windowMs = settings.offline_window_hours * hourMs;
  // Sales get their times by this clock, so it tells how long the oldest one has left.
  const saidMs = tillSaysMs(nowMs, line.skew.skewMs);
  // What was sent has no deadline any more, and what somebody waited for never had one.
  const windowEndsAtMs = oldestUnsentAtMs === null ? null : oldestUnsentAtMs + windowMs;
  return {
    mode: settings.mode,
    connection: line.connection,
    operations: countsToShow(counts, { found: facts.foundCount, ...facts.unknownCounts }),
    oldestWaitingAtMs,
    windowHours: settings.offline_window_hours,
    windowEndsAtMs,
    windowSecondsLeft: windowEndsAtMs === null ? null : Math.floor((windowEndsAtMs - saidMs) / 1000),
    clockSkewMs: line.skew.skewMs,
    deviceId,
    serviceBaseUrl,
    lastAnswerAtMs: line.lastAnswerAtMs,
    notices: [
      ...moreNotices,
      ...peopleNotice(facts.peopleDoubts),
      ...health.notices({ waitingCount: sumWaiting(counts), maxQueue: settings.limits.max_queue }),
    ],
  };
}

function peopleNotice(doubts: PeopleDoubts): readonly Notice[] {
  if (!areDoubted(doubts)) return [];
  const { changed, missing, isRollWhole } = doubts;
  return [{ code: 'people_changed', changed: [...changed], missing: [...missing], is_list_whole: isRollWhole }];
}

/** What still waits, or waits for a person; final states are history, not status. */
function countsToShow(
  counts: Readonly<Record<OperationState, number>>,
  ofThese: Pick<OperationCounts, 'found' | 'changed' | 'checking'>,
): OperationCounts {
  const { queued, sending, unknown, accepted, refused, failed } = counts;
  return { queued, sending, unknown, accepted, refused, failed, ...ofThese };
}
