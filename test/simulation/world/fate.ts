import type { RandomSource } from '../../../shared/lib/random.ts';
import { pick, wholeBelow } from '../engine/draws.ts';
import { type FaultName, faultNames, probabilityOf } from '../engine/faults.ts';

/** What becomes of one request on its way, and of its answer. */
export interface Fate {
  /** Until it is at the service; null: it never gets there. */
  readonly arrivesAfterMs: number | null;
  /** Until a copy of it is there too, from then on; null: there is none. */
  readonly copyAfterMs: number | null;
  readonly backMs: number;
  /** What its sender meets in place of the service's own answer; null: that answer. */
  readonly meets: FaultName | null;
  /** Whether a lost request or answer ends the connection at once, or only the sender's patience. */
  readonly endsAtOnce: boolean;
  readonly failsLater: boolean;
  /** Of all faults that it meets, in the order of their table. */
  readonly names: readonly FaultName[];
}

const lateMs = [16_000, 25_000, 45_000, 125_000, 400_000, 3_700_000, 20_000_000, 80_000_000];
const copyLateMs = [40_000, 400_000, 3_700_000, 80_000_000];

/** The faults that take the place of an answer; the first that strikes has its way. */
const answerFaults: readonly FaultName[] = [
  'refuse',
  'throttle',
  'portal',
  'drop_request',
  'drop_response',
  'cut_response',
  'gateway_timeout',
  'keep',
  'swap',
];

/** Draws a fate; every draw is made whatever strikes, so that a fault less changes no other draw. */
export function drawFate(
  random: RandomSource,
  how: { readonly can: (fault: FaultName) => boolean; readonly rate: number; readonly isWrite: boolean },
): Fate {
  const strikes = new Set<FaultName>();
  for (const name of faultNames) {
    const probability = probabilityOf(name);
    if (probability === null) continue;
    const hits = random.next() < probability * how.rate;
    if (hits && how.can(name) && (how.isWrite || !onlyWrites.has(name))) strikes.add(name);
  }
  const quickMs = 5 + wholeBelow(random, 80);
  const backMs = 5 + wholeBelow(random, 80);
  const slowMs = wholeBelow(random, 14_000);
  const muchLaterMs = pick(random, lateMs) + wholeBelow(random, 3_000);
  const soonAgainMs = wholeBelow(random, 3_000);
  const laterAgainMs = pick(random, copyLateMs);
  const endsAtOnce = random.next() < 0.5;
  const meets = answerFaults.find((name) => strikes.has(name)) ?? null;
  const neverArrives = meets === 'refuse' || meets === 'throttle' || meets === 'portal' || meets === 'drop_request';
  return {
    arrivesAfterMs: neverArrives ? null : strikes.has('late') ? muchLaterMs : strikes.has('slow') ? slowMs : quickMs,
    copyAfterMs: strikes.has('twice') ? soonAgainMs : strikes.has('twice_late') ? laterAgainMs : null,
    backMs,
    meets,
    endsAtOnce,
    failsLater: strikes.has('fails_later'),
    names: [...strikes],
  };
}

const onlyWrites: ReadonlySet<FaultName> = new Set([
  'late',
  'twice',
  'twice_late',
  'gateway_timeout',
  'fails_later',
  'throttle',
]);
