import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Till } from '../../app/till/till.ts';
import type { TillCommandName, TillReply } from '../../shared/till/api.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';
import { tillOf } from '../support/till-of.ts';

// A cashier at the screen undoes and corrects what is their own.

const pin = '4711';
let shop: CounterShop;
let till: Till;
beforeEach(async () => {
  shop = await openShop();
  const faults: unknown[] = [];
  till = tillOf({
    core: shop.core,
    clock: shop.clock,
    onFault: (error) => faults.push(error),
  });
  onTestFinished(() => {
    till.close();
    expect(faults).toEqual([]);
  });
  await shop.core.people.addCashier({ name: 'Sami', employeeRef: 'emp-7', badge: 'B-1001' });
  await shop.core.people.addCashier({ name: 'Lina', employeeRef: 'emp-8', badge: 'B-1002' });
});

/** A PIN is looked at by the machine's own time: both go on side by side. */
async function ask(command: TillCommandName, input: object): Promise<TillReply<ReturnType<typeof JSON.parse>>> {
  let isOver = false;
  const over = till.handle({ command, input }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await shop.pass(50);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return over;
}
const signIn = (badge: string) => ask('cashier.sign_in', { badge });
async function taken(command: 'operation.earn' | 'operation.redeem', more: object = {}): Promise<string> {
  const identifier = { loyalty_id: 'LC-1001' };
  const reply = await ask(command, {
    operation_id: shop.newId(),
    identifier,
    customer_name: null,
    points: 1,
    repeat: 'accepted',
    ...more,
  });
  if (!reply.ok) throw new Error(JSON.stringify(reply.error));
  return reply.value.operation.operation_id;
}
const stateOf = (operationId: string) => shop.core.operationById(operationId)?.state;
const undone = () => shop.audited.filter((told) => told.event === 'decided' && told.decision === 'undo');
const undo = (operationId: string, more: object = {}) =>
  ask('operation.reverse', { operation_id: shop.newId(), reverses: operationId, ...more });

test('another cashier’s sale is undone with a manager alone, whose name stands in the audit log', async () => {
  await shop.core.people.addManager('Noura', pin);
  await signIn('B-1001');
  const samis = await taken('operation.redeem');
  await signIn('B-1002');
  expect(await undo(samis)).toMatchObject({ error: { code: 'pin_needed' } });
  expect(await undo(samis, { pin: '9999' })).toMatchObject({ error: { code: 'pin_wrong' } });
  await ask('cashier.sign_out', {});
  expect(await undo(samis)).toMatchObject({ error: { code: 'pin_needed' } });
  expect(stateOf(samis)).toBe('applied');
  expect(undone()).toEqual([]);
  expect(await undo(samis, { pin })).toMatchObject({ ok: true });
  await shop.pass(3_000);
  expect(stateOf(samis)).toBe('reversed');
  expect(undone()).toEqual([{ event: 'decided', decision: 'undo', operation_id: samis, by: 'Noura' }]);
});

test('another cashier’s sale that waits is not cancelled either', async () => {
  await shop.core.people.addManager('Noura', pin);
  await signIn('B-1001');
  await shop.fault('/*', { type: 'offline' });
  const operation_id = await taken('operation.earn');
  expect(stateOf(operation_id)).toBe('queued');
  await signIn('B-1002');
  expect(await ask('operation.cancel', { operation_id })).toMatchObject({ error: { code: 'pin_needed' } });
  expect(await undo(operation_id)).toMatchObject({ error: { code: 'pin_needed' } });
  expect(stateOf(operation_id)).toBe('queued');
  expect(await ask('operation.cancel', { operation_id, pin })).toMatchObject({ ok: true });
  expect(stateOf(operation_id)).toBe('cancelled');
  expect(undone()).toMatchObject([{ operation_id, by: 'Noura' }]);
});

test('one’s own sale is undone without anybody, and so is one that nobody has signed', async () => {
  await shop.core.people.addManager('Noura', pin);
  const nobodys = await taken('operation.redeem');
  await signIn('B-1001');
  const samis = await taken('operation.redeem', { points: 2 });
  expect(await undo(samis)).toMatchObject({ ok: true });
  expect(await undo(nobodys)).toMatchObject({ ok: true });
  expect(undone()).toEqual([]);
});

test('another cashier’s refused sale is corrected with a manager alone', async () => {
  await shop.core.people.addManager('Noura', pin);
  await signIn('B-1001');
  await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
  const operation_id = await taken('operation.earn');
  await shop.pass(2_000);
  expect(stateOf(operation_id)).toBe('refused');
  const correction = { operation_id, reason: 'typed wrong', points: 900 };
  await signIn('B-1002');
  expect(await ask('attention.correct', correction)).toMatchObject({ error: { code: 'pin_needed' } });
  expect(stateOf(operation_id)).toBe('refused');
  await signIn('B-1001');
  expect(await ask('attention.correct', correction)).toMatchObject({ ok: true });
});
