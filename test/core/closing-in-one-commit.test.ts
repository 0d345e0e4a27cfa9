import { expect, test } from 'vitest';
import { openShop } from '../support/open-shop.ts';

test('a sale that is saved in one commit with a reversal and a closing is counted by it, or since it', async () => {
  const shop = await openShop();
  const day = () => shop.core.days.read(null);
  const countOf = (lines: readonly { readonly intent: string; readonly waiting: { readonly count: number } }[] = []) =>
    lines.filter(({ intent }) => intent === 'earn').reduce((sum, { waiting }) => sum + waiting.count, 0);
  const { rowId } = await shop.saved('R-1');
  await shop.pass(3_000);
  await shop.fault('/*', { type: 'offline' });
  await shop.pass(1_000);
  const { today } = await day();
  const close = (acknowledgedOpen: number) => shop.core.days.close(today, { closedBy: 'Huda', acknowledgedOpen });

  const reversal = shop.core.reverse(rowId, {
    origin: 'bridge',
    operationId: shop.newId(),
    reversalRef: 'V-1',
    reason: null,
    idempotencyKey: null,
  });
  const closing = close(1);
  // The closing gathers for the commit, which comes with the next turn of the event loop.
  for (let step = 0; step < 50; step += 1) await Promise.resolve();
  const sale = shop.saved('R-2');
  await Promise.all([reversal, sale]);
  const outcome = await closing;
  if (outcome.kind === 'needs_acknowledgement')
    expect(await close(outcome.open.waiting)).toMatchObject({ kind: 'closed' });
  const { lines, sinceClosing } = await day();
  expect(countOf(lines) + countOf(sinceClosing?.lines)).toBe(1);
});
