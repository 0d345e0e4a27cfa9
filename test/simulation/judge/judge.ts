import type { FaultName } from '../engine/faults.ts';
import type { World } from '../world/world.ts';
import type { Books } from './books.ts';
import { gather } from './evidence.ts';
import { markRows } from './mark-rows.ts';
import { judgeProgress } from './progress-rules.ts';
import { judgeReads } from './read-rules.ts';
import type { Verdict } from './rules.ts';
import { judgeService } from './service-rules.ts';
import { judgeShown } from './shown-rules.ts';
import { judgeTold } from './told-rules.ts';

/** An agent on such a disk, or whose files were exchanged, says so in its log. */
const faultsThatAreLogged: readonly FaultName[] = ['disk_full', 'commit_refused', 'kill_at_commit', 'older_database'];

/** Holds what was acknowledged and what is shown against the service's books. */
export async function judge(world: World, opening: Books): Promise<readonly Verdict[]> {
  const down = world.tills.filter(({ run }) => run === null);
  if (down.length > 0) return down.map(({ name }) => ({ rule: 'agent-down', text: `${name} does not run` }));
  const evidence = await gather(world, opening);
  markRows(evidence);
  return [
    ...judgeTold(evidence),
    ...judgeShown(evidence),
    ...judgeReads(evidence),
    ...judgeService(evidence),
    ...judgeProgress(evidence),
    ...judgeComplaints(world),
  ];
}

function judgeComplaints({ complaints, plan }: World): readonly Verdict[] {
  const isExpected = faultsThatAreLogged.some((name) => plan.faults.has(name));
  return isExpected ? [] : complaints.map((text) => ({ rule: 'agent-complains', text }));
}
