import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, withFields } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const decider = { person: 'Huda', reason: 'asked by the customer' };
const only = (ref: string) => shop.operation(ref);
const earn = (ref: string, request: object = {}) => shop.saved(ref, { points: 10, ...request });
const refuse = (times?: number) =>
  shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, times);
const counts = () => shop.core.status().operations;

test('what is not known for a quarter of an hour is listed, and goes when the service has been asked', async () => {
  await shop.fault('/transactions/earn', { type: 'drop_response' }, 1);
  await shop.fault('/transactions', { type: 'drop_request' });
  const { operationId } = await earn('R-1');
  await shop.pass(2_000);
  await shop.fault('/*', { type: 'offline' });
  await shop.pass(60_000);
  expect(only('R-1').state).toBe('unknown');
  expect(shop.core.needingAttention({ limit: 10 })).toEqual([]);
  await shop.pass(15 * 60_000, 5_000);
  expect(shop.core.needingAttention({ limit: 10 })).toMatchObject([{ externalRef: 'R-1', state: 'unknown' }]);
  expect(await shop.core.resend(operationId, decider)).toMatchObject({ kind: 'books_unread' });
  await shop.mend();
  await shop.pass(120_000, 1_000);
  expect(only('R-1').state).toBe('applied');
  expect(shop.core.needingAttention({ limit: 10 })).toEqual([]);
  expect(await shop.held('R-1')).toHaveLength(1);
});

describe('a refused sale', () => {
  test('waits for a person, with its reason', async () => {
    await refuse();
    await earn('R-1');
    await shop.pass(2_000);
    expect(shop.core.needingAttention({ limit: 10 })).toMatchObject([
      { externalRef: 'R-1', state: 'refused', error: { code: 'CARD_NOT_ELIGIBLE' } },
    ]);
  });

  test('is sent again as it is, and who decided stands in its history', async () => {
    await refuse(1);
    const { operationId, rowId } = await earn('R-1');
    await shop.pass(2_000);
    expect(await shop.core.resend(operationId, decider)).toMatchObject({
      kind: 'done',
      operation: { state: 'queued' },
    });
    await shop.pass(10_000);
    expect(only('R-1').state).toBe('applied');
    expect(shop.core.history(rowId)).toContainEqual(
      expect.objectContaining({ from: 'refused', to: 'queued', person: 'Huda', reason: 'asked by the customer' }),
    );
  });

  test('is corrected under the same reference: the card is named', async () => {
    // Two cards of this customer earn on a purchase.
    const asked = { identifier: { external_id: 'crm-1009' }, points: undefined, amount_minor: 2_000 };
    const { operationId } = await earn('R-1', asked);
    await shop.pass(2_000);
    expect(only('R-1')).toMatchObject({ state: 'refused', error: { details: ['card_id_required'] } });
    const { cards } = await shop.call('POST', '/v1/customers/identify', { external_id: 'crm-1009' });
    const corrected = await shop.core.correct(operationId, { card_id: cards[0].card_id }, decider);
    expect(corrected).toMatchObject({ kind: 'done', operation: { cardId: cards[0].card_id } });
    await shop.pass(10_000);
    expect(only('R-1')).toMatchObject({ state: 'applied', serviceCardId: cards[0].card_id });
    expect(await shop.held('R-1')).toHaveLength(1);
    // Whoever asked for it does not know of the correction.
    expect(await shop.saveEarn('R-1', asked)).toMatchObject({
      kind: 'saved',
      duplicate: true,
      operation: { operationId },
    });
    const other = await shop.saveEarn('R-1', { ...asked, amount_minor: 3_000 });
    expect(other).toMatchObject({ kind: 'reference_taken', differingFields: ['card_id', 'amount_minor'] });
  });

  test('that its program has replaced is another sale when it comes again, also after a correction', async () => {
    await refuse(2);
    await earn('R-1', { points: 10 });
    await shop.pass(2_000);
    const { operationId } = await earn('R-1', { points: 20 });
    await shop.pass(60_000, 1_000);
    expect(only('R-1').state).toBe('refused');
    await shop.core.correct(operationId, { points: 30 }, decider);
    await shop.pass(60_000, 1_000);
    expect(only('R-1')).toMatchObject({ state: 'applied', points: 30 });
    expect(await shop.saveEarn('R-1', { points: 10 })).toMatchObject({ kind: 'reference_taken' });
    expect(await shop.saveEarn('R-1', { points: 30 })).toMatchObject({ kind: 'saved', duplicate: true });
  });

  test('that its program has replaced with a manager’s PIN is another sale when it comes again', async () => {
    await shop.stop();
    shop.settings = { limits: { max_points: 15 } };
    shop.start();
    await shop.pass(1_000);
    await refuse(1);
    await earn('R-1', { points: 10 });
    await shop.pass(2_000);
    const { rowId } = await shop.saved('R-1', { points: 20 }, { approvedBy: 'Huda' });
    await shop.pass(10_000);
    expect(only('R-1')).toMatchObject({ state: 'applied', points: 20 });
    expect(shop.core.history(rowId)).toContainEqual(
      expect.objectContaining({ person: 'Huda', reason: expect.stringMatching(/^another request .*; .*15/) }),
    );
    expect(await shop.saveEarn('R-1', { points: 10 })).toMatchObject({ kind: 'reference_taken' });
  });

  test('is corrected only to something that the contract takes', async () => {
    await refuse(1);
    const { operationId } = await earn('R-1');
    await shop.pass(2_000);
    expect(await shop.core.correct(operationId, { points: -1 }, decider)).toMatchObject({
      kind: 'invalid',
      problems: [{ field: 'points', problem: 'must be above zero' }],
    });
    expect(only('R-1').state).toBe('refused');
  });

  test('is written off with a reason, and is not sent any more', async () => {
    await refuse();
    const { operationId } = await earn('R-1');
    await shop.pass(2_000);
    expect(await shop.core.writeOff(operationId, decider)).toMatchObject({
      kind: 'done',
      operation: { state: 'written_off' },
    });
    await shop.mend();
    await shop.pass(120_000);
    expect(await shop.held('R-1')).toEqual([]);
    expect(await shop.core.resend(operationId, decider)).toMatchObject({ kind: 'not_now' });
  });
});

describe('a failed sale', () => {
  const fail = async (ref: string) => {
    const operation = await earn(ref);
    await shop.pass(100, 50);
    await shop.call('POST', `/_sandbox/transactions/${only(ref).serviceTransactionId}/fail`, { code: 'INTERNAL' });
    await shop.pass(5_000);
    expect(only(ref).state).toBe('failed');
    return operation;
  };

  test('has used up its reference: a new operation stands in its place, once', async () => {
    const { operationId } = await fail('R-1');
    const both = await Promise.all([shop.core.replace(operationId, decider), shop.core.replace(operationId, decider)]);
    expect(both).toMatchObject([
      { kind: 'done', operation: { externalRef: 'R-1-2' } },
      { kind: 'done', operation: { externalRef: 'R-1-2' } },
    ]);
    await shop.pass(10_000);
    expect(only('R-1-2').state).toBe('applied');
    expect(only('R-1').state).toBe('written_off');
    expect(await shop.points()).toBe(255.5);
  });

  test('goes out corrected, as a new operation in its place: another card and another value', async () => {
    const asked = { identifier: { external_id: 'crm-1009' }, points: undefined, amount_minor: 2_000 };
    const { cards } = await shop.call('POST', '/v1/customers/identify', { external_id: 'crm-1009' });
    const [first, second] = cards.map(({ card_id }: { card_id: string }) => card_id);
    const { operationId } = await earn('R-1', { ...asked, card_id: first });
    await shop.pass(100, 50);
    const id = only('R-1').serviceTransactionId;
    await shop.call('POST', `/_sandbox/transactions/${id}/fail`, { code: 'CARD_NOT_ELIGIBLE' });
    await shop.pass(5_000);
    expect(only('R-1')).toMatchObject({ state: 'failed', error: { code: 'CARD_NOT_ELIGIBLE' } });
    const correction = { card_id: second, amount_minor: 3_000 };
    expect(await shop.core.correct(operationId, { amount_minor: -1 }, decider)).toMatchObject({ kind: 'invalid' });
    const replaced = { externalRef: 'R-1-2', cardId: second, amountMinor: 3_000 };
    expect(await shop.core.correct(operationId, correction, decider)).toMatchObject({
      kind: 'done',
      operation: replaced,
    });
    await shop.pass(10_000);
    expect(only('R-1-2')).toMatchObject({ state: 'applied', ...replaced });
    expect(only('R-1').state).toBe('written_off');
    expect(await shop.held('R-1-2')).toMatchObject([{ card_id: second, amount_minor: 3_000, status: 'success' }]);
  });

  test('is not sent corrected while the books cannot be read, or where they show that it stands', async () => {
    const { operationId } = await fail('R-1');
    await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
    expect(await shop.core.correct(operationId, { points: 11 }, decider)).toMatchObject({ kind: 'books_unread' });
    await shop.mend();
    const error = null;
    answerInstead(shop, callOf('GET', '/transactions', 'external_ref=R-1'), (own) => {
      const { response } = own?.kind === 'response' ? own : expect.fail();
      const [held] = JSON.parse(response.body).data;
      return withFields(own, { data: [{ ...held, status: 'success', error }] });
    });
    expect(await shop.core.correct(operationId, { points: 11 }, decider)).toMatchObject({ kind: 'not_now' });
    expect(only('R-1').state).toBe('applied');
  });

  const takenByAnother = async (ref: string, request: object = {}) => {
    await shop.fault('/transactions/earn', { type: 'error', status: 409, code: 'DUPLICATE_TRANSACTION' }, 1);
    const operation = await earn(ref, request);
    await shop.pass(2_000);
    expect(only(ref)).toMatchObject({ state: 'refused', error: { code: 'DUPLICATE_TRANSACTION' } });
    return operation;
  };

  test('for its receipt number goes out under another one, in its own place: it is earned once', async () => {
    const { operationId } = await takenByAnother('R-1');
    const before = await shop.points();
    const both = await Promise.all(['88', '99'].map((number) => shop.core.replace(operationId, decider, number)));
    expect(both).toMatchObject([
      { kind: 'done', operation: { externalRef: expect.stringMatching(/-88$/) } },
      { kind: 'done', operation: { externalRef: expect.stringMatching(/-88$/) } },
    ]);
    await shop.pass(10_000);
    expect(only('R-1').state).toBe('written_off');
    expect(await shop.core.resend(operationId, decider)).toMatchObject({ kind: 'not_now' });
    await shop.pass(10_000);
    expect(await shop.points()).toBe(before + 10);
    expect(shop.core.needingAttention({ limit: 10 })).toEqual([]);
  });

  test('for its receipt number keeps its place when the other number is a sale’s, too', async () => {
    const other = await shop.core.replace((await takenByAnother('R-1')).operationId, decider, '88');
    expect(other.kind).toBe('done');
    await shop.pass(5_000);
    const { operationId } = await takenByAnother('R-2');
    expect(await shop.core.replace(operationId, decider, '88')).toMatchObject({ kind: 'reference_taken' });
    expect(only('R-2').state).toBe('refused');
  });

  test('for its receipt number goes out under another one, too, when it was corrected before', async () => {
    await refuse(1);
    const { operationId } = await earn('R-1');
    await shop.pass(2_000);
    await shop.fault('/transactions/earn', { type: 'error', status: 409, code: 'DUPLICATE_TRANSACTION' }, 1);
    await shop.core.correct(operationId, { points: 11 }, decider);
    await shop.pass(2_000);
    expect(only('R-1')).toMatchObject({ state: 'refused', error: { code: 'DUPLICATE_TRANSACTION' } });
    expect(await shop.core.replace(operationId, decider, '88')).toMatchObject({ kind: 'done' });
    await shop.pass(10_000);
    expect(await shop.points()).toBe(256.5);
  });

  test('for its receipt number that stands at the service after all is found there, and not sent again', async () => {
    await shop.fault('/transactions/earn', { type: 'drop_response' }, 1);
    await shop.fault('/transactions/earn', { type: 'error', status: 409, code: 'DUPLICATE_TRANSACTION' });
    const { operationId } = await earn('R-1');
    await shop.pass(60_000);
    await shop.mend();
    await shop.core.replace(operationId, decider, '88');
    await shop.pass(60_000, 1_000);
    expect(only('R-1').state).toBe('applied');
    expect(await shop.points()).toBe(255.5);
  });

  test('is replaced by another new operation when its replacement has failed, too', async () => {
    const { operationId } = await fail('R-1');
    const replaced = await shop.core.replace(operationId, decider);
    await shop.pass(100, 50);
    await shop.call('POST', `/_sandbox/transactions/${only('R-1-2').serviceTransactionId}/fail`, { code: 'INTERNAL' });
    await shop.pass(5_000);
    const again =
      replaced.kind === 'done' ? await shop.core.replace(replaced.operation.operationId, decider) : replaced;
    expect(again).toMatchObject({ kind: 'done', operation: { externalRef: 'R-1-3' } });
  });

  test('is not sent again as it is: the service would answer the failure', async () => {
    const { operationId } = await fail('R-1');
    expect(await shop.core.resend(operationId, decider)).toMatchObject({ kind: 'not_now' });
  });
});

describe('a sale that another key had sent', () => {
  async function heldByAnotherKey(): Promise<string> {
    await shop.fault('/transactions/earn', { type: 'drop_request' });
    const { operationId } = await earn('R-1');
    await shop.pass(1_000);
    await shop.mend();
    const { key } = await shop.call('POST', '/_sandbox/keys', { source: 'another' });
    await shop.stop();
    shop.start(key);
    await shop.pass(30_000);
    expect(only('R-1').state).toBe('unknown');
    return operationId;
  }

  test('is read before a person decides, and then sent under the new one', async () => {
    const operationId = await heldByAnotherKey();
    expect(await shop.core.resend(operationId, decider)).toMatchObject({ kind: 'done' });
    await shop.pass(10_000);
    expect(only('R-1').state).toBe('applied');
    expect(await shop.points()).toBe(255.5);
  });

  test('is read before a person writes it off', async () => {
    const operationId = await heldByAnotherKey();
    expect(await shop.core.writeOff(operationId, decider)).toMatchObject({ kind: 'done' });
  });

  test('while the books cannot be read, nobody decides', async () => {
    const operationId = await heldByAnotherKey();
    await shop.fault('/*', { type: 'offline' });
    expect(await shop.core.writeOff(operationId, decider)).toMatchObject({ kind: 'books_unread' });
    expect(only('R-1').state).toBe('unknown');
  });
});

describe('many refusals alike', () => {
  /** Cards that take points. */
  const cardOf = (sale: number): string => ['LC-1001', 'LC-1009', 'LC-1014'][sale % 3] ?? '';

  test('pause the queue: a wrong branch does not refuse a whole backlog', async () => {
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    for (let sale = 0; sale < 60; sale += 1) {
      await earn(`R-${sale}`, { identifier: { loyalty_id: cardOf(sale) } });
    }
    await shop.mend();
    await refuse();
    await shop.pass(30_000);
    expect(counts().refused).toBeGreaterThanOrEqual(5);
    expect(counts().refused).toBeLessThanOrEqual(16);
    expect(shop.core.status().connection).toMatchObject({ state: 'online', cause: 'refused' });
    const before = counts().refused;
    // One tries after each pause, and the pauses grow.
    await shop.pass(300_000, 1_000);
    expect(counts().refused - before).toBeLessThanOrEqual(4);

    await shop.mend();
    await shop.pass(900_000, 2_000);
    expect(counts().queued).toBe(0);
    for (const { operationId } of shop.core.needingAttention({ limit: 100 }))
      await shop.core.resend(operationId, decider);
    await shop.pass(60_000, 1_000);
    expect(counts()).toMatchObject({ queued: 0, refused: 0, unknown: 0, accepted: 0 });
  });

  test('end their pause at once when a person sends again', async () => {
    await refuse();
    for (let sale = 0; sale < 12; sale += 1) await earn(`R-${sale}`, { identifier: { loyalty_id: cardOf(sale) } });
    await shop.pass(5_000);
    expect(counts().queued).toBeGreaterThan(0);
    await shop.mend();
    for (const { operationId } of shop.core.needingAttention({ limit: 100 }))
      await shop.core.resend(operationId, decider);
    await shop.pass(20_000);
    expect(counts()).toMatchObject({ queued: 0, refused: 0 });
  });

  test('of different kinds, or with a success between, pause nothing', async () => {
    for (let sale = 0; sale < 12; sale += 1) {
      const nobody = { loyalty_id: `nobody-${sale}` };
      await earn(`R-${sale}`, { identifier: sale % 3 === 0 ? { loyalty_id: 'LC-1001' } : nobody });
    }
    await shop.pass(30_000);
    expect(counts()).toMatchObject({ queued: 0, refused: 8 });
  });
});
