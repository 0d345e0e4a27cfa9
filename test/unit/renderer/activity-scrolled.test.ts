import { beforeEach, describe, expect, it } from 'vitest';
import { rowAt } from '../../../renderer/activity/pages.ts';
import { type Activity, createActivity } from '../../../renderer/activity/state.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { operationOf } from '../../support/ui-fake-agent.ts';

const rowCount = 2_000;
let api: AskedApi;
let activity: Activity;
/** Row ids of the operations at the agent, newest first. */
let held: readonly number[];
let answered: number;

beforeEach(async () => {
  api = new AskedApi();
  activity = createActivity({ api, clock: new ManualClock() });
  held = idsFrom(rowCount);
  answered = 0;
  activity.readAgain();
  await serve();
  for (let row = 0; row < rowCount; row += 200) await scrollTo(row);
});

const idsFrom = (newest: number) => Array.from({ length: newest }, (_, index) => newest - index);
const ofRow = (row_id: number) => operationOf({ row_id, operation_id: `op-${row_id}` });

/** Answers whatever the page asks for. */
async function serve(): Promise<void> {
  for (; answered < api.asked.length; answered += 1) {
    const { command, input } = api.asked[answered] ?? {};
    if (command !== 'activity.list') continue;
    const { limit, before_row: before = rowCount * 2 } = input as { limit: number; before_row?: number };
    const rows = held.filter((row) => row < before).slice(0, limit);
    const isEnd = rows.length < limit;
    const operations = rows.map(ofRow);
    await api.asked[answered]?.answer({ operations, tries: [], before_row: isEnd ? null : rows.at(-1) });
  }
}

async function scrollTo(row: number): Promise<void> {
  activity.look(row, row + 10);
  await serve();
}

const shownFrom = (first: number, count: number) =>
  Array.from(
    { length: count },
    (_, index) => activity.pages.value && rowAt(activity.pages.value, first + index)?.row_id,
  );

describe('a list that is scrolled far down', () => {
  it('shows what became of an old operation, and calls it no new one', () => {
    expect(shownFrom(0, 1)).toEqual([undefined]);
    api.tell({ type: 'operation', operation: { ...ofRow(5), state: 'refused' } });
    expect(activity.newCount.value).toBe(0);
    const { pages } = activity;
    expect(pages.value && rowAt(pages.value, rowCount - 5)?.state).toBe('refused');
  });

  it('has every row when it is scrolled up again, though others were saved meanwhile', async () => {
    held = idsFrom(rowCount + 10);
    for (let row = rowCount + 1; row <= rowCount + 10; row += 1) api.tell({ type: 'operation', operation: ofRow(row) });
    expect(activity.newCount.value).toBe(10);
    await scrollTo(0);
    await scrollTo(200);
    expect(shownFrom(0, 400)).toEqual(idsFrom(rowCount).slice(0, 400));
  });

  it('has its oldest row also where that has come into the list meanwhile', async () => {
    held = idsFrom(rowCount).slice(0, -1);
    activity.readAgain();
    await serve();
    for (let row = 0; row < rowCount; row += 200) await scrollTo(row);
    await scrollTo(0);
    held = idsFrom(rowCount);
    await scrollTo(rowCount - 20);
    expect(shownFrom(rowCount - 2, 2)).toEqual([2, 1]);
  });
});
