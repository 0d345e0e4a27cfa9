import { beforeEach, describe, expect, it } from 'vitest';
import { createOffice } from '../../app/office/office.ts';
import { attentionHandlers, cardsFor, correctSale } from '../../app/till/attention.ts';
import type { Identifier } from '../../shared/contract/identifier.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

async function earn(ref: string, identifier: Identifier, value: object = { amount_minor: 2_000 }): Promise<string> {
  const { operationId } = await shop.saved(ref, { identifier, ...value });
  await shop.pass(2_000);
  return operationId;
}
/** Two of this customer's cards earn on a purchase, one of them on points. */
const several = { external_id: 'crm-1009' };
const cards = (operationId: string) => shop.passUntil(cardsFor(shop.core, operationId));

describe('the cards that would take a refused sale', () => {
  it('are those that allow just that operation, and the others are counted', async () => {
    const purchase = await cards(await earn('R-1', several));
    if (!purchase.ok) throw new Error(purchase.error.code);
    const held = (await shop.call('POST', '/v1/customers/identify', several)).cards.length;
    expect(purchase.value.cards.map(({ allowed_operations }) => allowed_operations.includes('earn_amount'))).toEqual([
      true,
      true,
    ]);
    expect(purchase.value.other_cards).toBe(held - 2);
    await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
    const stamps = await cards(await earn('R-2', { loyalty_id: 'LC-1001' }, { stamps: 1 }));
    expect(stamps).toMatchObject({ ok: true });
    if (stamps.ok) for (const card of stamps.value.cards) expect(card.allowed_operations).toContain('earn_stamp');
  });

  it('are asked of the service alone: offline it says so', async () => {
    const operationId = await earn('R-1', several);
    await cards(operationId);
    await shop.fault('/*', { type: 'offline' });
    expect(await cards(operationId)).toMatchObject({ ok: false, error: { code: 'offline' } });
  });

  it('are nobody’s where the customer is not known, and not asked for what is not refused', async () => {
    expect(await cards(await earn('R-1', { loyalty_id: 'NOBODY' }))).toMatchObject({
      error: { code: 'customer_not_found' },
    });
    expect(await cards(await earn('R-2', { loyalty_id: 'LC-1001' }))).toMatchObject({ error: { code: 'not_now' } });
    expect(await cards('nothing')).toMatchObject({ error: { code: 'operation_not_found' } });
  });
});

describe('a correction', () => {
  it('is held to the limit of the till', async () => {
    const operation_id = await earn('R-1', several);
    const correction = { operation_id, reason: 'typed wrong', amount_minor: 100_000_001 };
    expect(await correctSale(shop.core, correction)).toMatchObject({
      error: { code: 'above_limit', field: 'amount_minor', details: [100_000_000, 'max_amount_minor'] },
    });
    expect(shop.core.operationById(operation_id)?.state).toBe('refused');
  });

  it('of a sale that another screen has corrected meanwhile is not made of what nobody has seen', async () => {
    const operation_id = await earn('R-1', several);
    const version = shop.core.operationById(operation_id)?.version ?? 0;
    const change = (seen: number, correction: object) =>
      shop.passUntil(correctSale(shop.core, { operation_id, reason: 'typed wrong', version: seen, ...correction }));
    expect(await change(version, { amount_minor: 10_000 })).toMatchObject({ ok: true });
    await shop.pass(10_000);
    const [now] = shop.core.operationsByReference('R-1');
    expect(now).toMatchObject({ state: 'refused', amountMinor: 10_000 });
    const card_id = (await shop.call('POST', '/v1/customers/identify', several)).cards[0].card_id;
    expect(await change(version, { card_id })).toMatchObject({
      error: { code: 'not_now', details: [{ state: 'refused', amount_minor: 10_000 }] },
    });
    expect(shop.core.operationById(operation_id)?.state).toBe('refused');
    expect(await change(now?.version ?? 0, { card_id })).toMatchObject({ ok: true });
  });

  it('of a failed sale goes out as a new one, with one of the cards that would take it', async () => {
    const [first] = (await shop.call('POST', '/v1/customers/identify', several)).cards;
    const { operationId } = await shop.saved('R-1', {
      identifier: several,
      amount_minor: 2_000,
      card_id: first.card_id,
    });
    await shop.pass(100, 50);
    const id = shop.core.operationById(operationId)?.serviceTransactionId;
    await shop.call('POST', `/_sandbox/transactions/${id}/fail`, { code: 'CARD_NOT_ELIGIBLE' });
    await shop.pass(5_000);
    const found = await cards(operationId);
    const card_id = found.ok ? (found.value.cards.at(-1)?.card_id ?? '') : '';
    const asked = { operation_id: operationId, reason: 'the customer chose', card_id };
    const corrected = await shop.passUntil(correctSale(shop.core, asked));
    expect(corrected).toMatchObject({
      ok: true,
      value: { operation: { state: 'queued', external_ref: 'R-1-2', card_id } },
    });
    await shop.pass(10_000);
    expect(await shop.held('R-1-2')).toMatchObject([{ status: 'success', card_id }]);
  });

  it('goes out under the same reference, with who asked for it in the history', async () => {
    const operation_id = await earn('R-1', several);
    const found = await cards(operation_id);
    const card_id = found.ok ? (found.value.cards[0]?.card_id ?? '') : '';
    const corrected = await shop.passUntil(
      correctSale(shop.core, { operation_id, reason: 'the customer chose', card_id }),
    );
    expect(corrected).toMatchObject({ ok: true, value: { operation: { state: 'queued', external_ref: 'R-1' } } });
    await shop.pass(10_000);
    expect(shop.core.operationById(operation_id)).toMatchObject({ state: 'applied', cardId: card_id });
    expect(await shop.held('R-1')).toHaveLength(1);
  });
});

describe('what stands at the service though the till had said otherwise', () => {
  const outOfTheQuestion = () => {
    throw new Error('not asked for here');
  };
  const office = () =>
    createOffice(shop.core, {
      tokens: { list: outOfTheQuestion, make: outOfTheQuestion, share: outOfTheQuestion, revoke: outOfTheQuestion },
      settings: { read: outOfTheQuestion, change: outOfTheQuestion, held: outOfTheQuestion },
      checkService: outOfTheQuestion,
      sessions: { list: outOfTheQuestion, end: outOfTheQuestion, open: outOfTheQuestion },
      nowMs: () => shop.clock.now(),
    });
  const asked = async (name: string, input: object) => {
    const reply = await office()(name, input);
    if (reply.kind !== 'answered') throw new Error(JSON.stringify(reply));
    return reply.answer;
  };
  const decision = { external_ref: 'R-1', reason: 'told', person: 'Mona' };

  async function found(): Promise<void> {
    await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
    await earn('R-1', { loyalty_id: 'LC-1001' }, { points: 10 });
    const [operation] = shop.core.operationsByReference('R-1');
    await shop.call(
      'POST',
      '/v1/transactions/earn',
      JSON.parse(shop.core.sentRequest(operation?.rowId ?? 0)?.body ?? ''),
    );
    await shop.pass(11 * 60_000, 5_000);
  }

  it('is listed for the screen and for store IT, and kept by either', async () => {
    await found();
    const list = attentionHandlers(shop.core)['attention.list'];
    expect(await list({ limit: 10 })).toMatchObject({
      ok: true,
      value: { operations: [{ external_ref: 'R-1', state: 'applied', found: 'stands' }] },
    });
    expect(await asked('queue.list', { found: true })).toMatchObject({ operations: [{ external_ref: 'R-1' }] });
    expect(await asked('queue.keep', decision)).toMatchObject({ outcome: 'done', operation: { found: null } });
    expect(await asked('queue.list', { found: true })).toMatchObject({ operations: [] });
    expect(await asked('queue.take_back', decision)).toMatchObject({ outcome: 'not_now' });
  });

  it('is taken back by store IT', async () => {
    await found();
    expect(await asked('queue.take_back', decision)).toMatchObject({ outcome: 'done' });
    await shop.pass(20_000);
    expect(await asked('queue.show', { external_ref: 'R-1' })).toMatchObject({
      operations: [{ operation: { state: 'reversed' } }],
    });
  });
});
