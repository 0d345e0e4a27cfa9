import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said, withFields } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// Send again, correct and send under another number agree about the time of a sale.

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const hours = (count: number) => count * 3_600_000;
const days = (count: number) => hours(24 * count);
const decider = { person: 'Huda', reason: 'the clock is right again' };
const dayOf = (epochMs: number) => new Date(epochMs).toISOString().slice(0, 10);
const only = () => shop.operation('R-1');
const refuseOnce = (status: number, code: string) =>
  shop.fault('/transactions/earn', { type: 'error', status, code }, 1);

function tellDate(offByMs: number): void {
  shop.meddle = async (call, carry) => {
    const outcome = await carry(call);
    if (outcome.kind !== 'response') return outcome;
    const date = new Date(shop.clock.now() + offByMs).toUTCString();
    return { ...outcome, response: { ...outcome.response, headers: { ...outcome.response.headers, date } } };
  };
}

/** The till's clock and the dates are both wrong, then the dates are right. @returns when it was sold */
async function refuseForItsTime(): Promise<number> {
  shop.setTillClock(-days(10));
  tellDate(days(5));
  await shop.pass(120_000, 1_000);
  await shop.saved('R-1');
  const soldAtMs = shop.clock.now();
  await shop.pass(10_000);
  expect(only()).toMatchObject({ state: 'refused', error: { details: ['occurred_at_outside_window'] } });
  tellDate(0);
  await shop.pass(300_000, 1_000);
  return soldAtMs;
}

test('a sale that was refused for its time gets the right one with a correction, in one version', async () => {
  const soldAtMs = await refuseForItsTime();
  const before = shop.core.sentRequest(only().rowId);
  const corrected = await shop.core.correct(only().operationId, { points: 20 }, decider);
  expect(corrected).toMatchObject({ kind: 'done', operation: { points: 20 } });
  await shop.pass(10_000);
  expect(only()).toMatchObject({ state: 'applied', points: 20 });
  expect(Math.abs(only().occurredAtMs - soldAtMs)).toBeLessThan(2_000);
  expect(shop.core.sentRequest(only().rowId)?.businessDate).toBe(dayOf(soldAtMs));
  const [held] = await shop.held('R-1');
  expect(held).toMatchObject({ status: 'success' });
  expect(before).not.toBeNull();
  expect(await shop.points()).toBe(265.5);
});

test('a sale of a wrong clock that was refused without details keeps the right time, though it is sent again after a restart', async () => {
  shop.setTillClock(-days(2));
  await shop.pass(120_000, 1_000);
  const error = { code: 'VALIDATION_ERROR', message: 'm', retryable: false, request_id: 'r-1' };
  const { meddle } = shop;
  const counted = answerInstead(shop, callOf('POST', '/transactions/earn'), () => said(400, { error }), {
    isLost: true,
  });
  await shop.saved('R-1');
  const soldAtMs = shop.clock.now();
  await shop.pass(10_000);
  expect(only()).toMatchObject({ state: 'refused', error: { code: 'VALIDATION_ERROR' } });
  expect(counted.count).toBe(1);
  await shop.stop();
  shop.meddle = meddle;
  shop.setTillClock(days(2));
  shop.start();
  await shop.pass(300_000, 1_000);
  await shop.core.correct(only().operationId, { points: 20 }, decider);
  await shop.pass(10_000);
  expect(only()).toMatchObject({ state: 'applied', points: 20 });
  expect(Math.abs(only().occurredAtMs - soldAtMs)).toBeLessThan(2_000);
});

describe('a sale that another’s holds the number of, after its time was changed', () => {
  async function refuseForItsNumber(): Promise<void> {
    await refuseForItsTime();
    await refuseOnce(409, 'DUPLICATE_TRANSACTION');
    await shop.core.resend(only().operationId, decider);
    await shop.pass(5_000);
    expect(only()).toMatchObject({ state: 'refused', error: { code: 'DUPLICATE_TRANSACTION' } });
    expect(shop.core.sentRequest(only().rowId)?.businessDate).toBe(dayOf(only().occurredAtMs));
  }

  test('goes out under another number', async () => {
    await refuseForItsNumber();
    const replaced = await shop.core.replace(only().operationId, decider, '88');
    expect(replaced.kind).toBe('done');
    await shop.pass(10_000);
    expect(replaced.kind === 'done' && shop.core.operation(replaced.operation.rowId)?.state).toBe('applied');
    expect(only().state).toBe('written_off');
    expect(await shop.points()).toBe(255.5);
  });

  test('keeps its number where the books cannot be read', async () => {
    await refuseForItsNumber();
    await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
    expect(await shop.core.replace(only().operationId, decider, '88')).toMatchObject({ kind: 'books_unread' });
    await shop.mend();
  });
});

test('a sale whose first version stands at the service is not sent under another number', async () => {
  await refuseOnce(422, 'CARD_NOT_ELIGIBLE');
  await shop.saved('R-1');
  await shop.pass(5_000);
  const { body } = shop.core.sentRequest(only().rowId) ?? expect.fail();
  await shop.core.correct(only().operationId, { points: 11 }, decider);
  await shop.call('POST', '/v1/transactions/earn', JSON.parse(body ?? ''));
  await refuseOnce(409, 'DUPLICATE_TRANSACTION');
  await shop.pass(100, 50);
  expect(await shop.core.replace(only().operationId, decider, '88')).toMatchObject({ kind: 'not_now' });
  await shop.pass(60_000, 1_000);
  expect(shop.core.recentOperations({ limit: 10 })).toHaveLength(1);
  expect(await shop.points()).toBe(255.5);
});

test('a sale whose first version came to nothing at the service goes out under another number', async () => {
  await refuseOnce(422, 'CARD_NOT_ELIGIBLE');
  await shop.saved('R-1');
  await shop.pass(5_000);
  const { body } = shop.core.sentRequest(only().rowId) ?? expect.fail();
  await shop.core.correct(only().operationId, { points: 11 }, decider);
  await refuseOnce(409, 'DUPLICATE_TRANSACTION');
  await shop.pass(5_000);
  await shop.call('POST', '/v1/transactions/earn', JSON.parse(body ?? ''));
  const error = { code: 'CARD_NOT_ELIGIBLE', message: 'm', retryable: false, request_id: 'r-1' };
  answerInstead(shop, callOf('GET', '/transactions', 'external_ref=R-1'), (own) => {
    const { response } = own?.kind === 'response' ? own : expect.fail();
    const [held] = JSON.parse(response.body).data;
    return withFields(own, { data: [{ ...held, status: 'failed', error }] });
  });
  expect(await shop.core.replace(only().operationId, decider, '88')).toMatchObject({ kind: 'done' });
});

test('a sale that takes the place of a failed one keeps the time that was judged, though the clock is wrong by then', async () => {
  await shop.stop();
  const { meddle } = shop;
  // Saved before the till knew of any date.
  shop.meddle = async () => ({ kind: 'dropped' });
  shop.start();
  await shop.saved('R-1');
  shop.meddle = meddle;
  await refuseOnce(409, 'DUPLICATE_TRANSACTION');
  await shop.pass(300_000, 1_000);
  const { occurredAtMs, operationId, state } = only();
  expect(state).toBe('refused');
  await shop.stop();
  shop.setTillClock(-hours(3));
  shop.start();
  await shop.pass(300_000, 1_000);
  await refuseOnce(422, 'CARD_NOT_ELIGIBLE');
  const replaced = await shop.core.replace(operationId, decider, '88');
  await shop.pass(10_000);
  const { rowId, operationId: newId } = replaced.kind === 'done' ? replaced.operation : expect.fail();
  expect(shop.core.operation(rowId)).toMatchObject({ state: 'refused', occurredAtMs });
  await shop.core.resend(newId, decider);
  await shop.pass(10_000);
  expect(shop.core.operation(rowId)).toMatchObject({ state: 'applied', occurredAtMs });
});
