import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Shop } from '../support/core-shop.ts';
import { answer, refusal } from '../support/scripted-service.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
});
afterEach(() => shop.end());

const mona = { kind: 'loyalty_id', value: 'LC-9' } as const;
const refuses =
  (reference: string): typeof shop.service.script =>
  ({ externalRef }) =>
    externalRef === reference ? refusal(422, 'CARD_NOT_ELIGIBLE') : answer;
const byStoreIt = { by: 'store IT (ahmad)', elsewhere: 0 };

describe('one customer who is shown or erased', () => {
  it('is found although the request of another operation cannot be read; that one is named', async () => {
    shop.service.script = refuses('R-2');
    await shop.saved('R-1', { identifier: { loyalty_id: 'LC-9' } });
    await shop.saved('R-2');
    await shop.passUntil(() => shop.state('R-1') === 'applied' && shop.state('R-2') === 'refused');
    const database = new BetterSqlite3(shop.databasePath);
    database.exec(`UPDATE operations SET body = substr(body, 1, 20) WHERE external_ref = 'R-2'`);
    database.close();
    const shown = await shop.core.persons.show(mona);
    expect(shown).toMatchObject({ operations: [{ externalRef: 'R-1' }], unreadable: ['R-2'] });
    const erased = await shop.core.persons.erase(mona, byStoreIt);
    expect(erased).toMatchObject({ operations: [{ externalRef: 'R-1' }], stays: [], unreadable: ['R-2'] });
    expect(shop.operation('R-1').identifier).toBeNull();
    expect(shop.operation('R-2').identifier).not.toBeNull();
  });

  it('leaves the word that it was on request, not the retention time', async () => {
    shop.service.script = refuses('R-1');
    const { operationId } = await shop.saved('R-1', { identifier: { loyalty_id: 'LC-9' } });
    await shop.passUntil(() => shop.state('R-1') === 'refused');
    await shop.core.writeOff(operationId, { person: 'Mona', reason: 'told' });
    // It is looked up for a day.
    const database = new BetterSqlite3(shop.databasePath);
    database.exec('DELETE FROM watches');
    database.close();
    await shop.core.persons.erase(mona, byStoreIt);
    expect(shop.operation('R-1')).toMatchObject({
      state: 'written_off',
      identifier: null,
      error: { message: 'The customer was erased on request.' },
    });
  });
});
