import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Shop } from '../support/core-shop.ts';
import { answer, refusal } from '../support/scripted-service.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
  await shop.until(() => shop.core.status().connection.state === 'online');
});
afterEach(() => shop.end());

const looks = () => shop.service.requests.filter(({ call }) => call === 'by_reference').length;

describe('a machine that wakes', () => {
  it('looks at once at a connection that was down, and sends what waits', async () => {
    shop.service.script = () => ({ kind: 'lose_request' });
    await shop.saved('R-1');
    // Long enough for the pauses between two looks to grow.
    await shop.pass(600_000, 5_000);
    expect(shop.core.status().connection.state).toBe('offline');
    shop.service.script = () => answer;
    const before = looks();
    shop.core.wake();
    await shop.until(() => looks() > before);
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    expect(shop.service.recorded.size).toBe(1);
  });

  it('looks at a connection that seemed good before anything more is sent', async () => {
    shop.service.script = () => ({ kind: 'lose_request' });
    const [lookedBefore, sentBefore] = [looks(), shop.service.earns.length];
    shop.core.wake();
    await shop.saved('R-1');
    await shop.until(() => shop.core.status().connection.state === 'offline');
    expect(looks()).toBeGreaterThan(lookedBefore);
    expect(shop.service.earns).toHaveLength(sentBefore);
    expect(shop.operation('R-1')).toMatchObject({ state: 'queued', maybeSent: false });
  });

  it('waits on when the service has asked to wait', async () => {
    shop.service.script = () => refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '300' } });
    await shop.saved('R-1');
    await shop.until(() => shop.core.status().connection.cause === 'throttled');
    shop.service.script = () => answer;
    const before = looks();
    shop.core.wake();
    await shop.pass(1_000, 100);
    expect(looks()).toBe(before);
  });
});
