import type { RandomSource } from '../../../shared/lib/random.ts';
import { pick, wholeBelow } from '../engine/draws.ts';
import type { FaultName } from '../engine/faults.ts';
import type { StepKind } from './steps.ts';

type MakeEvent = (random: RandomSource) => StepKind;

/** How old a copy is when it is put back. */
const copyAgesMs = [2_000, 30_000, 300_000, 3_000_000, 30_000_000];

/** What a fault of a till, of its disk or of the service does when it strikes. */
const events: Readonly<Partial<Record<FaultName, MakeEvent>>> = {
  outage: (random) => ({ kind: 'outage', forMs: pick(random, [3_000, 20_000, 200_000, 3_000_000]) }),
  kill: (random) => ({
    kind: 'kill',
    afterMs: pick(random, [0, 0, 1, 15, 30, 100, 2_000]),
    downMs: pick(random, [0, 1_500, 60_000]),
  }),
  kill_at_commit: (random) => ({
    kind: 'kill_at_commit',
    side: pick(random, ['before', 'after']),
    commits: 1 + wholeBelow(random, 6),
    downMs: pick(random, [0, 1_500, 60_000]),
  }),
  stop: (random) => ({ kind: 'stop', downMs: pick(random, [100, 20_000]) }),
  older_database: (random) => ({ kind: 'older_database', copiedForMs: pick(random, copyAgesMs) }),
  clock_jump: (random) => ({
    kind: 'clock_jump',
    byMs: pick(random, [-86_400_000, -3_600_000, -3_000, 3_000, 3_600_000, 86_400_000]),
  }),
  rekey: (random) => ({ kind: 'rekey', to: pick(random, ['same_partner', 'other_partner']) }),
  practice: (random) => ({
    kind: 'practice',
    forMs: pick(random, [5_000, 100_000]),
    sales: 1 + wholeBelow(random, 3),
  }),
  disk_full: (random) => ({ kind: 'disk', trouble: 'full', forMs: pick(random, [50, 2_000, 100_000]) }),
  commit_refused: (random) => ({
    kind: 'disk',
    trouble: 'refused',
    forMs: pick(random, [1, 50, 2_000, 30_000]),
  }),
  suspend: (random) => ({
    kind: 'suspend',
    card: pick(random, [1, 1, 2, 4, 14]),
    forMs: pick(random, [20_000, 200_000, 3_000_000]),
  }),
  service_restored: (random) => ({
    kind: 'restore_service',
    copiedForMs: pick(random, copyAgesMs),
    verifiedAfterMs: pick(random, [null, 0, 5_000, 3_000_000]),
  }),
};

/** @returns null when none of the faults is one that strikes by itself */
export function drawEvent(random: RandomSource, faults: ReadonlySet<FaultName>): StepKind | null {
  // Drawn among all of them: a fault that is switched off later leaves the others where they were.
  const all = Object.entries(events).filter(([name]) => [...faults].some((fault) => fault === name));
  const chosen = random.next();
  const event = all[Math.floor(chosen * all.length)];
  return event === undefined ? null : event[1](random);
}
