import { expect, it } from 'vitest';
import { MarkPace } from '../../app/operations/delivery/mark-pace.ts';

const near = { lookedFar: false };
const far = { lookedFar: true };
const moment = { ready: 0, queued: 1_000, unknown: 0, windowSize: 64 };

it('marks when nothing stands ready, and again when half of a full window is used up', () => {
  const pace = new MarkPace();
  expect(pace.isDue(moment)).toBe(true);
  pace.marked({ ...near, found: 64, ready: 64, queued: 1_000 });
  expect(pace.isDue({ ...moment, ready: 33 })).toBe(false);
  expect(pace.isDue({ ...moment, ready: 32 })).toBe(true);
});

it('looks far, once, before it takes it that few customers have all that waits', () => {
  const pace = new MarkPace();
  pace.marked({ ...near, found: 8, ready: 8, queued: 1_000 });
  expect(pace.isDue({ ...moment, ready: 8 })).toBe(true);
  pace.marked({ ...far, found: 0, ready: 8, queued: 1_000 });
  expect(pace.isDue({ ...moment, ready: 8 })).toBe(false);
  expect(pace.isDue({ ...moment, ready: 5 })).toBe(false);
  expect(pace.isDue({ ...moment, ready: 4 })).toBe(true);
});

it('marks what has come at once, also where as many were cancelled meanwhile', () => {
  const pace = new MarkPace();
  pace.marked({ ...near, found: 0, ready: 8, queued: 1_000 });
  expect(pace.isDue({ ...moment, ready: 8, queued: 999 })).toBe(false);
  expect(pace.isDue({ ...moment, ready: 8, queued: 1_000 })).toBe(true);
  expect(pace.isDue({ ...moment, ready: 8, queued: 999, unknown: 1 })).toBe(true);
});

it('looks far once in a thousand rows, also where each look finds rows of the same customer', () => {
  const pace = new MarkPace();
  expect(pace.looksFar).toBe(true);
  pace.marked({ found: 512, ready: 512, queued: 9_000, lookedFar: true });
  expect(pace.looksFar).toBe(false);
  pace.marked({ found: 1_024, ready: 512, queued: 8_000, lookedFar: false });
  expect(pace.looksFar).toBe(true);
  pace.marked({ found: 256, ready: 512, queued: 7_700, lookedFar: true });
  expect(pace.isDue({ ...moment, ready: 400, queued: 7_700, windowSize: 1_024 })).toBe(false);
});

it('looks far again after a thousand rows', () => {
  const pace = new MarkPace();
  pace.marked({ ...far, found: 0, ready: 8, queued: 5_000 });
  pace.marked({ ...near, found: 1_000, ready: 30, queued: 4_000 });
  expect(pace.isDue({ ...moment, ready: 30, queued: 4_000 })).toBe(false);
  pace.marked({ ...near, found: 24, ready: 30, queued: 3_976 });
  expect(pace.isDue({ ...moment, ready: 30, queued: 3_976 })).toBe(true);
});

it('does not put a far look off for short looks that find nothing: others behind one customer would wait for ever', () => {
  const pace = new MarkPace();
  pace.marked({ ...far, found: 512, ready: 512, queued: 9_000 });
  for (let look = 0; look < 16; look += 1) {
    pace.marked({ ...near, found: 64, ready: 64, queued: 8_000 });
    // What came meanwhile stands behind all rows of the customer in front.
    pace.marked({ ...near, found: 0, ready: 64, queued: 8_001 });
  }
  expect(pace.looksFar).toBe(true);
});
