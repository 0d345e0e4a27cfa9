import { assertNever } from '../../../shared/lib/assert-never.ts';
import type { Till } from '../world/till.ts';
import type { World } from '../world/world.ts';
import type { StepKind } from './steps.ts';
import { verifyTill } from './verify.ts';

/** What happens to the shop without anybody asking for it. */
type Happening = Exclude<
  StepKind,
  {
    readonly kind:
      | 'earn'
      | 'screen_earn'
      | 'redeem'
      | 'screen_redeem'
      | 'reverse'
      | 'reservation'
      | 'enroll'
      | 'decide_attention'
      | 'read'
      | 'close_day';
  }
>;

export async function happen(world: World, till: Till, event: Happening): Promise<void> {
  const { scheduler, network, service, marks } = world;
  switch (event.kind) {
    case 'outage':
      network.down.add(till.name);
      await scheduler.sleep(event.forMs);
      network.down.delete(till.name);
      return;
    case 'kill':
      await scheduler.sleep(event.afterMs);
      if (till.run === null) return;
      till.kill();
      marks.sometimes('till: killed');
      return startAgain(world, till, event.downMs);
    case 'kill_at_commit':
      till.disk.plannedCrash = {
        side: event.side,
        commitsLeft: event.commits,
        crash: () => {
          till.kill();
          marks.sometimes(`till: killed ${event.side} a commit`);
          void startAgain(world, till, event.downMs);
        },
      };
      return;
    case 'stop':
      if (till.run === null) return;
      await till.stop();
      marks.sometimes('till: stopped');
      return startAgain(world, till, event.downMs);
    case 'older_database': {
      if (till.run === null) return;
      const copy = till.copyDatabase();
      await scheduler.sleep(event.copiedForMs);
      if (!till.putBack(copy)) return;
      marks.sometimes('till: older database');
      return startAgain(world, till, 5_000);
    }
    case 'clock_jump':
      till.setClock(event.byMs);
      marks.sometimes('till: clock set');
      return;
    case 'rekey':
      return rekey(world, till, event.to);
    case 'practice':
      return practise(world, till, event);
    case 'disk':
      till.disk.trouble = event.trouble;
      marks.sometimes(`disk: ${event.trouble}`);
      await scheduler.sleep(event.forMs);
      till.disk.trouble = null;
      return;
    case 'suspend':
      return suspend(world, event.card, event.forMs);
    case 'restore_service': {
      const copy = service.snapshot();
      await scheduler.sleep(event.copiedForMs);
      service.restore(copy);
      marks.sometimes('service: restored from an older copy');
      if (event.verifiedAfterMs === null) return;
      await scheduler.sleep(event.verifiedAfterMs);
      await Promise.all(world.tills.map((one) => verifyTill(world, one)));
      return;
    }
    default:
      return assertNever(event);
  }
}

async function startAgain({ scheduler }: World, till: Till, afterMs: number): Promise<void> {
  await scheduler.sleep(afterMs);
  if (till.run === null) till.start();
}

async function rekey(world: World, till: Till, to: 'same_partner' | 'other_partner'): Promise<void> {
  if (till.run === null) return;
  const key = world.keys[to];
  // The next one brings the shop's own back.
  till.apiKey = till.apiKey === key ? world.service.apiKey : key;
  till.hadOtherKey = true;
  if (to === 'other_partner') till.hadForeignKey = true;
  await till.stop();
  world.marks.sometimes(`till: key of the ${to}`);
  return startAgain(world, till, 3_000);
}

async function practise(world: World, till: Till, event: Extract<Happening, { kind: 'practice' }>): Promise<void> {
  if (till.run === null || till.isPractising) return;
  await till.stop();
  const practice = till.startPractice();
  world.marks.sometimes('till: practice');
  for (let sale = 0; sale < event.sales; sale += 1) await practice.sell(`P-${till.name}-${world.scheduler.eventCount}`);
  await world.scheduler.sleep(event.forMs);
  await practice.end();
  return startAgain(world, till, 1_000);
}

async function suspend({ service, scheduler }: World, card: number, forMs: number): Promise<void> {
  const path = `/cards/card_01JDEM${'0'.repeat(16)}${String(card).padStart(4, '0')}`;
  await service.control('POST', `${path}/suspend`);
  await scheduler.sleep(forMs);
  await service.control('POST', `${path}/resume`);
}
