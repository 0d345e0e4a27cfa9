import { expect, it } from 'vitest';
import { InFlightLimit } from '../../app/operations/delivery/in-flight-limit.ts';

/** A round of answers, with as many on their way as may be. */
function round(limit: InFlightLimit, tookMs: number): number {
  for (let answers = limit.current; answers > 0; answers -= 1) limit.answered({ tookMs, isFull: true });
  return limit.current;
}

it('begins with eight, doubles while answers come quickly, and never passes the most', () => {
  const limit = new InFlightLimit(40, 8);
  expect(limit.current).toBe(8);
  expect([round(limit, 5), round(limit, 9), round(limit, 45), round(limit, 20)]).toEqual([16, 32, 40, 40]);
});

it('grows on a line that is far and steady', () => {
  const limit = new InFlightLimit(16, 8);
  expect(round(limit, 300)).toBe(16);
  expect(round(limit, 500)).toBe(16);
});

it('begins again when more at once makes each answer twice as slow', () => {
  const limit = new InFlightLimit(16, 8);
  round(limit, 40);
  expect(limit.current).toBe(16);
  expect(round(limit, 81)).toBe(8);
  expect(round(limit, 70)).toBe(16);
});

it('does not grow at a service in trouble, nor after a call without an answer', () => {
  const limit = new InFlightLimit(16, 8);
  expect(round(limit, 1_001)).toBe(8);
  round(limit, 30);
  expect(limit.current).toBe(16);
  limit.unanswered();
  expect(limit.current).toBe(8);
});

it('learns nothing while less is on its way than may be', () => {
  const limit = new InFlightLimit(16, 8);
  for (let answers = 0; answers < 100; answers += 1) limit.answered({ tookMs: 1, isFull: false });
  expect(limit.current).toBe(8);
});

it('stays below eight where that is the most', () => {
  const limit = new InFlightLimit(2, 8);
  expect(limit.current).toBe(2);
  expect(round(limit, 1)).toBe(2);
});

it('has few on their way while sales are taken, one for each millisecond that an answer takes', () => {
  const quick = new InFlightLimit(16, 8);
  expect(quick.inRush).toBe(8);
  round(quick, 0.4);
  expect({ current: quick.current, inRush: quick.inRush }).toEqual({ current: 16, inRush: 2 });
  for (let answers = 0; answers < 40; answers += 1) quick.answered({ tookMs: 5, isFull: false });
  expect(quick.inRush).toBe(5);
  const far = new InFlightLimit(16, 8);
  round(far, 40);
  expect({ current: far.current, inRush: far.inRush }).toEqual({ current: 16, inRush: 16 });
});
