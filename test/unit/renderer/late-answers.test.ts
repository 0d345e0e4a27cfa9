import { beforeEach, describe, expect, it } from 'vitest';
import { createActivity } from '../../../renderer/screens/activity/state.ts';
import { createDayClose } from '../../../renderer/screens/day-close/state.ts';
import { createCashier } from '../../../renderer/state/cashier.ts';
import { createFrame } from '../../../renderer/state/frame.ts';
import { createScans } from '../../../renderer/state/scans.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { operationOf, tillStateOf } from '../../support/ui-fake-agent.ts';

// What a page does with answers that come late, twice, or in another order than they were asked for.
let api: AskedApi;
let clock: ManualClock;

beforeEach(() => {
  api = new AskedApi();
  clock = new ManualClock();
});

describe('a file of everything', () => {
  it('is of what was listed when it was begun, whatever the list is narrowed to meanwhile', async () => {
    const activity = createActivity({ api, clock });
    activity.narrow({ state: 'refused' });
    const written: string[] = [];
    let isSaved = false;
    const file = {
      write: (text: string) => void written.push(text),
      save() {
        isSaved = true;
      },
    };
    const exporting = activity.exportAll(file);
    expect(api.newest('activity.list').input).toMatchObject({ states: ['refused'] });
    const first = api.newest('activity.list');
    activity.narrow({ state: 'applied' });
    await first.answer('activity.list', { operations: [operationOf({ state: 'refused' })], before_row: 1 });
    const second = api.newest('activity.list');
    expect(second.input).toMatchObject({ states: ['refused'], before_row: 1 });
    await second.answer('activity.list', { operations: [], before_row: null });
    await exporting;
    expect([written.length, isSaved]).toEqual([2, true]);
  });
});

describe('an operation', () => {
  it('that is closed before it was read does not open after all', async () => {
    const activity = createActivity({ api, clock });
    const opening = activity.open('op-1');
    activity.close();
    await api.newest('activity.show').refuse('operation_not_found');
    await opening;
    expect([activity.detail.value, activity.failure.value]).toEqual([null, null]);
  });
});

describe('the closed days', () => {
  it('stand there once, however often more of them are asked for', async () => {
    const dayClose = createDayClose({ api, clock });
    const close = (business_date: string) => ({ business_date, closed_at: '', closed_by: 'Mona', open_count: 0 });
    await api.newest('day.list').answer('day.list', { closes: [close('2026-11-20')] });
    const more = [dayClose.moreCloses(), dayClose.moreCloses()];
    const asked = api.asked.filter(({ command }) => command === 'day.list').slice(1);
    for (const one of asked) await one.answer('day.list', { closes: [close('2026-11-19')] });
    await Promise.all(more);
    expect(dayClose.closes.value?.map(({ business_date }) => business_date)).toEqual(['2026-11-20', '2026-11-19']);
  });
});

describe('the badge', () => {
  const silent = { success: () => undefined, failure: () => undefined };

  it('that is not known says so in its own dialog, not in the one that was opened since', async () => {
    const cashier = createCashier({ api, scans: createScans(), sounds: silent });
    cashier.ask();
    cashier.type('B-1');
    const confirming = cashier.confirm();
    cashier.cancel();
    cashier.ask();
    await api.newest('cashier.sign_in').refuse('badge_unknown');
    await confirming;
    expect(cashier.asking.value).toEqual({ text: '', busy: false, failure: null });
  });

  it('gives the scans back, even when it was asked for twice', () => {
    const scans = createScans();
    const cashier = createCashier({ api, scans, sounds: silent });
    cashier.ask();
    cashier.ask();
    cashier.cancel();
    expect(scans.take('LC-1001')).toBe(false);
  });
});

describe('the language', () => {
  it('that could not be kept here gives way to one that is set elsewhere', async () => {
    const remembered = new Map<string, string>();
    const memory = {
      read: (key: string) => remembered.get(key) ?? null,
      write: (key: string, value: string) => void remembered.set(key, value),
    };
    const frame = createFrame({ api, clock, memory });
    await api.newest('state.read').answer('state.read', tillStateOf({ locale: 'ar' }));
    frame.setLocale('en');
    await api.newest('locale.set').refuse('agent_gone');
    api.tell({ type: 'state', state: tillStateOf({ locale: 'ar' }) });
    expect(frame.locale.value).toBe('en');
    frame.setLocale('ar');
    await api.newest('locale.set').refuse('agent_gone');
    api.tell({ type: 'state', state: tillStateOf({ locale: 'en' }) });
    expect(frame.locale.value).toBe('en');
  });
});
