import { beforeEach, describe, expect, it } from 'vitest';
import { type Activity, createActivity } from '../../../renderer/activity/state.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { operationOf } from '../../support/ui-fake-agent.ts';

let api: AskedApi;
let activity: Activity;

const ofRow = (row_id: number, state: 'queued' | 'refused') =>
  operationOf({ row_id, operation_id: `op-${row_id}`, state });
const happens = (row_id: number, state: 'queued' | 'refused') =>
  api.tell({ type: 'operation', operation: ofRow(row_id, state) });
const listed = (...rows: readonly number[]) =>
  api
    .newest('activity.list')
    .answer({ operations: rows.map((row) => ofRow(row, 'refused')), tries: [], before_row: null });

beforeEach(async () => {
  api = new AskedApi();
  activity = createActivity({ api, clock: new ManualClock() });
  activity.readAgain();
  await listed(500, 480);
});

describe('an operation that comes while the list is shown', () => {
  it('is new once, however often it changes', () => {
    happens(501, 'queued');
    happens(501, 'refused');
    expect(activity.newCount.value).toBe(1);
  });

  it('is new again under a filter that it did not pass at first', async () => {
    happens(501, 'queued');
    activity.narrow({ state: 'attention' });
    await listed(480);
    expect(activity.newCount.value).toBe(0);
    happens(501, 'refused');
    expect(activity.newCount.value).toBe(1);
  });

  it('is new where the list that is read again was answered before it was saved', async () => {
    activity.readAgain();
    happens(501, 'queued');
    await listed(500, 480);
    expect(activity.newCount.value).toBe(1);
  });

  it('is not new where the list that is read again has it', async () => {
    activity.readAgain();
    happens(501, 'queued');
    await listed(501, 500, 480);
    expect(activity.newCount.value).toBe(0);
  });

  it('is new once also where the list could not be read again', async () => {
    happens(501, 'queued');
    activity.readAgain();
    await api.newest('activity.list').refuse('agent_gone');
    happens(501, 'refused');
    expect(activity.newCount.value).toBe(1);
  });
});

it('a receipt is looked for by the number that it was saved under, whichever digits are typed', () => {
  activity.narrow({ text: ' ١٠٠٢' });
  expect(api.newest('activity.list').input).toMatchObject({ text: '1002' });
});
