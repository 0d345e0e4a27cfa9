import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Till } from '../../app/till/till.ts';
import { type TillEvent, tillCommands, tillEventSchema } from '../../shared/till/api.ts';
import { FakeCore } from '../support/fake-core.ts';
import { fakeNowMs, fakeOperation, noOperations } from '../support/fake-records.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tillOf } from '../support/till-of.ts';

let core: FakeCore;
let clock: ManualClock;
let till: Till;
let savedLocales: string[];

beforeEach(() => {
  core = new FakeCore({ device_name: 'Till 7', card_pattern: '^LC-' });
  clock = new ManualClock();
  savedLocales = [];
  till = tillOf({
    core,
    clock,
    version: '9.9.9',
    saveLocale: (locale) => savedLocales.push(locale),
    onFault: (error) => {
      throw error;
    },
  });
});

const ask = (command: string, input: unknown = {}) => till.handle({ command, input });

describe('the state', () => {
  it('has everything that the frame shows', async () => {
    core.operations.push(fakeOperation());
    const reply = await ask('state.read');
    if (!reply.ok) throw new Error(reply.error.message);
    expect(tillCommands['state.read'].answer.parse(reply.value)).toEqual({
      mode: 'sandbox',
      device_name: 'Till 7',
      branch_ref: 'main',
      locale: 'en',
      currency: 'KWD',
      enroll_templates: [],
      reward_goals: [],
      time_zone: 'Asia/Kuwait',
      card_pattern: '^LC-',
      limits: {
        max_amount_minor: 100_000_000,
        max_points: 1_000_000,
        max_stamps: 1_000,
        max_visits: 1_000,
        confirm_above_minor: 1_000_000,
      },
      connection: { state: 'online', cause: null, since: '2026-11-20T18:00:00.000Z' },
      operations: { ...noOperations, queued: 1 },
      oldest_waiting_at: new Date(fakeNowMs).toISOString(),
      window: { hours: 72, seconds_left: 259000, ends_at: new Date(fakeNowMs + 259_000_000).toISOString() },
      notices: [],
      cashier: null,
      handed_over: null,
      display: null,
      has_cashiers: false,
      cashiers: [],
      sign_in: null,
      locks: false,
      has_managers: false,
      has_printer: false,
      now: new Date(fakeNowMs).toISOString(),
      service_ahead_ms: 12,
      clock_runs: true,
      practice_cards: [],
      lab: null,
      desktop: { kiosk: false, starts_at_login: false },
      distance: 'normal',
      asks_mode: false,
      version: '9.9.9',
    });
  });

  it('remembers the language, and tells every screen', async () => {
    const events: TillEvent[] = [];
    till.onEvent((event) => events.push(event));
    expect(await ask('locale.set', { locale: 'ar' })).toEqual({ ok: true, value: {} });
    expect(savedLocales).toEqual(['ar']);
    expect(events).toMatchObject([{ type: 'state', state: { locale: 'ar' } }]);
    expect(await ask('state.read')).toMatchObject({ value: { locale: 'ar' } });
    expect(await ask('locale.set', { locale: 'fr' })).toMatchObject({ ok: false, error: { field: 'locale' } });
  });
});

describe('events', () => {
  let events: TillEvent[];
  let endEvents: () => void;
  beforeEach(() => {
    events = [];
    endEvents = till.onEvent((event) => events.push(event));
  });

  it('tell the first change at once', () => {
    core.emitOperation(fakeOperation({ state: 'accepted' }));
    expect(events.map((event) => tillEventSchema.parse(event))).toMatchObject([
      { type: 'operation', operation: { state: 'accepted' } },
    ]);
  });

  it('gather a flood: one round, the last word on each operation, the newest operations', () => {
    for (let rowId = 1; rowId <= 10_000; rowId += 1) {
      core.emitOperation(fakeOperation({ rowId, state: 'sending' }));
      core.emitOperation(fakeOperation({ rowId, state: 'accepted' }));
      core.emit({ type: 'status' });
    }
    expect(events).toHaveLength(1);
    clock.advance(100);
    const told = events.slice(1);
    expect(told.length).toBeLessThanOrEqual(51);
    expect(told.filter((event) => event.type === 'state')).toHaveLength(1);
    const last = told.findLast((event) => event.type === 'operation');
    expect(last).toMatchObject({ operation: { state: 'accepted' } });
    clock.advance(100);
    clock.advance(100);
    expect(events).toHaveLength(1 + told.length);
  });

  it('read no operation for nobody, and each one once for a round', () => {
    const read = vi.spyOn(core, 'operation');
    core.emitOperation(fakeOperation({ rowId: 1 }));
    expect(read).toHaveBeenCalledTimes(1);
    for (let again = 0; again < 5; again += 1) core.emitOperation(fakeOperation({ rowId: 2 }));
    clock.advance(100);
    expect(read).toHaveBeenCalledTimes(2);
    endEvents();
    clock.advance(100);
    core.emitOperation(fakeOperation({ rowId: 3 }));
    clock.advance(100);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('stop when the subscription or the till ends', () => {
    const others: TillEvent[] = [];
    const end = till.onEvent((event) => others.push(event));
    end();
    till.close();
    core.emit({ type: 'status' });
    clock.advance(1000);
    expect(others).toEqual([]);
    expect(events).toEqual([]);
    expect(core.listenerCount).toBe(0);
  });
});
