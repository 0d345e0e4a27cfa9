import { expect, it } from 'vitest';
import { SendingPause } from '../../app/line/sending-pause.ts';
import { ManualClock } from '../support/manual-clock.ts';

it('pauses for refusals alike double up to a quarter of an hour, and begin anew once a write has passed', () => {
  const pause = new SendingPause(new ManualClock());
  const nextMs = () => {
    pause.beginForRefusals();
    return pause.leftMs;
  };
  expect(Array.from({ length: 6 }, nextMs)).toEqual([60_000, 120_000, 240_000, 480_000, 900_000, 900_000]);
  pause.forgetRefusals();
  expect(nextMs()).toBe(60_000);
});

it('ends at a time of the wall clock as it is now, also after somebody has set that', () => {
  const clock = new ManualClock('2026-11-20T18:00:00.000Z');
  const pause = new SendingPause(clock);
  pause.begin(20_000);
  expect(pause.until).toBe('2026-11-20T18:00:20.000Z');
  clock.advance(5_000);
  clock.jump(-3_600_000);
  expect([pause.leftMs, pause.until]).toEqual([15_000, '2026-11-20T17:00:20.000Z']);
  clock.advance(15_000);
  expect(pause.until).toBeNull();
});

it('tells the same end at each look, though two readings of a clock that was set differ by a little', () => {
  const clock = new ManualClock('2026-11-20T18:00:00.000Z');
  const pause = new SendingPause(clock);
  pause.begin(20_000);
  clock.jump(-3_600_000);
  const told = [1, -2, 1].map((byMs) => {
    clock.jump(byMs);
    return pause.until;
  });
  expect(new Set(told)).toEqual(new Set(['2026-11-20T17:00:20.000Z']));
});
