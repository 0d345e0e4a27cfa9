import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Settings } from '../../app/config/settings.ts';
import { CustomerDisplay } from '../../app/till/customer-display.ts';
import type { Till } from '../../app/till/till.ts';
import { type TillCommandName, tillCommands } from '../../shared/till/api.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';
import { tillOf } from '../support/till-of.ts';

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
  await shop.core.people.addCashier({ name: 'Sami', employeeRef: 'emp-7', badge: 'B-1001' });
  await shop.core.people.addCashier({ name: 'Lina', employeeRef: 'emp-8', badge: 'B-1002' });
});

function openTill(cashiers: Settings['cashiers'], display: CustomerDisplay | null = null): Till {
  const core = { ...shop.core, settings: { ...shop.core.settings, cashiers } };
  const till = tillOf({
    core,
    clock: shop.clock,
    display: () => display,
    onFault(error) {
      throw error;
    },
  });
  onTestFinished(() => till.close());
  return till;
}
const ask = async (till: Till, command: TillCommandName, input: object = {}) => {
  const reply = await shop.passUntil(till.handle({ command, input }));
  return reply.ok ? 'done' : reply.error.code;
};
const earn = () => ({
  operation_id: shop.newId(),
  identifier: { loyalty_id: 'LC-1001' },
  customer_name: null,
  points: 1,
});
const shown = async (till: Till) => {
  const reply = await till.handle({ command: 'state.read', input: {} });
  return reply.ok ? reply.value : null;
};
const minuteMs = 60_000;
const stranger = {
  kind: 'customer',
  is_confirmed: true,
  name: null,
  balance: null,
  progress: null,
  rewards: [],
  sale: null,
  happened: null,
  is_kept: false,
} as const;

test('where nobody has to sign in and nothing locks, all is as without cashiers', async () => {
  const till = openTill({ sign_in: 'off', lock_minutes: 0 });
  expect(await ask(till, 'operation.earn', earn())).toBe('done');
  await ask(till, 'cashier.sign_in', { badge: 'B-1001' });
  await shop.pass(600 * minuteMs);
  expect(await ask(till, 'operation.earn', earn())).toBe('done');
});

test('where a cashier has to sign in, nothing is sold or shown before, and no page can say otherwise', async () => {
  const till = openTill({ sign_in: 'on', lock_minutes: 0 });
  expect(await shown(till)).toMatchObject({ sign_in: 'needed', cashier: null });
  const find = { identifier: { loyalty_id: 'LC-1001' } };
  for (const [command, input] of [
    ['operation.earn', earn()],
    ['customer.find', find],
    ['activity.list', {}],
    ['day.read', {}],
    ['settings.read', {}],
    ['cashier.sign_out', {}],
  ] as const) {
    expect([command, await ask(till, command, input)]).toEqual([command, 'sign_in_needed']);
  }
  expect(await ask(till, 'cashier.sign_in', { badge: 'B-9' })).toBe('badge_unknown');
  expect(await ask(till, 'cashier.sign_in', { badge: 'B-1001' })).toBe('done');
  expect(await ask(till, 'operation.earn', earn())).toBe('done');
  // Taken off the list while signed in: nothing more is sold in that name.
  await shop.core.people.remove('Sami');
  expect(await ask(till, 'operation.earn', earn())).toBe('sign_in_needed');
});

test('a screen that nobody uses locks; what waits is sent all the same, and another badge takes over', async () => {
  const till = openTill({ sign_in: 'on', lock_minutes: 2 });
  await ask(till, 'cashier.sign_in', { badge: 'B-1001' });
  await shop.fault('/*', { type: 'offline' });
  await shop.pass(1_000);
  const sale = earn();
  expect(await ask(till, 'operation.earn', sale)).toBe('done');
  // Somebody types for a while, which asks the agent nothing else; what the page reads by itself keeps no screen open.
  await shop.pass(1.5 * minuteMs);
  expect(await ask(till, 'cashier.active')).toBe('done');
  await shop.pass(1.5 * minuteMs);
  expect(await shown(till)).toMatchObject({ sign_in: null });
  await shop.pass(0.6 * minuteMs);
  expect(await shown(till)).toMatchObject({ sign_in: 'locked' });
  expect(await ask(till, 'operation.earn', earn())).toBe('locked');
  expect(await ask(till, 'cashier.active')).toBe('locked');
  expect(await ask(till, 'cashier.sign_out')).toBe('locked');
  await shop.mend();
  await shop.pass(5 * minuteMs);
  expect(shop.core.operationById(sale.operation_id)?.state).toBe('applied');
  // Who was taken off the list leaves the screen locked: it opens by a badge alone.
  await shop.core.people.remove('Sami');
  expect(await ask(till, 'customer.find', { identifier: { loyalty_id: 'LC-1001' } })).toBe('locked');
  expect(await ask(till, 'cashier.sign_in', { badge: 'B-1001' })).toBe('badge_unknown');
  expect(await ask(till, 'cashier.sign_in', { badge: 'B-1002' })).toBe('done');
  expect(await shown(till)).toMatchObject({ sign_in: null, cashier: { name: 'Lina' } });
});

test('what customers do at their screen keeps no screen open, and a locked one or one that is gone shows them nobody', async () => {
  const display = new CustomerDisplay({
    core: shop.core,
    clock: shop.clock,
    newId: () => shop.newId(),
    onCheckIn: () => undefined,
    onFault: (error) => shop.errors.push(String(error)),
  });
  onTestFinished(() => display.close());
  const till = openTill({ sign_in: 'on', lock_minutes: 2 }, display);
  await ask(till, 'cashier.sign_in', { badge: 'B-1001' });
  await shop.pass(1.5 * minuteMs);
  // So does the cashier's page with whoever checks in, and nobody is there.
  const find = { identifier: { phone: '+96599887766' } };
  const view = { ...stranger, name: 'Fatima' };
  for (const [command, input] of [
    ['display.taken', { id: 'check-in' }],
    ['customer.find', find],
    ['customer.history', { ...find, customer_id: null, card_ids: [] }],
    ['display.show', { view }],
  ] as const) {
    expect([command, await ask(till, command, input)]).toEqual([command, 'done']);
  }
  const isShown = async () => {
    const reply = await display.handle({ command: 'display.read', input: {} });
    return reply.ok ? reply.value : null;
  };
  expect(await isShown()).toMatchObject({ view: { kind: 'customer' } });
  await shop.pass(0.6 * minuteMs);
  expect(await shown(till)).toMatchObject({ sign_in: 'locked' });
  expect(await isShown()).toMatchObject({ view: { kind: 'nobody' } });
  // Who checks in meanwhile waits: their phone is for the cashier.
  await shop.passUntil(display.handle({ command: 'display.check_in', input: { phone: '+96599887766' } }));
  expect(await shown(till)).toMatchObject({ display: { check_in: null } });
  // So does what a POS program hands over meanwhile: its amount and its receipt are for the cashier.
  const receipt = { externalRef: 'R-1', receiptNumber: 'R-1', posName: 'main' };
  shop.core.screenSale.handOver({ amountMinor: 12_500, currency: 'KWD', ...receipt });
  expect(await shown(till)).toMatchObject({ handed_over: null });
  await ask(till, 'cashier.sign_in', { badge: 'B-1002' });
  expect(await shown(till)).toMatchObject({
    display: { check_in: { phone: '+96599887766' } },
    handed_over: { amount_minor: 12_500, receipt_number: 'R-1' },
  });
  // Nor does a page that is gone, which can say nothing any more: a browser's, or a window's with its till.
  const page = {};
  for (const leave of [() => till.pageGone(page), till.close]) {
    await till.handle({ command: 'display.show', input: { view } }, page);
    expect(await isShown()).toMatchObject({ view: { kind: 'customer' } });
    till.pageGone({});
    expect(await isShown()).toMatchObject({ view: { kind: 'customer' } });
    leave();
    expect(await isShown()).toMatchObject({ view: { kind: 'nobody' } });
  }
});

test('a shut screen is answered what its own page needs, and told of no operation before it opens', async () => {
  const till = openTill({ sign_in: 'on', lock_minutes: 0 });
  const told: string[] = [];
  till.onEvent((event) => told.push(event.type));
  await ask(till, 'cashier.sign_in', { badge: 'B-1001' });
  await shop.fault('/*', { type: 'offline' });
  await shop.pass(1_000);
  await ask(till, 'operation.earn', earn());
  await shop.pass(1_000);
  expect(told).toContain('operation');
  await ask(till, 'cashier.lock');
  await shop.pass(1_000);
  told.length = 0;
  await shop.mend();
  await shop.pass(5 * minuteMs);
  expect(new Set(told)).toEqual(new Set(['state']));
  const answered = [];
  for (const command of Object.keys(tillCommands) as TillCommandName[]) {
    if ((await ask(till, command)) !== 'locked') answered.push(command);
  }
  expect(answered).toEqual(['state.read', 'cashier.sign_in', 'display.open', 'locale.set']);
  await ask(till, 'cashier.sign_in', { badge: 'B-1001' });
  await shop.pass(1_000);
  expect(told).toContain('operation');
});

test('what a page reads by itself keeps no screen open; what a hand does keeps it open', async () => {
  const till = openTill({ sign_in: 'on', lock_minutes: 2 });
  const reads = [
    ['activity.list', {}],
    ['attention.list', {}],
    ['diagnostics.read', {}],
    ['day.read', {}],
    ['operations.recent', {}],
    ['lab.requests', {}],
  ] as const;
  await ask(till, 'cashier.sign_in', { badge: 'B-1001' });
  await shop.pass(1.5 * minuteMs);
  for (const [command, input] of reads) expect(await ask(till, command, input)).not.toBe('locked');
  await shop.pass(0.6 * minuteMs);
  expect(await shown(till)).toMatchObject({ sign_in: 'locked' });
  await ask(till, 'cashier.sign_in', { badge: 'B-1001' });
  await shop.pass(1.5 * minuteMs);
  expect(await ask(till, 'operation.earn', earn())).toBe('done');
  await shop.pass(1.5 * minuteMs);
  expect(await shown(till)).toMatchObject({ sign_in: null });
});

test('a settings file that is written again as it was keeps no screen open', async () => {
  const till = openTill({ sign_in: 'on', lock_minutes: 2 });
  const written = { ...shop.core.settings, cashiers: { sign_in: 'on', lock_minutes: 2 }, locale: null } as const;
  await ask(till, 'cashier.sign_in', { badge: 'B-1001' });
  await shop.pass(1.5 * minuteMs);
  till.showSaved(written);
  await shop.pass(0.6 * minuteMs);
  expect(await shown(till)).toMatchObject({ sign_in: 'locked' });
});

test('two windows of one agent have a cashier and a lock each', async () => {
  const rules = { sign_in: 'on', lock_minutes: 0 } as const;
  const [one, other] = [openTill(rules), openTill(rules)];
  await ask(one, 'cashier.sign_in', { badge: 'B-1001' });
  expect(await ask(other, 'operation.earn', earn())).toBe('sign_in_needed');
  await ask(other, 'cashier.sign_in', { badge: 'B-1002' });
  const [first, second] = [earn(), { ...earn(), points: 2 }];
  await ask(other, 'cashier.lock');
  expect(await ask(one, 'operation.earn', first)).toBe('done');
  expect(await ask(other, 'operation.earn', second)).toBe('locked');
  await ask(other, 'cashier.sign_in', { badge: 'B-1002' });
  expect(await ask(other, 'operation.earn', second)).toBe('done');
  const takers = [first, second].map(({ operation_id }) => shop.core.operationById(operation_id)?.employeeRef);
  expect(takers).toEqual(['emp-7', 'emp-8']);
});

test('who pressed stands on a redemption, though somebody else signs in while it is under way', async () => {
  const till = openTill({ sign_in: 'on', lock_minutes: 0 });
  await ask(till, 'cashier.sign_in', { badge: 'B-1001' });
  const spend = { ...earn(), customer_name: 'Fatima' };
  const pressed = till.handle({ command: 'operation.redeem', input: spend });
  const switched = till.handle({ command: 'cashier.sign_in', input: { badge: 'B-1002' } });
  await shop.passUntil(Promise.all([pressed, switched]));
  expect(shop.core.operationById(spend.operation_id)?.employeeRef).toBe('emp-7');
  expect(await shown(till)).toMatchObject({ cashier: { name: 'Lina' } });
});

test('a cashier with a PIN opens a locked screen by name; wrong ones count for each name, listed or not', async () => {
  await shop.core.people.addManager('Mona', '8024');
  expect(await shop.core.people.setCashierPin('Sami', '8024')).toMatchObject({ field: 'pin' });
  expect(await shop.core.people.setCashierPin('Mona', '4711')).toMatchObject({ field: 'name' });
  for (const name of ['Sami', 'Lina']) await shop.core.people.setCashierPin(name, '4711');
  const till = openTill({ sign_in: 'on', lock_minutes: 0 });
  await ask(till, 'cashier.sign_in', { badge: 'B-1001' });
  await ask(till, 'cashier.lock');
  const byPin = async (name: string, pin: string) => {
    const reply = await till.handle({ command: 'cashier.sign_in', input: { name, pin } });
    return reply.ok ? 'done' : [reply.error.code, reply.error.details];
  };
  // A manager and a name that nobody has are answered as a cashier with another PIN.
  for (const name of ['Lina', 'Mona', 'Nobody']) {
    expect([name, await byPin(name, '8024')]).toEqual([name, ['pin_wrong', [4]]]);
  }
  for (let tries = 2; tries < 5; tries += 1) await byPin('Lina', '4712');
  expect(await byPin('Lina', '4712')).toEqual(['pin_locked', [minuteMs]]);
  expect(await byPin('Lina', '4711')).toMatchObject(['pin_locked', [expect.any(Number)]]);
  expect(await shown(till)).toMatchObject({ sign_in: 'locked' });
  expect(await byPin('Sami', '4711')).toBe('done');
  expect(await shown(till)).toMatchObject({ sign_in: null, cashier: { name: 'Sami' } });
  await shop.core.people.setCashierPin('Sami', null);
  expect(await byPin('Sami', '4711')).toEqual(['pin_wrong', [4]]);
});

test('a badge scanned on the sale screen where nobody was signed in begins the time until the lock', async () => {
  const till = openTill({ sign_in: 'off', lock_minutes: 2 });
  const told: unknown[] = [];
  till.onEvent((event) => told.push(event));
  await ask(till, 'cashier.switch', { code: 'B-1001' });
  // The page asks nothing more, and the screen locks by itself.
  await shop.pass(2.1 * minuteMs);
  expect(told.at(-1)).toMatchObject({ type: 'state', state: { sign_in: 'locked' } });
});

test('a scanned badge switches; cards that are no badges go on, and lock neither sales nor badges', async () => {
  const till = openTill({ sign_in: 'on', lock_minutes: 0 });
  await ask(till, 'cashier.sign_in', { badge: 'B-1001' });
  const switched = async (code: string) => {
    const reply = await till.handle({ command: 'cashier.switch', input: { code } });
    return reply.ok ? reply.value : reply.error.code;
  };
  for (let card = 0; card < 30; card += 1) expect(await switched(`LC-${card}`)).toEqual({ cashier: null });
  // As many as nobody sells to in a minute: badges are tried out, and none is looked at for a while.
  expect(await switched('B-1002')).toEqual({ cashier: null });
  expect(await ask(till, 'operation.earn', earn())).toBe('done');
  expect(await ask(till, 'cashier.sign_in', { badge: 'B-9' })).toBe('badge_unknown');
  await shop.pass(minuteMs);
  expect(await switched('B-1002')).toEqual({ cashier: { name: 'Lina', employee_ref: 'emp-8' } });
  expect(await shown(till)).toMatchObject({ cashier: { name: 'Lina' } });
  await ask(till, 'cashier.lock');
  expect(await switched('B-1001')).toBe('locked');
});
