import { beforeEach, describe, expect, it } from 'vitest';
import { everything } from '../../../renderer/activity/filter.ts';
import { createMySales, type MySales } from '../../../renderer/activity/my-sales.ts';
import { type Activity, createActivity } from '../../../renderer/activity/state.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { operationOf } from '../../support/ui-fake-agent.ts';

let api: AskedApi;
let clock: ManualClock;
let activity: Activity;
let sales: MySales;

beforeEach(() => {
  api = new AskedApi();
  clock = new ManualClock();
  activity = createActivity({ api, clock });
  sales = createMySales({ api, clock, activity });
});

const day = '2026-11-20';
const mine = { ...everything, day, cashier: 'E-7' };
const counted = (business_date: string) =>
  api.newest('day.read').answer({ business_date, cashiers: null, since_closing: null });
/** Somebody sells, and the sums are read again. */
function sell(): void {
  api.tell({ type: 'operation', operation: operationOf({}) });
  clock.advance(1_000);
}
async function show(): Promise<void> {
  sales.toggle('E-7');
  await counted(day);
}
const shown = () => [sales.mine.value.kind, activity.filter.value];

describe('My sales', () => {
  it('are those of the day and the cashier, until they are pressed again', async () => {
    await show();
    expect(shown()).toEqual(['shown', mine]);
    sales.toggle('E-7');
    expect(shown()).toEqual(['off', everything]);
  });

  it('end when the list is narrowed to something else, by whatever was pressed', async () => {
    await show();
    activity.narrow({ ...everything, text: 'Sara' });
    sell();
    expect(shown()).toEqual(['off', { ...everything, text: 'Sara' }]);
    expect(api.asked.filter(({ command }) => command === 'day.read')).toHaveLength(1);
  });

  it('that are being read do not come over a filter that was chosen since', async () => {
    sales.toggle('E-7');
    activity.narrow({ state: 'attention' });
    await counted(day);
    expect(shown()).toEqual(['off', { ...everything, state: 'attention' }]);
  });

  it('that could not be read narrow the list when they can be, as the first time', async () => {
    await show();
    sales.toggle('E-7');
    sales.toggle('E-7');
    await api.newest('day.read').refuse('agent_gone');
    expect(shown()).toEqual(['failed', everything]);
    sell();
    await counted(day);
    expect(shown()).toEqual(['shown', mine]);
  });

  it('leave the list as it stands while only the sums change, and go on to the next day', async () => {
    await show();
    const { filter } = activity;
    const before = filter.value;
    sell();
    await api.newest('day.read').refuse('agent_gone');
    sell();
    await counted(day);
    expect([sales.mine.value.kind, filter.value === before]).toEqual(['shown', true]);
    sell();
    await counted('2026-11-21');
    expect(shown()).toEqual(['shown', { ...mine, day: '2026-11-21' }]);
  });

  it('are read again when the screen opens, while they are shown', async () => {
    sales.readAgain();
    expect(api.asked).toEqual([]);
    await show();
    sales.readAgain();
    expect(api.asked.filter(({ command }) => command === 'day.read')).toHaveLength(2);
  });
});
