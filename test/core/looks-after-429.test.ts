import { afterEach, beforeEach, expect, it } from 'vitest';
import { Shop } from '../support/core-shop.ts';
import { answer, refusal, type SeenRequest } from '../support/scripted-service.ts';

// What nobody waits for is looked up in rounds. A 429 ends the round: the others of it would only be told the same.

const isWatch = ({ call, externalRef }: SeenRequest) =>
  call === 'by_reference' && externalRef?.startsWith('N-') === true;

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
});
afterEach(() => shop.end());

it('after a look-up was answered with 429, the other refused sales whose look is due are not looked up', async () => {
  shop.service.script = (request) =>
    request.call === 'earn' && request.externalRef?.startsWith('N-') === true
      ? refusal(404, 'CUSTOMER_NOT_FOUND')
      : answer;
  await shop.service.stop();
  for (let at = 0; at < 60; at += 1) await shop.saved(at % 2 === 0 ? `N-${at}` : `R-${at}`);
  await shop.service.start();
  await shop.passUntil(() => shop.state('R-59') === 'applied' && shop.state('N-58') === 'refused');
  let limited = 0;
  shop.service.script = (request) => {
    if (limited === 0 && !isWatch(request)) return answer;
    limited += 1;
    return refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '3600' } });
  };
  await shop.passUntil(() => limited > 0);
  await shop.pass(600_000, 5_000);
  // Those that were on their way together.
  expect(limited).toBeLessThanOrEqual(4);
  shop.service.script = () => answer;
  const asked = shop.service.requests.length;
  await shop.pass(3_600_000, 30_000);
  expect(shop.service.requests.slice(asked).filter(isWatch).length).toBeGreaterThanOrEqual(30);
});
