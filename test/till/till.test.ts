import { beforeEach, describe, expect, it } from 'vitest';
import type { ChangeOutcome } from '../../app/config/settings-editor.ts';
import type { Till } from '../../app/till/till.ts';
import { tillCommands } from '../../shared/till/api.ts';
import { FakeCore } from '../support/fake-core.ts';
import { doneOutcome, fakeOperation, fakeProfile, refusedOutcome } from '../support/fake-records.ts';
import { fakeSettings } from '../support/fake-settings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tillOf } from '../support/till-of.ts';

let core: FakeCore;
let clock: ManualClock;
let till: Till;
let savedLocales: string[];
let faults: unknown[];

beforeEach(() => {
  core = new FakeCore({ device_name: 'Till 7', card_pattern: '^LC-' });
  clock = new ManualClock();
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

  it('has one reference for one receipt, whichever digits its number was typed in', async () => {
    await ask('operation.earn', { ...earnInput, receipt_number: ' ١٠٠٢' });
    expect(core.saved).toMatchObject([{ receiptNumber: '1002' }]);
    expect(await ask('operation.earn', { ...earnInput, receipt_number: '\u200f ' })).toMatchObject({
      ok: false,
      error: { code: 'invalid', field: 'receipt_number' },
    });
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

describe('a redemption that the agent had to send twice', () => {
  const redemption = {
    operation_id: operationId,
    identifier: earnInput.identifier,
    customer_name: 'Fatima',
    points: 40,
  };

  it('is a success of its first press, though the service calls it a duplicate, and a duplicate for the next press', async () => {
    const operation = fakeOperation({ operationId, intent: 'redeem', points: 40, state: 'applied' });
    core.immediateOutcome = { kind: 'done', operation, answer: {}, duplicate: true };
    expect(await ask('operation.redeem', redemption)).toMatchObject({ ok: true, value: { duplicate: false } });
    core.operations.push(operation);
    expect(await ask('operation.redeem', redemption)).toMatchObject({ ok: true, value: { duplicate: true } });
  });
});
