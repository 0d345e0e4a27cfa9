import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Till } from '../../app/till/till.ts';
import { type TillCommandName, type TillReply, tillCommands } from '../../shared/till/api.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said, withFields } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';
import { tillOf } from '../support/till-of.ts';

let shop: CounterShop;
let till: Till;
const faults: unknown[] = [];
beforeEach(async () => {
  shop = await openShop();
  till = tillOf({
    core: shop.core,
    clock: shop.clock,
    onFault: (error) => faults.push(error),
  });
});
afterEach(async () => {
  expect(faults).toEqual([]);
  till.close();
});

/** A question as the page asks it; a good answer has the shape that the page expects. */
async function ask(command: TillCommandName, input: object): Promise<TillReply<ReturnType<typeof JSON.parse>>> {
  const reply = await shop.passUntil(till.handle({ command, input }));
  if (reply.ok) tillCommands[command].answer.parse(reply.value);
  return reply;
}
const redemption = (value: object) => ({
  operation_id: shop.newId(),
  identifier: { loyalty_id: 'LC-1001' },
  customer_name: 'Fatima',
  ...value,
});

test('a redemption has a reference of its own, and pressed twice it is one', async () => {
  const input = redemption({ points: 40, receipt_number: '17' });
  const replies = [await ask('operation.redeem', input), await ask('operation.redeem', input)];
  expect(replies).toMatchObject([
    {
      ok: true,
      value: { duplicate: false, operation: { state: 'applied', external_ref: expect.stringMatching(/-17$/) } },
    },
    { ok: true, value: { duplicate: true } },
  ]);
  expect(await shop.points()).toBe(205.5);
});

test('pressed again with another value or receipt, as after a lost answer, it is told as it was saved', async () => {
  const input = redemption({ points: 40, receipt_number: '17' });
  await ask('operation.redeem', input);
  expect(await ask('operation.redeem', { ...input, points: 50, receipt_number: '18' })).toMatchObject({
    ok: true,
    value: {
      duplicate: true,
      operation: { state: 'applied', points: 40, external_ref: expect.stringMatching(/-17$/) },
    },
  });
  expect(await shop.points()).toBe(205.5);
});

test('pressed again with another value while its outcome is not known, it is found out as it was saved', async () => {
  const input = redemption({ points: 40 });
  await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
  await shop.fault('/transactions', { type: 'offline' });
  expect(await ask('operation.redeem', input)).toMatchObject({ value: { operation: { state: 'unknown' } } });
  await shop.mend();
  expect(await ask('operation.redeem', { ...input, points: 50 })).toMatchObject({
    value: { duplicate: true, operation: { state: 'applied', points: 40 } },
  });
  expect(await shop.points()).toBe(205.5);
});

test('pressed again with another value after the service refused it, it is asked for with that value', async () => {
  const input = redemption({ points: 9_999 });
  await ask('operation.redeem', input);
  expect(await ask('operation.redeem', { ...input, points: 50 })).toMatchObject({
    value: { duplicate: false, operation: { state: 'applied', points: 50 } },
  });
});

test('pressed five times at the same moment it is one, and each press is told of it', async () => {
  const input = redemption({ points: 40 });
  const replies = await Promise.all(Array.from({ length: 5 }, () => ask('operation.redeem', input)));
  expect(replies.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
  expect(new Set(replies.map((reply) => reply.ok && reply.value.operation.external_ref)).size).toBe(1);
  expect(await shop.points()).toBe(205.5);
});

test('stays among the recent ones for ten minutes, or until its outcome is known, however many sales follow', async () => {
  const recent = async (): Promise<readonly string[]> => {
    const reply = await ask('operations.recent', { limit: 3 });
    return reply.ok ? reply.value.operations.map((one: { operation_id: string }) => one.operation_id) : [];
  };
  const known = redemption({ points: 40 });
  await ask('operation.redeem', known);
  await shop.fault('/transactions/redeem', { type: 'drop_response' });
  await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
  const unknown = redemption({ points: 30 });
  expect(await ask('operation.redeem', unknown)).toMatchObject({ value: { operation: { state: 'unknown' } } });
  const sales: string[] = [];
  for (let points = 1; points <= 4; points += 1) {
    const sale = redemption({ points, repeat: 'accepted' });
    await ask('operation.earn', sale);
    sales.unshift(sale.operation_id);
  }
  expect(await recent()).toEqual([...sales.slice(0, 3), unknown.operation_id, known.operation_id]);
  await shop.pass(10 * 60_000);
  expect(await recent()).toEqual([...sales.slice(0, 3), unknown.operation_id]);
});

test('a refused one says what the service said', async () => {
  expect(await ask('operation.redeem', redemption({ points: 9_999 }))).toMatchObject({
    ok: false,
    error: { code: 'refused', service_code: 'INSUFFICIENT_BALANCE' },
  });
});

describe('an answer that is not its own', () => {
  const others = (value: object, externalRef = 'X-1') =>
    shop.call('POST', '/v1/transactions/redeem', {
      identifier: { loyalty_id: 'LC-1002' },
      external_ref: externalRef,
      ...value,
    });

  test('never makes a redemption done: another till’s under the same reference is told as refused', async () => {
    const isRedeem = callOf('POST', '/transactions/redeem');
    shop.meddle = async (call, carry) => {
      const body = call.body instanceof Uint8Array ? Buffer.from(call.body).toString('utf8') : '';
      if (isRedeem(call)) await others({ amount_minor: 100 }, JSON.parse(body).external_ref);
      return carry(call);
    };
    expect(await ask('operation.redeem', redemption({ points: 40 }))).toMatchObject({
      ok: false,
      error: { code: 'refused', service_code: 'DUPLICATE_TRANSACTION', details: ['amount_minor', 'points'] },
    });
    expect(shop.core.recentOperations({ limit: 1 })).toMatchObject([{ state: 'cancelled' }]);
  });

  test('leaves a redemption not known while it is all that comes, and shows no balance of it', async () => {
    const theirs = await others({ amount_minor: 100 });
    answerInstead(shop, callOf('POST', '/transactions/redeem'), () => said(200, theirs), { isLost: true });
    answerInstead(shop, callOf('GET', '/transactions', 'external_ref='), () => said(200, { data: [theirs] }));
    const reply = await ask('operation.redeem', redemption({ points: 40 }));
    expect(reply.ok ? reply.value.operation : null).toMatchObject({ state: 'unknown', new_balances: null });
  });
});

test('offline it is refused at once', async () => {
  await shop.fault('/*', { type: 'offline' });
  await shop.pass(20_000);
  expect(await ask('operation.redeem', redemption({ points: 1 }))).toMatchObject({
    ok: false,
    error: { code: 'not_sent' },
  });
});

test('while its outcome is not known the cashier decides, and can ask what became of it', async () => {
  await shop.fault('/transactions/redeem', { type: 'drop_response' });
  await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
  const input = redemption({ points: 40 });
  const asking = till.handle({ command: 'operation.redeem', input });
  await shop.pass(16_000);
  expect(await ask('activity.show', { operation_id: input.operation_id })).toMatchObject({
    value: { operation: { state: 'unknown' } },
  });
  expect(
    await ask('operation.decide', { operation_id: input.operation_id, decision: 'take_full_payment' }),
  ).toMatchObject({ ok: true });
  await shop.mend();
  await shop.passUntil(asking);
  await shop.pass(60_000);
  expect(await ask('activity.show', { operation_id: input.operation_id })).toMatchObject({
    value: { operation: { state: 'reversed' } },
  });
});

test('a redemption is taken back; a reward says why not', async () => {
  const input = redemption({ points: 40 });
  await ask('operation.redeem', input);
  const undo = await ask('operation.reverse', { operation_id: shop.newId(), reverses: input.operation_id });
  expect(undo).toMatchObject({ ok: true, value: { operation: { intent: 'reverse' }, duplicate: false } });
  await shop.pass(10_000);
  expect(await shop.points()).toBe(245.5);
  const reward = redemption({ reward: true, reward_id: 'rwd_cake' });
  await ask('operation.redeem', reward);
  expect(await ask('operation.reverse', { operation_id: shop.newId(), reverses: reward.operation_id })).toMatchObject({
    ok: false,
    error: { code: 'irreversible', details: ['one_shot', expect.anything()] },
  });
});

test('an enrollment whose code ends at an instant with an offset waits for its code', async () => {
  answerInstead(shop, callOf('POST', '/customers/enroll'), (own) =>
    withFields(own, { otp_expires_at: '2026-11-20T18:18:00+03:00' }),
  );
  const input = { operation_id: shop.newId(), external_ref: 'E-1', phone: '+96555512345' };
  expect(await ask('customer.enroll', input)).toMatchObject({
    ok: true,
    value: { status: 'awaiting_otp', otp_expires_at: '2026-11-20T15:18:00.000Z' },
  });
});

test('a customer enrolls with a wrong and then the right code; a known one is shown', async () => {
  const input = { operation_id: shop.newId(), external_ref: 'E-1', phone: '55512345', name: 'Noura' };
  const begun = await ask('customer.enroll', input);
  const enrollmentId = begun.ok ? begun.value.enrollment_id : '';
  const { otp } = await shop.call('GET', `/_sandbox/otp/${enrollmentId}`);
  const verify = (code: string) =>
    ask('customer.verify', { operation_id: shop.newId(), enrollment_id: enrollmentId, otp: code });
  expect(await verify('no')).toMatchObject({
    ok: false,
    error: { service_code: 'OTP_INVALID', details: ['otp_incorrect'] },
  });
  expect(await verify(otp)).toMatchObject({ ok: true, value: { card_id: expect.any(String) } });
  const known = await ask('customer.enroll', { ...input, operation_id: shop.newId(), external_ref: 'E-2' });
  expect(known).toMatchObject({ ok: true, value: { status: 'already_enrolled', profile: { name: 'Noura' } } });
});

test('an enrollment of a known customer is told as refused where the service does not say who it is', async () => {
  const error = { code: 'ALREADY_ENROLLED', message: 'Known.', retryable: false, request_id: 'req_1' };
  answerInstead(shop, callOf('POST', '/customers/enroll'), () => said(409, { error }));
  const input = { operation_id: shop.newId(), external_ref: 'E-1', phone: '+96555512345' };
  expect(await ask('customer.enroll', input)).toMatchObject({
    ok: false,
    error: { code: 'refused', service_code: 'ALREADY_ENROLLED' },
  });
});

test('a customer is enrolled where the service’s id of the enrollment is longer than a text of ours may be', async () => {
  const longId = `enr_${'x'.repeat(600)}`;
  let ownId = '';
  shop.meddle = async (call, carry) => {
    if (!(call.body instanceof Uint8Array)) return carry(call);
    const body = Buffer.from(Buffer.from(call.body).toString('utf8').replace(longId, ownId));
    const outcome = await carry({ ...call, body });
    if (!call.target.endsWith('/customers/enroll') || outcome.kind !== 'response') return outcome;
    ownId = JSON.parse(outcome.response.body).enrollment_id;
    return withFields(outcome, { enrollment_id: longId });
  };
  const begun = await ask('customer.enroll', {
    operation_id: shop.newId(),
    external_ref: 'E-1',
    phone: '+96555100099',
  });
  expect(begun).toMatchObject({ value: { enrollment_id: longId } });
  const { otp } = await shop.call('GET', `/_sandbox/otp/${ownId}`);
  const verify = { operation_id: shop.newId(), enrollment_id: longId, otp };
  expect(await ask('customer.verify', verify)).toMatchObject({ ok: true, value: { card_id: expect.any(String) } });
});

test('what waits for a person is listed, corrected, sent again, written off', async () => {
  await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 2);
  const earn = () => ({
    operation_id: shop.newId(),
    identifier: { loyalty_id: 'LC-1001' },
    customer_name: null,
    points: 5,
    repeat: 'accepted',
  });
  const [one, other] = [earn(), earn()];
  await ask('operation.earn', one);
  await ask('operation.earn', other);
  await shop.pass(5_000);
  const listed = await ask('attention.list', {});
  expect(listed.ok && listed.value.operations).toHaveLength(2);
  expect(
    await ask('attention.correct', { operation_id: one.operation_id, reason: 'wrong value', points: 6 }),
  ).toMatchObject({
    value: { operation: { state: 'queued', points: 6 } },
  });
  expect(
    await ask('attention.write_off', { operation_id: other.operation_id, reason: 'gave a voucher' }),
  ).toMatchObject({
    value: { operation: { state: 'written_off' } },
  });
  expect(await ask('attention.resend', { operation_id: other.operation_id, reason: 'changed my mind' })).toMatchObject({
    ok: false,
    error: { code: 'not_now' },
  });
  await shop.pass(10_000);
  expect(await shop.points()).toBe(251.5);
});

test('a write-off asks for a manager’s PIN once there are managers, and names who gave it', async () => {
  await ask('operation.earn', {
    operation_id: shop.newId(),
    identifier: { loyalty_id: 'NO-SUCH-CARD' },
    customer_name: null,
    points: 5,
    receipt_number: '99',
  });
  await shop.pass(5_000);
  const listed = await ask('attention.list', {});
  const [operation] = listed.ok ? listed.value.operations : [];
  expect(operation).toMatchObject({ state: 'refused' });
  await shop.core.people.addManager('Mona', '4711');
  // A PIN takes real time to look at, and none of the shop's.
  const decide = (given: object) => till.handle({ command: 'attention.write_off', input: given });
  const input = { operation_id: operation.operation_id, reason: 'no such card' };
  expect(await decide(input)).toMatchObject({ ok: false, error: { code: 'pin_needed' } });
  expect(await decide({ ...input, pin: '1234' })).toMatchObject({
    ok: false,
    error: { code: 'pin_wrong', details: [4] },
  });
  expect(await decide({ ...input, pin: '4711' })).toMatchObject({
    ok: true,
    value: { operation: { state: 'written_off' } },
  });
  const row = shop.core.operationById(operation.operation_id);
  expect(shop.core.history(row?.rowId ?? 0).at(-1)).toMatchObject({ person: 'Mona', reason: 'no such card' });
});

test('a cashier who has signed in stands on what is taken, until signed out', async () => {
  await shop.core.people.addCashier({ name: 'Sami', employeeRef: 'emp-7', badge: 'B-1001' });
  expect(await ask('cashier.sign_in', { badge: 'B-1002' })).toMatchObject({
    ok: false,
    error: { code: 'badge_unknown' },
  });
  expect(await ask('cashier.sign_in', { badge: 'B-1001' })).toMatchObject({ ok: true, value: { name: 'Sami' } });
  expect(await ask('state.read', {})).toMatchObject({ ok: true, value: { cashier: { employee_ref: 'emp-7' } } });
  const bodyOf = async (command: 'operation.redeem' | 'operation.earn', more: object) => {
    const reply = await ask(command, redemption({ points: 1, ...more }));
    const id = reply.ok ? reply.value.operation.operation_id : '';
    return shop.core.sentRequest(shop.core.operationById(id)?.rowId ?? 0)?.body ?? '';
  };
  expect(await bodyOf('operation.redeem', {})).toContain('"employee_ref":"emp-7"');
  expect(await bodyOf('operation.earn', {})).toContain('"employee_ref":"emp-7"');
  // A page cannot put a sale on somebody else, nor make somebody up.
  for (const command of ['operation.earn', 'operation.redeem'] as const) {
    const body = await bodyOf(command, { employee_ref: 'other', points: command === 'operation.earn' ? 3 : 4 });
    expect(body).toContain('"employee_ref":"emp-7"');
  }
  await ask('cashier.sign_out', {});
  expect(await bodyOf('operation.redeem', { points: 2, employee_ref: 'other' })).not.toContain('employee_ref');
});

test('a cashier who was taken off the list stands on nothing more', async () => {
  await shop.core.people.addCashier({ name: 'Sami', employeeRef: 'emp-7', badge: 'B-1001' });
  await ask('cashier.sign_in', { badge: 'B-1001' });
  await shop.core.people.remove('Sami');
  // Whoever comes next may get the same number in the list.
  await shop.core.people.addCashier({ name: 'Lina', employeeRef: 'emp-8', badge: 'B-1002' });
  expect(await ask('state.read', {})).toMatchObject({ ok: true, value: { cashier: null } });
  const earn = await ask('operation.earn', redemption({ points: 1 }));
  const row = shop.core.operationById(earn.ok ? earn.value.operation.operation_id : '');
  expect(shop.core.sentRequest(row?.rowId ?? 0)?.body).not.toContain('employee_ref');
});

test('a day is closed in the name of who has signed in, or of the manager of the PIN, whatever the page says', async () => {
  const [first, second, third] = ['2026-11-17', '2026-11-18', '2026-11-19'];
  // A PIN takes real time to look at, and none of the shop's.
  const close = async (business_date: string | undefined, more: object = {}) => {
    const reply = await till.handle({ command: 'day.close', input: { business_date, closed_by: 'Mona', ...more } });
    if (!reply.ok) return reply.error.code;
    return tillCommands['day.close'].answer.parse(reply.value);
  };
  await shop.core.people.addCashier({ name: 'Sami', employeeRef: 'emp-7', badge: 'B-1001' });
  expect(await close(first)).toBe('sign_in_needed');
  await ask('cashier.sign_in', { badge: 'B-1001' });
  expect(await close(first)).toMatchObject({ kind: 'closed', day: { close: { closed_by: 'Sami' } } });
  await ask('cashier.sign_out', {});
  await shop.core.people.addManager('Nora', '4711');
  expect([await close(second), await close(second, { pin: '1234' })]).toEqual(['pin_needed', 'pin_wrong']);
  expect(await close(second, { pin: '4711' })).toMatchObject({ day: { close: { closed_by: 'Nora' } } });
  await shop.core.people.remove('Nora');
  await shop.core.people.remove('Sami');
  // Where nobody can sign in, the name is as it was typed.
  expect(await close(third)).toMatchObject({ day: { close: { closed_by: 'Mona' } } });
});

test('the screen is told when managers or cashiers change', async () => {
  const told: unknown[] = [];
  till.onEvent((event) => event.type === 'state' && told.push(event.state.has_managers));
  await shop.core.people.addManager('Mona', '4711');
  await shop.pass(1_000);
  expect(told.at(-1)).toBe(true);
  await shop.core.people.remove('Mona');
  await shop.pass(1_000);
  expect(told.at(-1)).toBe(false);
});

test('a press is the same press when another cashier asks for it again', async () => {
  await shop.core.people.addCashier({ name: 'Sami', employeeRef: 'emp-7', badge: 'B-1001' });
  await shop.core.people.addCashier({ name: 'Lina', employeeRef: 'emp-8', badge: 'B-1002' });
  const input = redemption({ points: 40 });
  await ask('cashier.sign_in', { badge: 'B-1001' });
  await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
  await shop.fault('/transactions', { type: 'offline' });
  expect(await ask('operation.redeem', input)).toMatchObject({ ok: true, value: { operation: { state: 'unknown' } } });
  await ask('cashier.sign_in', { badge: 'B-1002' });
  await shop.mend();
  expect(await ask('operation.redeem', input)).toMatchObject({ ok: true, value: { operation: { state: 'applied' } } });
  await ask('cashier.sign_out', {});
  expect(await ask('operation.redeem', input)).toMatchObject({ ok: true, value: { duplicate: true } });
  expect(await shop.points()).toBe(205.5);
  const row = shop.core.operationById(input.operation_id);
  expect(row).toMatchObject({ origin: 'till', posName: null });
  expect(shop.core.sentRequest(row?.rowId ?? 0)?.body).toContain('"employee_ref":"emp-7"');
});
