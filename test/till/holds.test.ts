import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Till } from '../../app/till/till.ts';
import { type TillCommandName, type TillReply, tillCommands } from '../../shared/till/api.ts';
import type { HoldView } from '../../shared/till/hold-views.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said, withFields } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';
import { tillOf } from '../support/till-of.ts';

let shop: CounterShop;
let till: Till;
const faults: unknown[] = [];

function openTill(): void {
  till = tillOf({
    core: shop.core,
    clock: shop.clock,
    onFault: (error) => faults.push(error),
  });
}
beforeEach(async () => {
  shop = await openShop();
  openTill();
});
afterEach(async () => {
  expect(faults).toEqual([]);
  till.close();
});

async function ask(command: TillCommandName, input: object = {}): Promise<TillReply<ReturnType<typeof JSON.parse>>> {
  const reply = await shop.passUntil(till.handle({ command, input }));
  if (reply.ok) tillCommands[command].answer.parse(reply.value);
  return reply;
}
const minuteMs = 60_000;
const wanted = (part: object = {}) => ({
  operation_id: shop.newId(),
  identifier: { loyalty_id: 'LC-1001' },
  customer_name: 'Fatima',
  points: 40,
  ttl_minutes: 15,
  ...part,
});

/** What is held now; the agent is asked again. */
async function holds(): Promise<readonly HoldView[]> {
  const reply = await ask('hold.list');
  if (!reply.ok) throw new Error(reply.error.message);
  return reply.value.holds;
}
async function hold(part: object = {}): Promise<HoldView> {
  const before = await holds();
  const reply = await ask('hold.reserve', wanted(part));
  if (!reply.ok) throw new Error(JSON.stringify(reply.error));
  const made = reply.value.holds.find((one: HoldView) => !before.some(({ hold_id }) => hold_id === one.hold_id));
  if (made === undefined) throw new Error('Nothing is held');
  return made;
}
const ending = (held: HoldView, part: object = {}) => ({
  operation_id: shop.newId(),
  hold_id: held.hold_id,
  ...part,
});

describe('a hold for an order', () => {
  test('stands with what it holds and until when; no balance moves; pressed twice it is one', async () => {
    const input = wanted({ cart_number: '17' });
    expect(await ask('hold.reserve', input)).toMatchObject({
      ok: true,
      value: {
        holds: [
          {
            hold_id: input.operation_id,
            state: 'reserved',
            customer_name: 'Fatima',
            points: 40,
            cart_ref: expect.stringMatching(/-17$/),
          },
        ],
      },
    });
    await ask('hold.reserve', input);
    const [held, ...others] = await holds();
    expect(others).toEqual([]);
    expect(Date.parse(held?.expires_at ?? '') - shop.clock.now()).toBeLessThanOrEqual(15 * minuteMs);
    expect(await shop.points()).toBe(245.5);
  });

  test('pressed again with another value or more minutes, as after a lost answer, is the one that was made', async () => {
    const input = wanted({ cart_number: '17' });
    await ask('hold.reserve', input);
    const again = await ask('hold.reserve', { ...input, points: 50, ttl_minutes: 30, cart_number: '18' });
    expect(again).toMatchObject({ ok: true, value: { duplicate: true, operation: { points: 40, state: 'applied' } } });
    const [held, ...others] = await holds();
    expect(others).toEqual([]);
    expect(held).toMatchObject({ points: 40, cart_ref: expect.stringMatching(/-17$/) });
    expect(Date.parse(held?.expires_at ?? '') - shop.clock.now()).toBeLessThanOrEqual(15 * minuteMs);
  });

  test.each([
    ['let go', (held: HoldView) => ask('hold.release', ending(held))],
    ['paid', (held: HoldView) => ask('hold.commit', ending(held))],
    ['run out', () => shop.pass(15 * minuteMs)],
  ])('pressed again when it was %s is told as over, and another press holds', async (_, end) => {
    const input = wanted();
    expect(await ask('hold.reserve', input)).toMatchObject({ ok: true, value: { duplicate: false } });
    const [held] = await holds();
    if (held === undefined) throw new Error('Nothing is held');
    await end(held);
    expect(await ask('hold.reserve', { ...input, points: 20 })).toMatchObject({
      ok: false,
      error: { code: 'refused', details: ['hold_over'] },
    });
    expect(await ask('hold.reserve', wanted({ points: 20 }))).toMatchObject({ ok: true, value: { duplicate: false } });
    expect((await holds())[0]).toMatchObject({ state: 'reserved', points: 20 });
  });

  test('held, and paid, by five presses at the same moment is held and paid once', async () => {
    const press = wanted();
    const reserved = await Promise.all(Array.from({ length: 5 }, () => ask('hold.reserve', press)));
    expect(reserved.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
    expect(await holds()).toHaveLength(1);
    const paid = { operation_id: shop.newId(), hold_id: press.operation_id };
    const commits = await Promise.all(Array.from({ length: 5 }, () => ask('hold.commit', paid)));
    expect(commits.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
    expect(await shop.points()).toBe(205.5);
  });

  test('is spent under the order’s number once it is paid, and can be taken back', async () => {
    const held = await hold();
    const input = ending(held, { order_number: 'A-9' });
    const reply = await ask('hold.commit', input);
    expect(reply).toMatchObject({
      ok: true,
      value: {
        holds: [],
        operation: { intent: 'commit', state: 'applied', points: 40, external_ref: expect.stringMatching(/-A-9$/) },
      },
    });
    expect(await shop.points()).toBe(205.5);
    expect(await ask('hold.commit', input)).toMatchObject({ ok: true, value: { operation: { state: 'applied' } } });
    expect(await shop.points()).toBe(205.5);
    const undo = { operation_id: shop.newId(), reverses: input.operation_id };
    expect(await ask('operation.reverse', undo)).toMatchObject({ ok: true });
    await shop.pass(10_000);
    expect(await shop.points()).toBe(245.5);
    expect(await holds()).toEqual([]);
  });

  test('is let go, and then nothing is held', async () => {
    const held = await hold({ points: 200 });
    expect(await ask('operation.redeem', { ...wanted(), ttl_minutes: undefined, points: 100 })).toMatchObject({
      ok: false,
      error: { service_code: 'INSUFFICIENT_BALANCE' },
    });
    expect(await ask('hold.release', ending(held))).toMatchObject({ ok: true, value: { holds: [] } });
    expect(await ask('operation.redeem', { ...wanted(), ttl_minutes: undefined, points: 100 })).toMatchObject({
      ok: true,
    });
  });

  test('outlives a restart and a crash of the agent', async () => {
    const held = await hold();
    till.close();
    shop.crash();
    shop.start();
    await shop.pass(1000);
    openTill();
    expect(await holds()).toEqual([held]);
    expect(await ask('hold.commit', ending(held))).toMatchObject({ ok: true, value: { holds: [] } });
  });

  test('that has run out is offered again, for the same cart and as much', async () => {
    const held = await hold();
    await shop.pass(15 * minuteMs);
    expect(await holds()).toMatchObject([{ hold_id: held.hold_id, state: 'expired' }]);
    const again = await ask('hold.again', ending(held));
    expect(again).toMatchObject({ ok: true, value: { holds: [{ state: 'reserved', points: 40 }] } });
    expect((await holds()).map(({ cart_ref }) => cart_ref)).toEqual([held.cart_ref]);
  });

  test('that has run out goes from the list when it is let go, or after two hours', async () => {
    const [first, second] = [await hold(), await hold()];
    await shop.pass(15 * minuteMs);
    expect(await ask('hold.release', ending(first))).toMatchObject({
      ok: true,
      value: { holds: [{ hold_id: second.hold_id }] },
    });
    await shop.pass(120 * minuteMs);
    expect(await holds()).toEqual([]);
  });

  test('paid for too late is refused, and stands as run out by the service’s clock', async () => {
    const held = await hold();
    // The till's clock is slow: it believes that there is time left.
    shop.setTillClock(-10 * minuteMs);
    await shop.pass(15 * minuteMs);
    expect(await ask('hold.commit', ending(held))).toMatchObject({
      ok: false,
      error: { code: 'refused', service_code: 'RESERVATION_EXPIRED' },
    });
    expect(await holds()).toMatchObject([{ hold_id: held.hold_id, state: 'expired' }]);
  });

  test.each([
    ['ahead', 12],
    ['back', -12],
  ])('is listed and paid where the till’s clock was set %s, also after a restart', async (_, byHours) => {
    const held = await hold();
    shop.setTillClock(byHours * 60 * minuteMs);
    expect(await holds()).toMatchObject([{ hold_id: held.hold_id }]);
    till.close();
    await shop.stop();
    shop.start();
    openTill();
    await shop.pass(5_000);
    expect(await holds()).toMatchObject([{ hold_id: held.hold_id }]);
    expect(await ask('hold.commit', ending(held))).toMatchObject({ ok: true });
    expect(await holds()).toEqual([]);
  });

  test('is listed where the till’s clock was behind, and is set right', async () => {
    till.close();
    await shop.stop();
    shop.setTillClock(-12 * 60 * minuteMs);
    shop.start();
    openTill();
    await shop.pass(5_000);
    const held = await hold();
    shop.setTillClock(12 * 60 * minuteMs);
    expect(await holds()).toMatchObject([{ hold_id: held.hold_id }]);
    till.close();
    await shop.stop();
    shop.start();
    openTill();
    await shop.pass(5_000);
    expect(await ask('hold.commit', ending(held))).toMatchObject({ ok: true });
    expect(await holds()).toEqual([]);
  });

  /** Commits or releases a hold by another door than this till's screen. */
  async function elsewhere(held: HoldView, intent: 'commit' | 'release'): Promise<void> {
    const [reservation] = shop.core.operationsByReference(`${held.cart_ref}#${held.hold_id}`);
    const path = `/v1/redemptions/${reservation?.serviceTransactionId}/${intent}`;
    await shop.call('POST', path, intent === 'commit' ? { external_ref: 'elsewhere' } : undefined);
  }
  /** The service answers with its codes and statuses, and with no details. */
  const withoutDetails = () =>
    answerInstead(shop, callOf('POST', /^\/redemptions\/[^/]+\/(?:commit|release)$/), (own) => {
      const { details, ...error } = own?.kind === 'response' ? JSON.parse(own.response.body).error : { details: null };
      expect(details).toBeDefined();
      return withFields(own, { error });
    });

  test('that was let go elsewhere is over here, too', async () => {
    const held = await hold();
    await elsewhere(held, 'release');
    withoutDetails();
    expect(await ask('hold.commit', ending(held))).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(await holds()).toEqual([]);
  });

  test('that was paid for elsewhere is over here, too, when it is let go', async () => {
    const held = await hold();
    await elsewhere(held, 'commit');
    withoutDetails();
    expect(await ask('hold.release', ending(held))).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(await holds()).toEqual([]);
  });

  test.each([
    ['here', (held: HoldView) => ask('hold.commit', ending(held))],
    ['elsewhere', (held: HoldView) => elsewhere(held, 'commit')],
  ])(
    'that was paid for %s is not held again under its cart’s number: the service tells of the first',
    async (_, pay) => {
      await pay(await hold({ cart_number: '77' }));
      const input = wanted({ cart_number: '77' });
      const numberUsed = { code: 'refused', service_code: 'DUPLICATE_TRANSACTION', details: ['state'] };
      expect(await ask('hold.reserve', input)).toMatchObject({ ok: false, error: numberUsed });
      expect(await ask('hold.reserve', input)).toMatchObject({ ok: false, error: numberUsed });
      expect(await holds()).toEqual([]);
      expect(await hold({ cart_number: '78' })).toMatchObject({ state: 'reserved' });
    },
  );

  test('that was paid for elsewhere is over here, too, when it is held again', async () => {
    const held = await hold();
    await elsewhere(held, 'commit');
    expect(await ask('hold.again', ending(held))).toMatchObject({ ok: true, value: { holds: [] } });
  });

  test.each(['commit', 'release'] as const)('that the service no longer knows is over at its %s', async (intent) => {
    const held = await hold();
    const error = { code: 'VALIDATION_ERROR', message: 'm', retryable: false, request_id: 'r' };
    answerInstead(shop, callOf('POST', /^\/redemptions\/[^/]+\/(?:commit|release)$/), () => said(404, { error }));
    expect(await ask(`hold.${intent}`, ending(held))).toMatchObject({ ok: false });
    expect(await holds()).toEqual([]);
  });

  test('whose order number stands for something else stays, to be paid for under another', async () => {
    const held = await hold();
    const error = { code: 'DUPLICATE_TRANSACTION', message: 'm', retryable: false, request_id: 'r' };
    // A conflict is asked for once more, to be sure of it.
    answerInstead(shop, callOf('POST', /\/commit$/), () => said(409, { error }), { times: 2, isLost: true });
    expect(await ask('hold.commit', ending(held, { order_number: 'A-9' }))).toMatchObject({ ok: false });
    expect(await holds()).toMatchObject([{ hold_id: held.hold_id, state: 'reserved' }]);
    expect(await ask('hold.commit', ending(held, { order_number: 'A-10' }))).toMatchObject({ ok: true });
  });

  test('stays when it is paid for again under a number that was refused, and no line is there', async () => {
    const held = await hold();
    const error = { code: 'DUPLICATE_TRANSACTION', message: 'm', retryable: false, request_id: 'r' };
    answerInstead(shop, callOf('POST', /\/commit$/), () => said(409, { error }), { times: 2, isLost: true });
    expect(await ask('hold.commit', ending(held, { order_number: 'A-9' }))).toMatchObject({ ok: false });
    shop.meddle = () => Promise.resolve({ kind: 'no_connection' });
    expect(await ask('hold.commit', ending(held, { order_number: 'A-9' }))).toMatchObject({ ok: false });
    expect(await holds()).toMatchObject([{ hold_id: held.hold_id, state: 'reserved' }]);
  });
});

describe('without an answer', () => {
  test('a hold is being found out, and the same press finds it, once', async () => {
    await shop.fault('/redemptions/reserve', { type: 'drop_response' }, 1);
    const input = wanted();
    const asking = till.handle({ command: 'hold.reserve', input });
    await shop.pass(100);
    expect(await holds()).toMatchObject([{ hold_id: input.operation_id, state: 'asking', expires_at: null }]);
    expect(await shop.passUntil(asking)).toMatchObject({ ok: true, value: { holds: [{ state: 'reserved' }] } });
  });

  test('a commit is being found out; the hold is neither open nor gone until then', async () => {
    const held = await hold();
    await shop.fault('/redemptions/*', { type: 'drop_response' }, 1);
    const input = ending(held);
    const asking = till.handle({ command: 'hold.commit', input });
    await shop.pass(100);
    expect(await holds()).toMatchObject([{ state: 'closing', closing: 'commit', closing_id: input.operation_id }]);
    expect(await shop.passUntil(asking)).toMatchObject({ ok: true, value: { holds: [] } });
    expect(await shop.points()).toBe(205.5);
  });

  test('offline nothing is held, nothing is kept to be sent, and what was held is told still', async () => {
    const held = await hold();
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    for (const [command, input] of [
      ['hold.reserve', wanted()],
      ['hold.commit', ending(held)],
      ['hold.release', ending(held)],
    ] as const) {
      expect(await ask(command, input)).toMatchObject({ ok: false, error: { code: 'not_sent' } });
    }
    expect(await holds()).toMatchObject([{ hold_id: held.hold_id, state: 'reserved' }]);
  });
});

test('more than is on the card is refused with the service’s reason', async () => {
  expect(await ask('hold.reserve', wanted({ points: 9_999 }))).toMatchObject({
    ok: false,
    error: { code: 'refused', service_code: 'INSUFFICIENT_BALANCE' },
  });
  expect(await holds()).toEqual([]);
});

test.each([
  ['two values', { amount_minor: 100 }],
  ['no value', { points: undefined }],
  ['too long a time', { ttl_minutes: 121 }],
  ['no time', { ttl_minutes: 0 }],
  ['half a point too small', { points: 0.0001 }],
])('%s is refused unheard', async (_name, part) => {
  expect(await ask('hold.reserve', wanted(part))).toMatchObject({ ok: false, error: { code: 'invalid' } });
});

test('what was never held is told so', async () => {
  for (const command of ['hold.again', 'hold.commit', 'hold.release'] as const) {
    const reply = await ask(command, { operation_id: shop.newId(), hold_id: 'nothing' });
    expect(reply).toMatchObject({ ok: false, error: { code: 'operation_not_found' } });
  }
});
