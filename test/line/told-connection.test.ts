import { expect, it } from 'vitest';
import { ToldConnection } from '../../app/line/told-connection.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import { ManualClock } from '../support/manual-clock.ts';

const hourMs = 3_600_000;

it.each([-2 * hourMs, 2 * hourMs])(
  'the time since when it is so moves along with a clock that is set by %i ms',
  (byMs) => {
    const clock = new ManualClock();
    const told = new ToldConnection(clock);
    clock.advance(5_000);
    told.set('offline', 'timeout');
    clock.advance(60_000);
    clock.jump(byMs);
    expect(told.connection.since).toBe(toInstant(clock.now() - 60_000));
    told.set('offline', 'service');
    expect(told.connection.since).toBe(toInstant(clock.now() - 60_000));
    told.set('online', null);
    expect(told.connection.since).toBe(toInstant(clock.now()));
  },
);
