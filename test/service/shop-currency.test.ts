import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FaceOptions, faces, type TestFace } from '../support/service-faces.ts';

describe.each(faces)('the currency that a shop sells in, $name', ({ start }) => {
  let folder: string;
  let face: TestFace | null;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'shop-currency-'));
    face = null;
  });
  afterEach(async () => {
    await face?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A start of the same data. */
  async function restart(options: Pick<FaceOptions, 'currency'> = {}): Promise<TestFace> {
    await face?.close();
    face = await start({ data: { kind: 'file', path: join(folder, 'sandbox.sqlite') }, ...options });
    return face;
  }
  const cardOf = async (on: TestFace, loyaltyId: string) =>
    (await on.post('/customers/identify', { loyalty_id: loyaltyId })).body.cards[0];
  const currencyOf = async (on: TestFace, loyaltyId: string) => (await cardOf(on, loyaltyId)).balances.currency;
  const tenantCurrency = async (on: TestFace) => (await on.control('GET', '/settings')).body.currency;

  test('is KWD where none is named', async () => {
    const shop = await restart();
    expect(await tenantCurrency(shop)).toBe('KWD');
    expect(await currencyOf(shop, 'LC-1002')).toBe('KWD');
  });

  test("is the tenant's, that of the demo customers' money and of new cards", async () => {
    const shop = await restart({ currency: 'USD' });
    expect(await tenantCurrency(shop)).toBe('USD');
    for (const loyaltyId of ['LC-1002', 'LC-1008', 'LC-1010', 'LC-1015']) {
      const { cards } = (await shop.post('/customers/identify', { loyalty_id: loyaltyId })).body;
      const currencies = cards.map((card: { balances: { currency: string | null } }) => card.balances.currency);
      expect(currencies.filter((currency: string | null) => currency !== null)).toEqual(['USD']);
    }
    const { cards } = (await shop.control('POST', '/customers', { cards: [{ template_id: 'tpl_cashback' }] })).body;
    expect(cards[0].balances.currency).toBe('USD');
  });

  test('everything can be practised in it: money and points, spent, held and taken back', async () => {
    const shop = await restart({ currency: 'USD' });
    const earn = (externalRef: string, loyaltyId: string) => {
      const body = { identifier: { loyalty_id: loyaltyId }, external_ref: externalRef };
      return shop.post('/transactions/earn', { ...body, amount_minor: 2500, currency: 'USD' });
    };
    expect((await earn('R-1', 'LC-1002')).status).toBe(202);
    expect((await earn('R-2', 'LC-1001')).status).toBe(202);
    await shop.advance(1000);
    expect((await cardOf(shop, 'LC-1002')).balances).toMatchObject({ cashback_minor: 1375, currency: 'USD' });
    const spend = { identifier: { loyalty_id: 'LC-1002' }, amount_minor: 300, currency: 'USD' };
    expect((await shop.post('/transactions/redeem', { ...spend, external_ref: 'R-3' })).status).toBe(200);
    const { reservation_id: id } = (await shop.post('/redemptions/reserve', { ...spend, external_ref: 'C-1' })).body;
    const committed = await shop.post(`/redemptions/${id}/commit`, { external_ref: 'O-1' });
    expect(committed.body).toMatchObject({ amount_minor: 300, currency: 'USD' });
    const reversal = { external_ref: 'O-1', intent: 'redeem', amount_minor: 300 };
    expect((await shop.post('/transactions/reverse', reversal)).status).toBe(202);
  });

  test('is written in the name of a reward that is worth money', async () => {
    const nameOf = async (on: TestFace) => (await cardOf(on, 'LC-1001')).available_rewards.at(-1);
    expect(await nameOf(await restart())).toEqual({ reward_id: 'rwd_voucher', name: '1.000 KWD voucher' });
    const inDollars = await restart({ currency: 'USD' });
    expect(await nameOf(inDollars)).toEqual({ reward_id: 'rwd_voucher', name: '10.00 USD voucher' });
  });

  test('is what a reset, and clearing the setting, go back to', async () => {
    const shop = await restart({ currency: 'USD' });
    await shop.control('PATCH', '/settings', { currency: 'EUR' });
    expect((await shop.control('PATCH', '/settings', { currency: null })).body.currency).toBe('USD');
    await shop.control('PATCH', '/settings', { currency: 'EUR' });
    expect((await shop.control('POST', '/reset')).body.settings.currency).toBe('USD');
    expect(await currencyOf(shop, 'LC-1002')).toBe('USD');
  });

  describe('when another one is named', () => {
    test('the money of its cards, and what is held of it, is in the new one; a third currency stays', async () => {
      const first = await restart();
      const { cards } = (
        await first.control('POST', '/customers', {
          cards: [{ template_id: 'tpl_cashback', balances: { currency: 'EUR' }, loyalty_id: 'LC-EUR' }],
        })
      ).body;
      expect(cards[0].balances.currency).toBe('EUR');
      const hold = { identifier: { loyalty_id: 'LC-1002' }, external_ref: 'C-1', amount_minor: 250 };
      const { reservation_id: id } = (await first.post('/redemptions/reserve', hold)).body;

      const second = await restart({ currency: 'USD' });
      expect(await tenantCurrency(second)).toBe('USD');
      expect((await cardOf(second, 'LC-1002')).balances).toMatchObject({ cashback_minor: 1250, currency: 'USD' });
      expect(await currencyOf(second, 'LC-EUR')).toBe('EUR');
      const committed = await second.post(`/redemptions/${id}/commit`, { external_ref: 'O-1' });
      expect(committed.body).toMatchObject({
        currency: 'USD',
        new_balances: { cashback_minor: 1000, currency: 'USD' },
      });
    });

    test('what was recorded before stays in the currency that it was in', async () => {
      const first = await restart();
      const sale = { identifier: { loyalty_id: 'LC-1002' }, external_ref: 'R-1', amount_minor: 1000 };
      await first.post('/transactions/earn', sale);
      await first.advance(1000);
      const second = await restart({ currency: 'USD' });
      expect((await second.get('/transactions?external_ref=R-1')).body.data).toMatchObject([{ currency: 'KWD' }]);
    });

    test('and none at the next start, it stays; what a tester has set stays, too, while the same is named', async () => {
      await restart({ currency: 'USD' });
      const unnamed = await restart();
      expect(await tenantCurrency(unnamed)).toBe('USD');
      expect(await currencyOf(unnamed, 'LC-1002')).toBe('USD');
      await unnamed.control('PATCH', '/settings', { currency: 'EUR' });
      expect(await tenantCurrency(await restart({ currency: 'USD' }))).toBe('EUR');
      expect(await tenantCurrency(await restart({ currency: 'KWD' }))).toBe('KWD');
    });
  });
});
