import { expect, it } from 'vitest';
import { createVisit } from '../../../renderer/customer/visit.ts';
import { ManualClock } from '../../support/manual-clock.ts';

it('joining again after a lost answer is the same enrollment', async () => {
  const attempts: unknown[] = [];
  let lastId = 0;
  const visit = createVisit({
    async ask(command, input) {
      if (command === 'display.check_in') return { ok: true, value: { outcome: 'unknown' } } as never;
      attempts.push('attempt' in input ? input.attempt : null);
      return { ok: false, error: { code: 'agent_gone', message: 'made by the test' } };
    },
    clock: new ManualClock(),
    newId: () => `attempt-${++lastId}`,
    currency: () => 'KWD',
  });
  const join = async () => {
    for (const digit of '50012345') visit.press(digit as '5');
    await visit.goOn();
    await visit.goOn();
  };
  await join();
  await visit.goOn();
  visit.end();
  await join();
  expect(attempts).toEqual(['attempt-1', 'attempt-1', 'attempt-2']);
});
