import { beforeEach, describe, expect, test } from 'vitest';
import type { VerifyPart, VerifyRequest } from '../../app/operations/watch/verifier.ts';
import type { OperationIntent } from '../../shared/machines/operation-intents.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const dayMs = 86_400_000;
const pointsAtFirst = 245.5;
const only = (ref: string, intent?: OperationIntent) => shop.operation(ref, intent);
const earn = (ref: string) => shop.saved(ref);
const undo = (ref: string) =>
  shop.core.reverse(only(ref).rowId, {
    origin: 'till',
    operationId: shop.newId(),
    reversalRef: null,
    reason: null,
    idempotencyKey: null,
  });

async function compare(resend = false, sinceMs = 0) {
  const found: string[] = [];
  let checked = 0;
  for (let afterRowId: number | null = 0; afterRowId !== null; ) {
    const range: VerifyRequest = { sinceMs, untilMs: shop.clock.now() + 1, afterRowId, resend };
    const part: VerifyPart = await shop.passUntil(shop.core.verify(range));
    if (part.kind === 'out_of_reach') return part.kind;
    checked += part.checked;
    for (const { operation, difference, resent } of part.differences) {
      found.push(`${operation.externalRef} ${difference}${resent ? ', sent again' : ''}`);
    }
    afterRowId = part.afterRowId;
  }
  return { checked, found };
}

/** One sale that stands, one that was taken back, a redemption. */
async function trade(): Promise<void> {
  await earn('STANDS');
  await earn('UNDONE');
  await shop.pass(10_000);
  await undo('UNDONE');
  await shop.passUntil(shop.core.perform(shop.redemption('SPENT', { points: 40 }), { waitMs: 2_000 }));
  await shop.pass(20_000);
  expect([only('STANDS').state, only('UNDONE').state, only('SPENT', 'redeem').state]).toEqual([
    'applied',
    'reversed',
    'applied',
  ]);
}

describe('the till compared with the service’s books', () => {
  test('agrees where nothing was lost', async () => {
    await trade();
    expect(await compare()).toEqual({ checked: 4, found: [] });
  });

  test('shows what a service that was put back has lost, and changes nothing', async () => {
    await trade();
    await shop.loseBooks();
    await shop.pass(1_000);
    const lost = ['STANDS missing', 'UNDONE missing', 'reverse-earn-UNDONE missing', 'SPENT missing'];
    expect(await compare()).toEqual({ checked: 4, found: lost });
    expect(only('STANDS').state).toBe('applied');
    expect(await shop.points()).toBe(pointsAtFirst);
  });

  test.each([-40, 40])('compares what was settled while the till’s clock was %i days off', async (byDays) => {
    shop.setTillClock(byDays * dayMs);
    await trade();
    shop.setTillClock(-byDays * dayMs);
    await shop.loseBooks();
    await shop.pass(1_000);
    const found = ['STANDS missing', 'UNDONE missing', 'reverse-earn-UNDONE missing', 'SPENT missing'];
    expect(await compare(false, shop.clock.now() - 2 * dayMs)).toEqual({ checked: 4, found });
  });

  test('comes in smaller parts where the service answers slowly, and is whole in the end', async () => {
    await trade();
    await shop.fault('/transactions', { type: 'delay', ms: 6_000 });
    const all = { sinceMs: 0, untilMs: shop.clock.now() + 1, resend: false };
    const began = shop.clock.monotonicMs();
    expect(await shop.passUntil(shop.core.verify({ ...all, afterRowId: 0 }))).toMatchObject({
      checked: 2,
      afterRowId: only('UNDONE').rowId,
    });
    expect(shop.clock.monotonicMs() - began).toBeLessThan(20_000);
    expect(await compare()).toEqual({ checked: 4, found: [] });
  });

  test('leaves out what was settled before that time', async () => {
    await trade();
    await shop.pass(60_000, 1_000);
    expect(await compare(false, shop.clock.now() - 30_000)).toEqual({ checked: 0, found: [] });
  });

  test('sends on request what is missing again, each after what it takes back, and nothing twice', async () => {
    await trade();
    await shop.loseBooks();
    await shop.pass(1_000);
    const resent = await compare(true);
    expect(resent).toMatchObject({ found: expect.arrayContaining(['STANDS missing, sent again']) });
    await shop.pass(120_000);
    expect(await compare(true)).toEqual({ checked: 4, found: [] });
    expect([only('STANDS').state, only('UNDONE').state, only('SPENT', 'redeem').state]).toEqual([
      'applied',
      'reversed',
      'applied',
    ]);
    expect(await shop.points()).toBe(pointsAtFirst + 10 - 40);
    for (const ref of ['STANDS', 'SPENT', 'UNDONE']) expect(await shop.held(ref)).toHaveLength(1);
  });

  test('shows what stands again, and reverses it on request', async () => {
    await trade();
    await shop.loseBooks();
    await shop.call(
      'POST',
      '/v1/transactions/earn',
      JSON.parse(shop.core.sentRequest(only('UNDONE').rowId)?.body ?? ''),
    );
    await shop.pass(5_000);
    expect(await compare()).toMatchObject({ found: expect.arrayContaining(['UNDONE stands_again']) });
    await compare(true);
    await shop.pass(120_000);
    expect(only('UNDONE').state).toBe('reversed');
    expect(await compare()).toEqual({ checked: 4, found: [] });
  });

  test('sends no reversal again whose original was refused when it was sent again', async () => {
    await trade();
    await shop.loseBooks();
    await shop.pass(1_000);
    await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' });
    // The books are slow to tell of the reversal, and its original is refused meanwhile.
    shop.meddle = async (call, carry) => {
      if (call.target.endsWith('=reverse-earn-UNDONE')) {
        await new Promise<void>((resolve) => shop.clock.setTimer(resolve, 2_000));
      }
      return carry(call);
    };
    expect(await compare(true)).toMatchObject({ found: expect.arrayContaining(['reverse-earn-UNDONE missing']) });
    await shop.pass(20_000);
    expect(only('UNDONE').state).toBe('cancelled');
    expect(only('reverse-earn-UNDONE', 'reverse').state).toBe('applied');
  });

  test('shows what stands again though another till had taken it back, and sends the till’s own reversal on request', async () => {
    await earn('TWICE');
    await shop.pass(10_000);
    const elsewhere = { external_ref: 'TWICE', intent: 'earn', reversal_ref: 'X' };
    await shop.call('POST', '/v1/transactions/reverse', elsewhere);
    await shop.pass(5_000);
    await undo('TWICE');
    await shop.pass(5_000);
    expect([only('TWICE').state, only('reverse-earn-TWICE', 'reverse').state]).toEqual(['reversed', 'cancelled']);
    await shop.loseBooks();
    const body = JSON.parse(shop.core.sentRequest(only('TWICE').rowId)?.body ?? '');
    await shop.call('POST', '/v1/transactions/earn', body);
    await shop.pass(5_000);
    expect(await compare()).toEqual({ checked: 1, found: ['TWICE stands_again'] });
    expect(await compare(true)).toEqual({ checked: 1, found: ['TWICE stands_again, sent again'] });
    expect(only('TWICE').state).toBe('applied');
    await shop.pass(10_000);
    expect(await shop.held('TWICE')).toMatchObject([{ status: 'reversed' }]);
    expect([only('TWICE').state, only('reverse-earn-TWICE', 'reverse').state]).toEqual(['reversed', 'applied']);
    expect(await shop.points()).toBe(pointsAtFirst);
  });

  test('goes on over a crash in the middle', async () => {
    await trade();
    await shop.loseBooks();
    await shop.pass(1_000);
    await compare(true);
    shop.crash();
    shop.start();
    await shop.pass(120_000);
    expect(await compare()).toEqual({ checked: 4, found: [] });
    expect(await shop.points()).toBe(pointsAtFirst + 10 - 40);
  });

  test('shows what somebody else has taken back', async () => {
    await earn('STANDS');
    await shop.pass(10_000);
    await shop.call('POST', '/v1/transactions/reverse', { external_ref: 'STANDS', intent: 'earn', reversal_ref: 'X' });
    await shop.pass(5_000);
    expect(await compare(true)).toEqual({ checked: 1, found: ['STANDS reversed_there'] });
  });

  test('does not send a commit again whose reservation is gone', async () => {
    const identifier = { loyalty_id: 'LC-1001' };
    const reserve = shop.redemption('CART#1', { points: 5 }, { intent: 'reserve', path: '/redemptions/reserve' });
    const held = await shop.passUntil(shop.core.perform({ ...reserve, identifier }, { waitMs: 2_000 }));
    if (held.kind !== 'done') throw new Error(held.kind);
    const { reservation_id } = held.answer as { reservation_id: string };
    const commit = shop.redemption('ORDER', {}, { intent: 'commit', path: `/redemptions/${reservation_id}/commit` });
    const paid = await shop.passUntil(
      shop.core.perform({ ...commit, body: { external_ref: 'ORDER' } }, { waitMs: 2_000 }),
    );
    expect(paid.kind).toBe('done');
    expect(await compare()).toEqual({ checked: 1, found: [] });
    await shop.loseBooks();
    await shop.pass(1_000);
    expect(await compare(true)).toEqual({ checked: 1, found: ['ORDER missing'] });
    expect(only('ORDER', 'commit').state).toBe('applied');
  });

  test('says that it is out of reach without a line', async () => {
    await earn('STANDS');
    await shop.pass(10_000);
    await shop.fault('/*', { type: 'offline' });
    expect(await compare()).toBe('out_of_reach');
  });
});
