import type { Till } from '../world/till.ts';
import type { World } from '../world/world.ts';

/** As far back as a copy of the service may be old, and more. */
const comparedMs = 2 * 86_400_000;

/** What `tillbridge verify --since 2d --resend` does at one till: compares it with the service, part by part. */
export async function verifyTill({ scheduler, marks }: World, till: Till): Promise<void> {
  const { run } = till;
  if (run === null || till.isPractising) return;
  const untilMs = run.clock.now();
  for (let afterRowId: number | null = 0; afterRowId !== null; ) {
    const part = await run.core.verify({ sinceMs: untilMs - comparedMs, untilMs, afterRowId, resend: true });
    if (run.life.isOver) return;
    marks.sometimes(`verify: ${part.kind}`);
    if (part.kind === 'out_of_reach') return;
    for (const { operation, difference, resent } of part.differences) {
      const { rowId, intent, externalRef, state } = operation;
      scheduler.trace(`told ${till.name} verify ${intent} ${externalRef} ${state}: ${difference} ${resent}`);
      marks.sometimes(`verify: ${difference}${resent ? ', sent again' : ''}`);
      if (resent) till.sentAgain.set(rowId, scheduler.nowMs);
    }
    ({ afterRowId } = part);
  }
}
