import { expect, it } from 'vitest';
import { createGuide } from '../../../renderer/guide/guide.ts';
import { ManualClock } from '../../support/manual-clock.ts';

it('a step of a practice shift counts once, though two sales at once say that it is done', () => {
  const guide = createGuide({ clock: new ManualClock(), memory: { read: () => null, write: () => undefined } });
  guide.startShift();
  guide.stepDone(0);
  guide.stepDone(0);
  expect(guide.shift.value?.doneCount).toBe(1);
  guide.stepDone(1);
  expect(guide.shift.value?.doneCount).toBe(2);
});
