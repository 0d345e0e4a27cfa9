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
