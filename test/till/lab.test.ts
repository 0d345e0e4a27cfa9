import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIds } from '../../app/machine/ids.ts';
import { seededRandom } from '../../app/machine/random.ts';
import { createService, type Service } from '../../app/service/service.ts';
import { embeddedLab } from '../../app/till/embedded-lab.ts';
import type { Lab } from '../../app/till/lab.ts';
import type { Till } from '../../app/till/till.ts';
import {
  type TillAnswer,
  type TillCommandName,
  type TillError,
  type TillInput,
  tillCommands,
} from '../../shared/till/api.ts';
import { labCommands } from '../../shared/till/lab-commands.ts';
import { FakeCore } from '../support/fake-core.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tillOf } from '../support/till-of.ts';

const startMs = Date.parse('2026-11-20T18:13:00.000Z');
let service: Service;
let lab: Lab;
let endLab: () => void;
let till: Till;
let faults: unknown[];

function tillWith(given: Lab | null, settings: ConstructorParameters<typeof FakeCore>[0] = {}): Till {
  return tillOf({
    core: new FakeCore(settings),
    clock: new ManualClock(startMs),
    lab: given,
    onFault: (error) => faults.push(error),
  });
}

beforeEach(() => {
  const host = new ManualClock(startMs);
  const random = seededRandom(1);
  faults = [];
  service = createService({ clock: host, random, ids: createIds(host, random), data: { kind: 'memory' } });
  ({ lab, end: endLab } = embeddedLab(service, { origin: 'http://embedded.localhost', ownKey: service.apiKey }));
  till = tillWith(lab);
});
afterEach(() => {
  till.close();
  endLab();
  service.close();
  expect(faults).toEqual([]);
});

async function ask<C extends TillCommandName>(command: C, input: TillInput<C>): Promise<TillAnswer<C>> {
  const reply = await till.handle({ command, input });
  if (!reply.ok) throw new Error(`${command}: ${reply.error.message}`);
  return tillCommands[command].answer.parse(reply.value) as TillAnswer<C>;
}
async function refusal(command: string, input: unknown, asked = till): Promise<TillError> {
  const reply = await asked.handle({ command, input });
  if (reply.ok) throw new Error(`${command} was not refused`);
  return reply.error;
}
const summary = async () => (await ask('state.read', {})).lab;

/** A sale of another program at the same service. */
const earn = (reference: string) =>
  service.handle(
    new Request('http://embedded.localhost/v1/transactions/earn', {
      method: 'POST',
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: { loyalty_id: 'LC-1001' }, external_ref: reference, points: 1 }),
    }),
  );

describe('a till without a sandbox of its own', () => {
  it.each(Object.keys(labCommands))('refuses %s', async (command) => {
    for (const other of [tillWith(null), tillWith(lab, { mode: 'production' })]) {
      expect((await refusal(command, {}, other)).code).toBe('no_lab');
      expect(await other.handle({ command: 'state.read', input: {} })).toMatchObject({ value: { lab: null } });
      other.close();
    }
    expect(lab.changeCount).toBe(0);
  });
});

describe('customers', () => {
  it('are read with cards and templates, made, and their cards suspended', async () => {
    const { customers, templates } = await ask('lab.read', {});
    expect(customers[0]).toMatchObject({
      name: 'Fatima Al-Sabah',
      cards: [{ loyalty_id: 'LC-1001', suspended: false }],
    });
    expect(templates.find(({ template_id }) => template_id === 'tpl_stamp')?.balances).toEqual([
      'stamps',
      'rewards_available',
    ]);
    const made = await ask('lab.add_customer', {
      customer: { name: 'Test', phone: '55599999', cards: [{ template_id: 'tpl_stamp', balances: { stamps: 7 } }] },
    });
    const [card] = made.cards;
    if (card === undefined) throw new Error('No card was made');
    expect(card).toMatchObject({ balances: { stamps: 7 }, suspended: false });
    expect(await ask('lab.suspend_card', { card_id: card.card_id })).toEqual({ suspended: true });
    expect((await ask('lab.read', {})).customers.at(-1)?.cards[0]).toMatchObject({ suspended: true });
    expect(await ask('lab.resume_card', { card_id: card.card_id })).toEqual({ suspended: false });
  });

  it('that the control API refuses name the field', async () => {
    const customer = { phone: '+96599887766', cards: [] };
    expect(await refusal('lab.add_customer', { customer })).toMatchObject({ code: 'lab_refused', field: 'phone' });
    // No id leads to another call.
    expect(await refusal('lab.request', { request_id: '../otp' })).toMatchObject({ code: 'lab_refused' });
  });
});

describe('the clock', () => {
  it('is moved, held and let go, and every screen is told', async () => {
    expect(await summary()).toEqual({ active_faults: [], clock_ahead_ms: 0, change_count: 0 });
    await earn('R-1');
    expect(await ask('lab.clock', {})).toMatchObject({
      ahead_ms: 0,
      due: [{ kind: 'transaction', external_ref: 'R-1' }],
    });
    await ask('lab.move_clock', { advance_ms: 3_600_000 });
    expect(await summary()).toMatchObject({ clock_ahead_ms: 3_600_000, change_count: 1 });
    await ask('lab.move_clock', { mode: 'manual' });
    expect(await ask('lab.clock', {})).toMatchObject({ clock: 'manual', due: [] });
    expect(await refusal('lab.move_clock', { set: '2026-01-01T00:00:00Z' })).toMatchObject({ field: 'set' });
    expect(await refusal('lab.move_clock', { advance_ms: 1.5 })).toMatchObject({ code: 'invalid' });
    await ask('lab.reset', { fixtures: 'empty' });
    expect(await summary()).toMatchObject({ clock_ahead_ms: 0 });
    expect((await ask('lab.read', {})).customers).toEqual([]);
  });

  it('brings a failure that was planned', async () => {
    const accepted = await (await earn('R-1')).json();
    const transactionId = accepted.transaction_id;
    await ask('lab.fail_transaction', { transaction_id: transactionId, code: 'CARD_NOT_ELIGIBLE' });
    expect((await ask('lab.clock', {})).due[0]).toMatchObject({ planned_failure: 'CARD_NOT_ELIGIBLE' });
    await ask('lab.move_clock', { advance_ms: 1000 });
    expect((await ask('lab.clock', {})).due).toEqual([]);
  });
});

describe('faults', () => {
  it('are added, listed in their order, taken back one by one or all', async () => {
    const cut = await ask('lab.add_fault', { effect: { type: 'offline' } });
    await ask('lab.add_fault', {
      match: { method: 'POST', path: '/transactions/earn' },
      effect: { type: 'error', status: 503, code: 'INTERNAL', retry_after: 3 },
      times: 2,
    });
    expect((await ask('lab.faults', {})).data).toMatchObject([{ id: cut.id }, { hits_left: 2 }]);
    expect(await summary()).toMatchObject({ active_faults: ['offline', 'error'] });
    await ask('lab.remove_fault', { fault_id: cut.id });
    expect(await summary()).toMatchObject({ active_faults: ['error'] });
    expect(await ask('lab.clear_faults', {})).toEqual({ cleared: 1 });
    expect(await refusal('lab.add_fault', { effect: { type: 'error', status: 200, code: 'INTERNAL' } })).toMatchObject({
      code: 'lab_refused',
      field: 'effect.status',
    });
  });
});

describe('requests, codes, keys, rules', () => {
  it('are followed and opened', async () => {
    await earn('R-1');
    const [first] = (await ask('lab.requests', { limit: 10 })).data;
    await earn('R-2');
    const { data } = await ask('lab.requests', { limit: 10, after: first?.request_id ?? '' });
    expect(data).toMatchObject([{ external_ref: 'R-2', status: 202 }]);
    const opened = await ask('lab.request', { request_id: data[0]?.request_id ?? '' });
    expect(opened.request_body?.text).toContain('R-2');
    expect(opened.answer_body?.text).toContain('pending');
    expect(await ask('lab.clear_requests', {})).toEqual({ cleared: 2 });
  });

  it('show the keys, and which one is the till’s', async () => {
    const { key } = await ask('lab.add_key', { key: { source: 'webshop', allowed_addresses: ['10.0.0.0/8'] } });
    const { data, own_key } = await ask('lab.keys', {});
    expect(own_key).toBe(service.apiKey);
    expect(data.find((other) => other.key === key)).toMatchObject({ source: 'webshop', revoked: false });
    await ask('lab.revoke_key', { key });
    expect(await ask('lab.change_key', { key, change: { revoked: false } })).toMatchObject({ revoked: false });
    expect(await refusal('lab.add_key', { key: { allowed_addresses: ['x'] } })).toMatchObject({
      field: 'allowed_addresses.0',
    });
  });

  it('change the rules of the service', async () => {
    expect(await ask('lab.change_settings', { changes: { suspended: true } })).toMatchObject({ suspended: true });
    expect((await earn('R-1')).status).toBe(403);
    expect(await refusal('lab.change_settings', { changes: { apply_delay_ms: -1 } })).toMatchObject({
      field: 'apply_delay_ms',
    });
    expect((await ask('lab.codes', {})).data).toEqual([]);
  });
});
