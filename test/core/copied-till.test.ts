import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CounterShop } from '../support/counter-shop.ts';
import { answerInstead } from '../support/meddling.ts';

let shop: CounterShop;
beforeEach(async () => {
  shop = new CounterShop();
  await shop.stop();
  shop.machine = 'the first machine';
  shop.start();
  await shop.pass(1_000);
});
afterEach(async () => {
  expect(shop.errors).toEqual([]);
  await shop.end();
});

const pointsAtFirst = 245.5;

/** A till takes three sales without a line; its disk is copied; then it sends them. */
async function originalAndCopy(): Promise<string> {
  shop.meddle = () => Promise.resolve({ kind: 'no_connection' });
  for (const ref of ['R-1', 'R-2', 'R-3']) await shop.saved(ref);
  const copy = shop.image();
  shop.meddle = (call, carry) => carry(call);
  await shop.pass(180_000);
  expect(shop.operation('R-3').state).toBe('applied');
  expect(await shop.points()).toBe(pointsAtFirst + 30);
  await shop.stop();
  return copy;
}

async function startCopy(copy: string): Promise<void> {
  shop.dataDir = copy;
  shop.machine = 'another machine';
  shop.start();
}

describe('a till whose disk was copied onto another machine, with sales waiting', () => {
  it('sends what waits under the references that the original used, and the service has each sale once', async () => {
    const copy = await originalAndCopy();
    await startCopy(copy);
    expect(shop.operation('R-1').state).toBe('unknown');
    await shop.pass(180_000);
    for (const ref of ['R-1', 'R-2', 'R-3']) {
      expect(shop.operation(ref).state).toBe('applied');
      expect(await shop.held(ref)).toHaveLength(1);
    }
    expect(await shop.points()).toBe(pointsAtFirst + 30);
  });

  it('knows a sale again of which the service has noted the time of arrival', async () => {
    shop.meddle = () => Promise.resolve({ kind: 'no_connection' });
    // It is known that there is no line, so that nothing is tried.
    await shop.pass(60_000);
    await shop.saved('R-1');
    const copy = shop.image();
    await shop.pass(6 * 60_000, 5_000);
    const arrivedAt = new Date(shop.clock.now()).toISOString();
    shop.meddle = (call, carry) => carry(call);
    answerInstead(
      shop,
      ({ target }) => target.startsWith('/v1/transactions'),
      (own) => {
        if (own?.kind !== 'response') return expect.fail();
        const body = own.response.body.replace(/"occurred_at":"[^"]*"/, `"occurred_at":"${arrivedAt}"`);
        return { ...own, response: { ...own.response, body } };
      },
    );
    await shop.pass(180_000);
    expect(shop.operation('R-1').state).toBe('applied');
    await shop.pass(10 * 60_000, 5_000);
    await shop.stop();
    await startCopy(copy);
    await shop.pass(180_000);
    expect(shop.operation('R-1').state).toBe('applied');
    expect(await shop.points()).toBe(pointsAtFirst + 10);
  });

  it.each([
    ['also where its clock is behind', { aheadMs: 0, behindMs: 400 * 86_400_000 }],
    ['also where its clock was once ahead', { aheadMs: 30 * 86_400_000, behindMs: 0 }],
  ])('looks up what may have been taken back since, %s', async (_when, { aheadMs, behindMs }) => {
    shop.setTillClock(aheadMs);
    if (aheadMs > 0) await shop.saved('R-0');
    await shop.pass(10_000);
    shop.setTillClock(-aheadMs);
    await shop.saved('R-1');
    await shop.pass(10_000);
    const copy = shop.image();
    const reversal = { origin: 'till', operationId: shop.newId(), reversalRef: null, reason: null } as const;
    await shop.core.reverse(shop.operation('R-1').rowId, { ...reversal, idempotencyKey: null });
    await shop.pass(20_000);
    expect(shop.operation('R-1').state).toBe('reversed');
    await shop.stop();
    shop.setTillClock(-behindMs);
    await startCopy(copy);
    await shop.pass(180_000, 1_000);
    expect(shop.operation('R-1').state).toBe('reversed');
  });

  it('does not undo a sale as one that was never sent', async () => {
    const copy = await originalAndCopy();
    shop.meddle = () => Promise.resolve({ kind: 'no_connection' });
    await startCopy(copy);
    const { operationId } = shop.operation('R-2');
    const outcome = await shop.core.cancel(operationId);
    expect(outcome.kind).not.toBe('cancelled');
    expect(shop.operation('R-2').state).toBe('unknown');
    shop.meddle = (call, carry) => carry(call);
    await shop.pass(180_000);
    expect(await shop.points()).toBe(pointsAtFirst + 30);
  });

  it('tells the audit log once that its references begin anew', async () => {
    const copy = await originalAndCopy();
    shop.audited.length = 0;
    await startCopy(copy);
    expect(shop.audited).toContainEqual({ event: 'epoch_begun', mode: 'sandbox', why: 'machine' });
    await shop.stop();
    shop.audited.length = 0;
    await startCopy(copy);
    expect(shop.audited).not.toContainEqual(expect.objectContaining({ event: 'epoch_begun' }));
  });
});
