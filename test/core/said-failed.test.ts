import { afterEach, beforeEach, expect, test } from 'vitest';
import { Shop } from '../support/core-shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
  await shop.until(() => shop.core.status().connection.state === 'online');
});
afterEach(() => shop.end());

const decider = { person: 'Huda', reason: 'the customer waits' };

/** One answer says that the sale has failed; the books go on to hold it. */
async function saidToHaveFailed(status: 'success' | 'reversed'): Promise<string> {
  shop.service.failing.add('R-1');
  await shop.saved('R-1');
  await shop.passUntil(() => shop.state('R-1') === 'failed');
  const held = shop.service.recorded.get('R-1');
  if (held === undefined) throw new Error('The service holds nothing of it');
  shop.service.failing.delete('R-1');
  shop.service.recorded.set('R-1', { ...held, status });
  return shop.operation('R-1').operationId;
}

test('a sale that one answer alone has called failed is not sent again: the books are read first', async () => {
  const operationId = await saidToHaveFailed('success');
  expect(await shop.core.replace(operationId, decider)).toMatchObject({
    kind: 'not_now',
    operation: { externalRef: 'R-1', state: 'applied' },
  });
  await shop.pass(10_000);
  expect([...shop.service.recorded.keys()]).toEqual(['R-1']);
});

test('a sale that one answer alone has called failed is not sent again while the books cannot be read', async () => {
  const operationId = await saidToHaveFailed('success');
  await shop.service.stop();
  expect(await shop.core.replace(operationId, decider)).toMatchObject({ kind: 'books_unread' });
  expect(shop.state('R-1')).toBe('failed');
});

test('a sale that was called failed, and was taken back meanwhile, shows as reversed', async () => {
  const operationId = await saidToHaveFailed('reversed');
  expect(await shop.core.replace(operationId, decider)).toMatchObject({
    kind: 'not_now',
    operation: { state: 'reversed' },
  });
});
