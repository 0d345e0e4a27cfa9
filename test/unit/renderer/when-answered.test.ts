import { type Signal, signal } from '@preact/signals';
import { beforeEach, describe, expect, it } from 'vitest';
import { createActivity } from '../../../renderer/activity/state.ts';
import { createAttention } from '../../../renderer/attention/state.ts';
import { createDayClose } from '../../../renderer/day-close/state.ts';
import { whenAnswered } from '../../../renderer/frame/when-answered.ts';
import type { TillCommandName, TillLink } from '../../../shared/till/api.ts';
import type { TillState } from '../../../shared/till/views.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { operationOf, tillStateOf } from '../../support/ui-fake-agent.ts';

let api: AskedApi;
let clock: ManualClock;
let link: Signal<TillLink>;
let till: Signal<TillState | null>;

beforeEach(() => {
  api = new AskedApi();
  clock = new ManualClock();
  link = signal<TillLink>('open');
  till = signal<TillState | null>(tillStateOf({}));
});

const shut = (sign_in: TillState['sign_in']) => {
  till.value = tillStateOf({ sign_in });
};
const timesAsked = (command: TillCommandName) => api.asked.filter((one) => one.command === command).length;

describe('what a screen reads', () => {
  it('is read at once and at each return of the line, but not while the screen is shut', () => {
    let reads = 0;
    link.value = 'lost';
    const end = whenAnswered({ link, till }, () => {
      reads += 1;
    });
    expect(reads).toBe(0);
    link.value = 'open';
    till.value = tillStateOf({});
    expect(reads).toBe(1);
    shut('locked');
    link.value = 'lost';
    link.value = 'open';
    expect(reads).toBe(1);
    shut(null);
    expect(reads).toBe(2);
    end();
    link.value = 'lost';
    link.value = 'open';
    expect(reads).toBe(2);
  });

  it.each([
    ['Needs attention', 'attention.list', { operations: [] }, createAttention],
    ['Activity', 'activity.list', { operations: [], tries: [], before_row: null }, createActivity],
    ['Day close', 'day.read', { business_date: '2026-11-20' }, createDayClose],
  ] as const)('in %s, and was refused before somebody signed in, is read then', async (_, command, answer, create) => {
    const parts = { api, clock, till };
    const screen = create(parts);
    whenAnswered({ link, till }, screen.readAgain);
    await api.newest(command).refuse('sign_in_needed');
    expect(screen.failure.value?.code).toBe('sign_in_needed');
    shut('needed');
    shut(null);
    await api.newest(command).answer(answer);
    expect([screen.failure.value, timesAsked(command)]).toEqual([null, 2]);
  });

  it('of the days that are closed is read with the day', async () => {
    const parts = { api, clock, till };
    whenAnswered({ link, till }, createDayClose(parts).readAgain);
    await api.newest('day.list').refuse('sign_in_needed');
    shut('needed');
    shut(null);
    expect(timesAsked('day.list')).toBe(2);
  });

  it('after an event, and was refused because the screen had locked, is read when it is unlocked', async () => {
    const attention = createAttention({ api, clock });
    whenAnswered({ link, till }, attention.readAgain);
    await api.newest('attention.list').answer({ operations: [] });
    api.tell({ type: 'operation', operation: operationOf({ state: 'refused' }) });
    shut('locked');
    clock.advance(1_000);
    await api.newest('attention.list').refuse('locked');
    shut(null);
    await api.newest('attention.list').answer({ operations: [operationOf({ state: 'refused' })] });
    expect([attention.failure.value, attention.operations.value?.length]).toEqual([null, 1]);
  });
});
