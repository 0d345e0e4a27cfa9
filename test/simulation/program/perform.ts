import { assertNever } from '../../../shared/lib/assert-never.ts';
import type { World } from '../world/world.ts';
import type { Place } from './asking.ts';
import { happen } from './happenings.ts';
import { earnAtPos, enrollAtPos, redeemAtPos, reserveAtPos, reverseAtPos } from './pos.ts';
import { decideAttention, earnAtScreen, redeemAtScreen, reverseAtScreen } from './screen.ts';
import type { Step } from './steps.ts';

/** Does one step of a history. */
export async function perform(world: World, step: Step): Promise<void> {
  const till = world.tills[step.till];
  if (till === undefined) throw new RangeError(`There is no till ${step.till}`);
  world.scheduler.trace(`step ${till.name} ${JSON.stringify(step)}`);
  const place: Place = { world, till, step: step.step };
  switch (step.kind) {
    case 'earn':
      return earnAtPos(place, step);
    case 'screen_earn':
      return earnAtScreen(place, step);
    case 'redeem':
      return redeemAtPos(place, step);
    case 'screen_redeem':
      return redeemAtScreen(place, step);
    case 'reverse':
      return step.by === 'screen' ? reverseAtScreen(place, step) : reverseAtPos(place, step);
    case 'reservation':
      return reserveAtPos(place, step);
    case 'enroll':
      return enrollAtPos(place, step);
    case 'decide_attention':
      return decideAttention(place, step);
    case 'read':
      await till.ask('GET', `/transactions?external_ref=${step.ref}`);
      return;
    case 'close_day':
      return closeDay(place);
    case 'outage':
    case 'kill':
    case 'kill_at_commit':
    case 'stop':
    case 'older_database':
    case 'clock_jump':
    case 'rekey':
    case 'practice':
    case 'disk':
    case 'suspend':
    case 'restore_service':
      return happen(world, till, step);
    default:
      return assertNever(step);
  }
}

async function closeDay({ world, till }: Place): Promise<void> {
  const { run } = till;
  if (run === null || till.isPractising) return;
  const { businessDate, open } = await run.core.days.read(null);
  if (run.life.isOver) return;
  const closing = { closedBy: 'manager', acknowledgedOpen: open.waiting + open.attention };
  const outcome = await run.core.days.close(businessDate, closing);
  world.marks.sometimes(`day: ${outcome.kind}`);
}
