import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Identifier } from '../../shared/contract/identifier.ts';
import { Shop } from '../support/core-shop.ts';
import { answer, type SeenRequest } from '../support/scripted-service.ts';

const found = { identifier: { customer_id: 'cus_1' }, amount_minor: 500, card_id: 'card_1' };

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
});
afterEach(() => shop.end());

/** The customers of the service, each by one name more than the id. */
const customers = [
  { id: 'cus_1', by: 'LC-1', phone: '+96550001234', email: 'sara@example.com' },
  { id: 'cus_2', by: 'LC-2', phone: '+96550005678', email: 'noor@example.com' },
];

function knowBoth({ call, body }: SeenRequest) {
  const one = customers.find(({ by, id }) => body.includes(by) || body.includes(id));
  if (call !== 'identify' || one === undefined) return answer;
  const { id, phone, email } = one;
  const at = '2026-11-20T18:13:00.000Z';
  const profile = { customer_id: id, name: null, phone, email, verified: true, balances_as_of: at, cards: [] };
  return { kind: 'say' as const, status: 200, body: JSON.stringify(profile) };
}

/** They stood at the till, and the till knows them. */
async function seen(...identifiers: readonly Identifier[]): Promise<void> {
  shop.service.script = knowBoth;
  for (const identifier of identifiers) expect(await shop.core.identify(identifier)).toMatchObject({ kind: 'done' });
  await shop.quiet();
}

/** What is saved waits. */
const cutLine = () => shop.service.stop();

describe('a repeat of a customer who was found, and whom a POS program names otherwise', () => {
  it.each<Identifier>([{ loyalty_id: 'LC-1' }, { phone: '+96550001234' }, { external_id: 'user-7' }])(
    'is found by whom the service has found behind %o',
    async (identifier) => {
      await shop.saved('R-1', { identifier, amount_minor: 500 });
      await shop.passUntil(() => shop.state('R-1') === 'applied');
      expect(shop.core.findRepeat(found)).toMatchObject({ externalRef: 'R-1' });
      expect(shop.core.findRepeat({ ...found, identifier: { customer_id: 'cus_2' } })).toBeNull();
      expect(shop.core.findRepeat({ ...found, amount_minor: 501 })).toBeNull();
      shop.clock.advance(601_000);
      expect(shop.core.findRepeat(found)).toBeNull();
    },
  );

  it('is found by the card while the sale waits, in either order', async () => {
    await seen({ loyalty_id: 'LC-1' }, { loyalty_id: 'LC-2' });
    await cutLine();
    const byCard = { identifier: { loyalty_id: 'LC-1' }, amount_minor: 500 };
    await shop.saved('R-1', byCard);
    expect(shop.core.findRepeat(found)).toMatchObject({ externalRef: 'R-1' });
    await shop.saved('R-2', { ...found, amount_minor: 700 });
    expect(shop.core.findRepeat({ ...byCard, amount_minor: 700 })).toMatchObject({ externalRef: 'R-2' });
  });

  it.each<Identifier>([{ phone: '+965 5000 1234' }, { phone: '50001234' }, { email: 'Sara@example.com' }])(
    'is found by %o while the sale waits',
    async (identifier) => {
      await seen({ loyalty_id: 'LC-1' });
      await cutLine();
      await shop.saved('R-1', { identifier, amount_minor: 500 });
      expect(shop.core.findRepeat(found)).toMatchObject({ externalRef: 'R-1' });
    },
  );

  it.each<Identifier>([
    { loyalty_id: 'LC-2' },
    { loyalty_id: 'LC-3' },
    { customer_id: 'cus_2' },
    { phone: '+96550005678' },
    { email: 'noor@example.com' },
  ])('is not another customer’s sale of the same amount, by %o', async (identifier) => {
    await seen({ loyalty_id: 'LC-1' }, { loyalty_id: 'LC-2' });
    await cutLine();
    await shop.saved('R-1', { identifier, amount_minor: 500 });
    expect(shop.core.findRepeat(found)).toBeNull();
  });

  it('is nobody’s where this till knows no customer behind either card', async () => {
    await cutLine();
    await shop.saved('R-1', { identifier: { loyalty_id: 'LC-1' }, amount_minor: 500 });
    expect(shop.core.findRepeat({ identifier: { loyalty_id: 'LC-2' }, amount_minor: 500 })).toBeNull();
    expect(shop.core.findRepeat(found)).toBeNull();
  });
});
