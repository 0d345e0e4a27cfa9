import { beforeEach, describe, expect, it } from 'vitest';
import type { CallOutcome } from '../../app/client/outcome.ts';
import { Connectivity } from '../../app/line/connectivity.ts';
import { FlapDamper } from '../../app/line/flap-damper.ts';
import { seededRandom } from '../../app/machine/random.ts';
import { ManualClock } from '../support/manual-clock.ts';

const good: CallOutcome<unknown> = {
  kind: 'done',
  answer: {},
  facts: { httpStatus: 200, requestId: null, serviceDateMs: null },
};
const dead: CallOutcome<unknown> = {
  kind: 'unknown',
  cause: 'offline',
  recorded: 'no',
  message: 'no route',
  error: null,
  facts: null,
  retryAfterMs: null,
};

let clock: ManualClock;
let isUp: boolean;
let line: Connectivity;
let told: string[];
beforeEach(async () => {
  clock = new ManualClock();
  isUp = true;
  told = [];
  line = new Connectivity({
    clock,
    random: seededRandom(1),
    probe: async () => (isUp ? good : dead),
    reconnectSpreadMs: 0,
    idleProbeMs: 3_600_000,
    flapSettleMs: 5_000,
  });
  line.onChange(() => {
    if (told.at(-1) !== line.connection.state) told.push(line.connection.state);
  });
  line.start();
  await turn();
  line.writePassed();
});

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

async function pass(durationMs: number): Promise<void> {
  for (let passed = 0; passed < durationMs; passed += 250) {
    clock.advance(250);
    await turn();
  }
}

/** Down for three seconds, up again for three, with a sale that goes through as soon as it may. */
async function flap(): Promise<void> {
  isUp = false;
  line.failed('offline', null);
  await pass(3_000);
  isUp = true;
  for (let step = 0; step < 12; step += 1) {
    await pass(250);
    if (line.gate !== 'closed') line.writePassed();
  }
}

describe('a line that comes and goes', () => {
  it('is told as it is the first times', async () => {
    await flap();
    await flap();
    expect(told).toEqual(['online', 'offline', 'online', 'offline', 'online']);
  });

  it('is then "checking" until it has been good for a while, and rows go one at a time', async () => {
    await flap();
    await flap();
    told.length = 0;
    for (let times = 0; times < 4; times += 1) await flap();
    expect(told).toEqual(['checking']);
    expect(line.gate).toBe('trial');
    await pass(40_000);
    expect(told).toEqual(['checking', 'online']);
    line.writePassed();
    expect(line.gate).toBe('open');
  });

  it('is "offline" once it stays away', async () => {
    for (let times = 0; times < 4; times += 1) await flap();
    isUp = false;
    line.failed('offline', null);
    expect(line.connection.state).toBe('checking');
    await pass(25_000);
    expect(line.connection).toMatchObject({ state: 'offline', cause: 'offline' });
  });

  it('is "offline" at once, with the reason and the end of the pause, where the service asks to wait: nobody looks until then', async () => {
    for (let times = 0; times < 4; times += 1) await flap();
    while (line.gate === 'closed') await pass(250);
    isUp = false;
    const endsAt = new Date(clock.now() + 120_000).toISOString();
    line.failed('service', 120_000);
    expect(line.connection).toMatchObject({ state: 'offline', cause: 'service', waits_until: endsAt });
    isUp = true;
    await pass(110_000);
    expect(line.connection).toMatchObject({ state: 'offline', cause: 'service', waits_until: endsAt });
    await pass(60_000);
    expect(line.connection).toMatchObject({ state: 'online', cause: null });
  });

  it('stays "checking" where the service asks to wait for a moment only', async () => {
    for (let times = 0; times < 4; times += 1) await flap();
    while (line.gate === 'closed') await pass(250);
    line.failed('service', 2_000);
    expect(line.connection).toMatchObject({ state: 'checking', cause: 'service' });
  });

  it('is trusted again after two quiet minutes', async () => {
    for (let times = 0; times < 4; times += 1) await flap();
    await pass(150_000);
    line.writePassed();
    told.length = 0;
    await flap();
    expect(told).toEqual(['offline', 'online']);
  });

  it('is trusted again, and looked at again, after a long pause for refusals alike that began while it settled', async () => {
    for (let times = 0; times < 3; times += 1) await flap();
    expect(line.gate).toBe('trial');
    // One minute, then two: by then the losses are forgotten.
    for (const pauseMs of [60_000, 120_000]) {
      line.refusedAlike();
      await pass(pauseMs + 500);
      while (line.gate === 'closed') await pass(250);
    }
    line.writePassed();
    expect(line.gate).toBe('open');
    expect(line.connection).toMatchObject({ state: 'online', cause: null });
  });

  it('settles longer each time, up to six times the first', () => {
    const damper = new FlapDamper(5_000);
    const settles: number[] = [];
    for (let at = 0; at < 8; at += 1) {
      damper.lost(at * 1_000);
      settles.push(damper.settleMs(at * 1_000));
    }
    expect(settles).toEqual([0, 0, 5_000, 10_000, 20_000, 30_000, 30_000, 30_000]);
    expect(damper.settleMs(127_001)).toBe(0);
  });
});

describe('signals that disagree', () => {
  it('show as "checking" only when the doubt is not settled within half a second', async () => {
    let answer: (outcome: CallOutcome<unknown>) => void = () => undefined;
    const slow = new Connectivity({
      clock,
      random: seededRandom(1),
      probe: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
      reconnectSpreadMs: 0,
      idleProbeMs: 3_600_000,
      flapSettleMs: 5_000,
    });
    slow.start();
    answer(good);
    await turn();
    expect(slow.connection.state).toBe('online');
    slow.doubted();
    clock.advance(400);
    expect(slow.connection.state).toBe('online');
    clock.advance(200);
    expect(slow.connection.state).toBe('checking');
    answer(good);
    await turn();
    expect(slow.connection.state).toBe('online');
    slow.stop();
  });
});
