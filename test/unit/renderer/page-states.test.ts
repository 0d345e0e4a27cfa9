import { signal } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import { createActivity } from '../../../renderer/activity/state.ts';
import { createAttention } from '../../../renderer/attention/state.ts';
import { openCopy } from '../../../renderer/copy/copy.ts';
import { createDayClose } from '../../../renderer/day-close/state.ts';
import { createCashier } from '../../../renderer/frame/cashier.ts';
import { createFrame } from '../../../renderer/frame/frame.ts';
import { createScans } from '../../../renderer/scanner/scans.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { operationOf, tillStateOf } from '../../support/ui-fake-agent.ts';

const silent = { success: () => undefined, failure: () => undefined };

describe('an export of the activity', () => {
  it('keeps to what was chosen when it began', async () => {
    const api = new AskedApi();
    const { asked } = api;
    const activity = createActivity({ api, clock: new ManualClock() });
    activity.narrow({ state: 'refused', text: 'R-' });
    const exports = () => asked.filter(({ input }) => input.limit === 500);
    void activity.exportAll({ write: () => undefined, save: () => undefined });
    activity.narrow({ state: null, text: 'other' });
    await exports()[0]?.answer({ operations: [], before_row: 7 });
    expect(exports().map(({ input }) => [input.states, input.text, input.before_row])).toEqual([
      [['refused'], 'R-', undefined],
      [['refused'], 'R-', 7],
    ]);
  });
});

describe('an operation', () => {
  it('that is closed before it was read does not open after all', async () => {
    const api = new AskedApi();
    const activity = createActivity({ api, clock: new ManualClock() });
    const opening = activity.open('op-1');
    activity.close();
    await api.newest('activity.show').refuse('operation_not_found');
    await opening;
    expect([activity.detail.value, activity.failure.value]).toEqual([null, null]);
  });
});

describe('the days that are closed', () => {
  const closes = (...dates: readonly string[]) => ({
    closes: dates.map((business_date) => ({ business_date, closed_at: '', closed_by: 'Huda', open_count: 0 })),
  });

  it('stand there once, however often more of them are asked for at once', async () => {
    const api = new AskedApi();
    const { asked } = api;
    const dayClose = createDayClose({ api, clock: new ManualClock(), till: signal(null) });
    void dayClose.moreCloses();
    await asked[0]?.answer(closes('2026-11-19'));
    void dayClose.moreCloses();
    void dayClose.moreCloses();
    for (const question of asked.slice(1)) await question.answer(closes('2026-11-18'));
    expect(dayClose.closes.value?.map(({ business_date }) => business_date)).toEqual(['2026-11-19', '2026-11-18']);
    void dayClose.moreCloses();
    expect(asked.at(-1)?.input.before).toBe('2026-11-18');
  });

  it('are stepped through as often as it is pressed, also while one is being counted', () => {
    const api = new AskedApi();
    const { asked } = api;
    const dayClose = createDayClose({ api, clock: new ManualClock(), till: signal(null) });
    dayClose.show('2026-11-20');
    dayClose.step(-1);
    dayClose.step(-1);
    expect(asked.at(-1)).toMatchObject({ command: 'day.read', input: { business_date: '2026-11-18' } });
  });

  it('end with today', async () => {
    const api = new AskedApi();
    const { asked } = api;
    const dayClose = createDayClose({ api, clock: new ManualClock(), till: signal(null) });
    dayClose.show('2026-11-19');
    await asked[0]?.answer({ business_date: '2026-11-19', today: '2026-11-20' });
    for (let press = 0; press < 3; press += 1) dayClose.step(1);
    expect(asked.map(({ input }) => input.business_date)).toEqual(['2026-11-19', '2026-11-20']);
  });
});

describe('the badge that is asked for', () => {
  it('that is not known says so in its own dialog, not in the one that was opened since', async () => {
    const api = new AskedApi();
    const cashier = createCashier({
      api,
      clock: new ManualClock(),
      scans: createScans(),
      sounds: silent,
      till: signal(null),
    });
    cashier.ask();
    cashier.type('B-1');
    const confirming = cashier.confirm();
    cashier.cancel();
    cashier.ask();
    await api.newest('cashier.sign_in').refuse('badge_unknown');
    await confirming;
    expect(cashier.asking.value).toMatchObject({ name: null, text: '', busy: false, failure: null });
  });

  it('that is all digits says that it was not taken when it comes just after the lock, and is taken a little later', () => {
    const api = new AskedApi();
    const clock = new ManualClock();
    const scans = createScans();
    const till = signal(tillStateOf({ sign_in: null }));
    const sounds = { success: vi.fn(), failure: vi.fn() };
    const cashier = createCashier({ api, clock, scans, sounds, till });
    till.value = tillStateOf({ sign_in: 'locked' });
    clock.advance(1_900);
    expect(scans.take('00012345')).toBe(true);
    // It may as well be a PIN that somebody was typing when the screen locked.
    expect(api.asked).toEqual([]);
    expect(cashier.asking.value).toMatchObject({ text: '', isTooSoon: true });
    expect(sounds.failure).toHaveBeenCalledOnce();
    clock.advance(200);
    scans.take('00012345');
    expect(api.newest('cashier.sign_in').input).toEqual({ badge: '00012345' });
    expect(cashier.asking.value).toMatchObject({ isTooSoon: false });
  });

  it('gives scans back to the sale, though it was asked for twice', () => {
    const scans = createScans();
    const cashier = createCashier({
      api: new AskedApi(),
      clock: new ManualClock(),
      scans,
      sounds: silent,
      till: signal(null),
    });
    cashier.ask();
    cashier.ask();
    cashier.cancel();
    expect(scans.take('LC-1001')).toBe(false);
  });
});

describe('a PIN with a write-off', () => {
  it('may be typed in Arabic digits', async () => {
    const api = new AskedApi();
    const attention = createAttention({ api, clock: new ManualClock() });
    attention.begin(operationOf({ state: 'refused' }), 'write_off');
    attention.type({ reason: 'told', pin: '٤٧١١' });
    void attention.confirm();
    expect(api.newest('attention.write_off').input).toMatchObject({ pin: '4711' });
  });
});

describe('the question what became of an operation', () => {
  it.each([
    { state: 'applied', isAnswered: true },
    { state: 'refused', isAnswered: true },
    { state: 'written_off', isAnswered: false },
    { state: 'cancelled', isAnswered: false },
  ] as const)(
    'is answered by what the service has, and not by another screen: $state',
    async ({ state, isAnswered }) => {
      const api = new AskedApi();
      const attention = createAttention({ api, clock: new ManualClock() });
      attention.begin(operationOf({ state: 'unknown' }), 'ask');
      attention.type({ reason: 'the customer waits' });
      void attention.confirm();
      await api.newest('attention.resend').refuse('not_now', { details: [operationOf({ state })] });
      const left = attention.deciding.value;
      expect([left?.busy, left?.failure?.code]).toEqual(isAnswered ? [undefined, undefined] : [false, 'not_now']);
    },
  );
});

describe('the language', () => {
  it('that could not be kept here gives way to one that is set elsewhere', async () => {
    const api = new AskedApi();
    const remembered = new Map<string, string>();
    const memory = {
      read: (key: string) => remembered.get(key) ?? null,
      write: (key: string, value: string) => void remembered.set(key, value),
    };
    const clock = new ManualClock();
    const copy = await openCopy({ clock, locale: 'en' });
    const frame = createFrame({ api, clock, memory, copy });
    api.open();
    await api.newest('state.read').answer(tillStateOf({ locale: 'ar' }));
    await expect.poll(() => frame.locale.value).toBe('ar');
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
