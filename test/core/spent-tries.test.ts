import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Shop } from '../support/core-shop.ts';
import { answer, refusal, type SeenRequest } from '../support/scripted-service.ts';

// A service that answers look-ups with an error of its own: what a single try is spent on, and that each of them ends.

const hourMs = 3_600_000;
const broken = refusal(503, 'INTERNAL');
const isLookUp = ({ call }: SeenRequest) => call !== 'earn';
const connection = () => shop.core.status().connection;

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open({ apiKey: 'loyalty_pk_test_first' });
  await shop.until(() => connection().state === 'online');
});
afterEach(() => shop.end());

/** A sale that the service may have under the first key, and an agent with another one. */
async function loseAnswerAndChangeKey(ref: string): Promise<void> {
  shop.service.script = (request) => (isLookUp(request) ? broken : { kind: 'lose_answer' });
  await shop.saved(ref);
  await shop.until(() => shop.state(ref) === 'unknown');
  await shop.stop();
  shop.service.script = (request) => (isLookUp(request) ? broken : answer);
  shop.start({ apiKey: 'loyalty_pk_test_other' });
}

it('no try is spent on a sale of another key, which could only be looked up: the next sale goes out at once', async () => {
  await loseAnswerAndChangeKey('R-1');
  const asked = () => shop.service.requests.filter(({ externalRef }) => externalRef === 'R-1').length;
  const askedBefore = asked();
  await shop.pass(hourMs, 2_000);
  expect(connection()).toMatchObject({ state: 'offline', cause: 'service' });
  expect(asked()).toBe(askedBefore);
  await shop.saved('R-2');
  await shop.until(() => shop.state('R-2') === 'accepted');
  shop.service.script = () => answer;
  await shop.passUntil(() => shop.state('R-1') === 'applied' && shop.state('R-2') === 'applied');
  expect(shop.service.earnsOf('R-1')).toHaveLength(1);
});

it('a try that ends without a word about the connection is over: what fails beside it later changes nothing', async () => {
  shop.service.script = () => broken;
  await shop.saved('R-1');
  await shop.until(() => shop.state('R-1') === 'unknown');
  await shop.stop();
  const database = new BetterSqlite3(shop.databasePath);
  database.exec("UPDATE operations SET body = replace(body, '12500', '9912500')");
  database.close();
  shop.start();
  // Changed on the disk: the sale that tries is found not to be the one that was saved, and is not sent.
  await shop.until(() => shop.core.status().operations.changed === 1);
  await shop.service.stop();
  const { since } = connection();
  expect(await shop.core.identify({ loyalty_id: 'LC-9' })).toMatchObject({ kind: 'unknown', cause: 'offline' });
  expect(connection()).toMatchObject({ state: 'offline', cause: 'service', since });
});
