import type { LabEffect, LabFault, LabMatch } from '../../shared/till/lab-views.ts';
import type { IconName } from '../components/icon.tsx';

/** The situations that a trainer can choose. Each but the first is one fault for every call. */
export const situations = [
  'normal',
  'cut',
  'slow',
  'answers_lost',
  'busy',
  'throttled',
  'key_refused',
  'suspended',
] as const;
export type Situation = (typeof situations)[number];

export const situationIcons: Readonly<Record<Situation, IconName>> = {
  normal: 'wifi',
  cut: 'cloud-off',
  slow: 'hourglass',
  answers_lost: 'mail',
  busy: 'triangle-alert',
  throttled: 'gauge',
  key_refused: 'lock',
  suspended: 'ban',
};

/** One fault as the control API takes it. */
interface SituationFault {
  readonly match: LabMatch;
  readonly effect: LabEffect;
}

const faults: Readonly<Record<Situation, SituationFault | null>> = {
  normal: null,
  cut: { match: {}, effect: { type: 'offline' } },
  slow: { match: {}, effect: { type: 'delay', ms: 3000 } },
  // Only the answers to writes are lost. Without the other answers the till would just be offline.
  answers_lost: { match: { method: 'POST', path: '/transactions/*' }, effect: { type: 'drop_response' } },
  busy: { match: {}, effect: { type: 'error', status: 503, code: 'INTERNAL' } },
  throttled: { match: {}, effect: { type: 'error', status: 429, code: 'RATE_LIMITED', retry_after: 10 } },
  key_refused: { match: {}, effect: { type: 'error', status: 401, code: 'UNAUTHENTICATED' } },
  suspended: { match: {}, effect: { type: 'error', status: 403, code: 'TENANT_SUSPENDED' } },
};

export function faultOf(situation: Situation): SituationFault | null {
  return faults[situation];
}

/** The situation that the faults make; null when they are other faults. */
export function situationOf(listed: readonly LabFault[]): Situation | null {
  const active = listed.filter(({ hits_left: left }) => left !== 0);
  const [only, ...others] = active;
  if (only === undefined) return 'normal';
  if (others.length > 0 || only.times !== null || only.probability !== 1) return null;
  return situations.find((situation) => isSame(faults[situation], only)) ?? null;
}

function isSame(one: SituationFault | null, { match, effect }: LabFault): boolean {
  return (
    one !== null &&
    one.match.method === match.method &&
    one.match.path === match.path &&
    one.match.external_ref === match.external_ref &&
    one.effect.type === effect.type &&
    one.effect.ms === effect.ms &&
    one.effect.status === effect.status &&
    one.effect.code === effect.code &&
    one.effect.retry_after === effect.retry_after
  );
}
