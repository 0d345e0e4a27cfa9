import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChangeOutcome } from '../../app/config/settings-editor.ts';
import type { Till } from '../../app/till/till.ts';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import { type TillEvent, tillCommands, tillEventSchema } from '../../shared/till/api.ts';
import { FakeCore } from '../support/fake-core.ts';
import { doneOutcome, fakeNowMs, fakeOperation, fakeProfile, refusedOutcome } from '../support/fake-records.ts';
import { fakeSettings } from '../support/fake-settings.ts';
import { tillOf } from '../support/till-of.ts';

class SteppedClock implements Clock {
  #nowMs = 0;
  #timers: { atMs: number; callback: () => void }[] = [];
  now = () => this.#nowMs;
  monotonicMs = () => this.#nowMs;
  setTimer = (callback: () => void, delayMs: number): CancelTimer => {
    const timer = { atMs: this.#nowMs + delayMs, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };
  advance(ms: number): void {
    this.#nowMs += ms;
    const due = this.#timers.filter((timer) => timer.atMs <= this.#nowMs);
    this.#timers = this.#timers.filter((timer) => timer.atMs > this.#nowMs);
    for (const timer of due) timer.callback();
  }
}

let core: FakeCore;
let clock: SteppedClock;
let till: Till;
let savedLocales: string[];
let faults: unknown[];

beforeEach(() => {
  core = new FakeCore({ device_name: 'Till 7', card_pattern: '^LC-' });
  clock = new SteppedClock();
  savedLocales = [];
  faults = [];
  till = tillOf({
    core,
    clock,
    version: '9.9.9',
    saveLocale: (locale) => savedLocales.push(locale),
    onFault: (error) => faults.push(error),
  });
});

const operationId = '6f1c3f6e-2f0a-4f7e-9a55-0a4be2c7a111';
const earnInput = {
  operation_id: operationId,
  identifier: { phone: '+96550001234' },
  customer_name: 'Fatima',
  amount_minor: 12500,
};
const ask = (command: string, input: unknown = {}) => till.handle({ command, input });

describe('what reaches the agent', () => {
  it.each([
    [undefined],
    [null],
    ['state.read'],
    [{}],
    [{ command: 3 }],
    [{ command: 'nothing', input: {} }],
    [{ command: 'toString', input: {} }],
    [{ command: '__proto__', input: {} }],
    [{ command: 'operation.earn' }],
    [{ command: 'operation.earn', input: null }],
    [{ command: 'operations.recent', input: { limit: 1000 } }],
  ])('is not %j', async (message) => {
    const reply = await till.handle(message);
    expect(reply).toMatchObject({ ok: false, error: { code: 'invalid' } });
    expect(core.saved).toEqual([]);
  });

  it.each([
    [{ ...earnInput, amount_minor: 1.5 }, 'amount_minor'],
    [{ ...earnInput, operation_id: 'x' }, 'operation_id'],
    [{ ...earnInput, identifier: { phone: '99887766', email: 'a@b.co' } }, 'identifier'],
    [{ ...earnInput, points: 3 }, ''],
  ])('names the wrong field of %j', async (input, field) => {
    expect(await ask('operation.earn', input)).toMatchObject({ ok: false, error: { code: 'invalid', field } });
    expect(core.saved).toEqual([]);
  });

  it('is told of a fault in words that hide it', async () => {
    core.fault = new Error('secret detail');
    const reply = await ask('operation.earn', earnInput);
    expect(reply).toMatchObject({ ok: false, error: { code: 'agent_gone' } });
    expect(JSON.stringify(reply)).not.toContain('secret detail');
    expect(faults).toHaveLength(1);
  });
});

describe('closing a day', () => {
  it('with nothing but spaces for a name is told at the name, not as a disk that is full', async () => {
    const input = { business_date: '2026-11-20', closed_by: '   ' };
    expect(await ask('day.close', input)).toMatchObject({ ok: false, error: { code: 'invalid', field: 'closed_by' } });
  });
});

describe('the settings', () => {
  const asked: Parameters<typeof fakeSettings>[1] = [];
  const tillWith = (outcome: ChangeOutcome): Till =>
    tillOf({
      core,
      clock,
      version: '9.9.9',
      settings: fakeSettings(outcome, asked),
      onFault: (error) => faults.push(error),
    });

  it('are told with what waits, what needs a restart and what is to be asked', async () => {
    const reply = await ask('settings.read');
    if (!reply.ok) throw new Error(reply.error.message);
    expect(tillCommands['settings.read'].answer.parse(reply.value)).toMatchObject({
      settings: [{ name: 'mode', value: 'sandbox', source: 'default', locked: false }],
      waiting: { sandbox: 2, production: 0 },
      restart_needed: false,
      asks_mode: true,
    });
  });

  it.each<[ChangeOutcome]>([
    [{ kind: 'saved', restart_needed: true }],
    [{ kind: 'refused', problems: [{ field: 'base_url', problem: 'is locked' }] }],
    [{ kind: 'needs_confirmation', waiting: { sandbox: 2, production: 0 } }],
  ])('are changed, which ends as %j', async (outcome) => {
    asked.length = 0;
    const patch = { mode: 'production', 'bridge.port': 80, api_key: null };
    const reply = await tillWith(outcome).handle({ command: 'settings.change', input: { patch } });
    expect(reply).toEqual({ ok: true, value: outcome });
    if (reply.ok) expect(tillCommands['settings.change'].answer.parse(reply.value)).toEqual(outcome);
    await tillWith(outcome).handle({ command: 'settings.change', input: { patch, confirmed: true } });
    expect(asked).toEqual([
      { patch, isConfirmed: false },
      { patch, isConfirmed: true },
    ]);
  });

  it.each([[{}], [{ patch: 'mode' }], [{ patch: {}, confirmed: 'yes' }]])('are not changed by %j', async (input) => {
    asked.length = 0;
    const till = tillWith({ kind: 'saved', restart_needed: false });
    expect(await till.handle({ command: 'settings.change', input })).toMatchObject({ error: { code: 'invalid' } });
    expect(asked).toEqual([]);
  });

  it('show a language that was set elsewhere at once', async () => {
    const states: string[] = [];
    till.onEvent((event) => {
      if (event.type === 'state') states.push(event.state.locale);
    });
    till.showSaved({ ...core.settings, locale: 'ar' });
    clock.advance(1_000);
    expect(states).toEqual(['ar']);
    expect(savedLocales).toEqual([]);
    expect(await ask('state.read')).toMatchObject({ value: { locale: 'ar' } });
  });
});

describe('an earn', () => {
  it('is handed over whole and answered with its view', async () => {
    const reply = await ask('operation.earn', { ...earnInput, receipt_number: '77' });
    expect(core.saved).toEqual([
      {
        origin: 'till',
        operationId,
        request: { identifier: { phone: '+96550001234' }, amount_minor: 12500 },
        customerName: 'Fatima',
        receiptNumber: '77',
        idempotencyKey: null,
      },
    ]);
    if (!reply.ok) throw new Error(reply.error.message);
    const { operation, duplicate } = tillCommands['operation.earn'].answer.parse(reply.value);
    expect(duplicate).toBe(false);
    expect(operation).toMatchObject({
      operation_id: operationId,
      state: 'queued',
      customer_name: 'Fatima',
      identifier_hint: '••• 1234',
      undo: 'cancel',
      one_shot: false,
      decision: null,
    });
    expect(JSON.stringify(reply)).not.toContain('+96550001234');
  });

  it('like one a moment ago asks first, and is taken when the cashier says so', async () => {
    core.repeat = fakeOperation();
    expect(await ask('operation.earn', earnInput)).toMatchObject({
      ok: false,
      error: { code: 'looks_like_a_repeat' },
    });
    expect(core.saved).toEqual([]);
    expect(await ask('operation.earn', { ...earnInput, repeat: 'accepted' })).toMatchObject({ ok: true });
  });

  it('pressed twice is not asked about: it is the same one', async () => {
    await ask('operation.earn', earnInput);
    core.repeat = core.operations[0] ?? null;
    expect(await ask('operation.earn', earnInput)).toMatchObject({ ok: true, value: { duplicate: true } });
  });

  it('of a press that was saved before is answered with what was saved, whatever it says now', async () => {
    const operation = fakeOperation({ operationId, amountMinor: 9_000 });
    core.saveOutcome = {
      kind: 'reference_taken',
      operation,
      differingFields: ['amount_minor'],
      firstBusinessDate: null,
    };
    expect(await ask('operation.earn', earnInput)).toMatchObject({
      ok: true,
      value: { operation: { operation_id: operationId, amount_minor: 9_000 }, duplicate: true },
    });
  });

  it.each([
    [{ kind: 'not_saved', message: 'disk full' }, 'not_saved'],
    [{ kind: 'queue_full', maxQueue: 3 }, 'queue_full'],
    [{ kind: 'above_limit', limit: { name: 'max_amount_minor', value: 100, field: 'amount_minor' } }, 'above_limit'],
    [
      { kind: 'reference_taken', operation: fakeOperation(), differingFields: ['points'], firstBusinessDate: null },
      'reference_taken',
    ],
  ] as const)('that is %o says %s', async (outcome, code) => {
    core.saveOutcome = outcome;
    expect(await ask('operation.earn', earnInput)).toMatchObject({ ok: false, error: { code } });
  });
});

describe('taking back', () => {
  it.each([
    [{ kind: 'cancelled', operation: fakeOperation({ state: 'cancelled' }) }, { ok: true }],
    [{ kind: 'too_late', operation: fakeOperation({ state: 'sending' }) }, { error: { code: 'cannot_cancel' } }],
    [{ kind: 'not_found' }, { error: { code: 'operation_not_found' } }],
    [{ kind: 'not_saved', message: 'disk' }, { error: { code: 'not_saved' } }],
  ] as const)('%o answers %j', async (outcome, expected) => {
    core.cancelOutcome = outcome;
    expect(await ask('operation.cancel', { operation_id: 'any' })).toMatchObject(expected);
  });

  it('is offered without the service only for what was never sent', async () => {
    core.operations.push(
      fakeOperation({ rowId: 1 }),
      fakeOperation({ rowId: 2, maybeSent: true }),
      fakeOperation({ rowId: 3, state: 'sending' }),
      fakeOperation({ rowId: 4, state: 'applied' }),
    );
    const reply = await ask('operations.recent');
    if (!reply.ok) throw new Error(reply.error.message);
    const { operations } = tillCommands['operations.recent'].answer.parse(reply.value);
    expect(operations.map((operation) => operation.undo)).toEqual(['reverse', 'reverse', null, 'cancel']);
  });
});

describe('finding a customer', () => {
  const find = (identifier: object) => ask('customer.find', { identifier });

  it('gives the service’s profile', async () => {
    core.identifyOutcome = doneOutcome(fakeProfile());
    expect(await find({ loyalty_id: 'LC-1' })).toEqual({
      ok: true,
      value: { source: 'service', profile: fakeProfile() },
    });
  });

  it('gives a kept one offline, with all that its cards offered', async () => {
    core.kept.set('LC-1', fakeProfile());
    const reply = await find({ loyalty_id: 'LC-1' });
    expect(reply).toMatchObject({ ok: true, value: { source: 'kept' } });
    if (!reply.ok) throw new Error(reply.error.message);
    const found = tillCommands['customer.find'].answer.parse(reply.value);
    expect(found.profile.cards).toEqual(fakeProfile().cards);
  });

  it('tells a stranger, an unknown customer and a refusal apart', async () => {
    expect(await find({ loyalty_id: 'LC-2' })).toMatchObject({ error: { code: 'offline' } });
    core.identifyOutcome = refusedOutcome(404, 'CUSTOMER_NOT_FOUND');
    expect(await find({ loyalty_id: 'LC-2' })).toMatchObject({ error: { code: 'customer_not_found' } });
    core.identifyOutcome = refusedOutcome(400, 'VALIDATION_ERROR');
    expect(await find({ phone: '1' })).toMatchObject({ error: { code: 'invalid', field: 'identifier.phone' } });
    // Whether it is possible in its country the service tells.
    expect(await find({ phone: '1234' })).toMatchObject({
      error: { code: 'refused', service_code: 'VALIDATION_ERROR' },
    });
  });
});

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
      limits: { max_amount_minor: 100_000_000, confirm_above_minor: 1_000_000 },
      connection: { state: 'online', cause: null, since: '2026-11-20T18:00:00.000Z' },
      operations: { queued: 1, sending: 0, unknown: 0, accepted: 0, refused: 0, failed: 0, found: 0, changed: 0 },
      oldest_waiting_at: new Date(fakeNowMs).toISOString(),
      window: { hours: 72, seconds_left: 259000 },
      notices: [],
      cashier: null,
      handed_over: null,
      display: null,
      has_cashiers: false,
      cashiers: [],
      sign_in: null,
      locks: false,
      has_managers: false,
      now: new Date(fakeNowMs).toISOString(),
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
