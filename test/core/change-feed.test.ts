import { expect, test } from 'vitest';
import type { AgentChange } from '../../app/core/agent-core.ts';
import { openShop } from '../support/open-shop.ts';

test('each of many operations that change at once is told, the oldest first, and the status once behind them', async () => {
  const shop = await openShop();
  await shop.fault('/*', { type: 'offline' });
  await shop.pass(20_000);
  const told: AgentChange[] = [];
  shop.core.onChange((change) => told.push(change));
  const saved = await Promise.all(Array.from({ length: 40 }, (_, index) => shop.saved(`R-${index}`)));
  await shop.quiet();
  const changes = saved.map(({ rowId }): AgentChange => ({ type: 'operation', rowId }));
  expect(told).toEqual([...changes, { type: 'status' }]);
});
