import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { operationDetail } from '../../app/till/activity.ts';
import { serveCore } from '../support/bridge-server.ts';
import { Shop } from '../support/core-shop.ts';
import { answer, refusal } from '../support/scripted-service.ts';

// The request of one operation was made unreadable: somebody edited the file.

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
});
afterEach(() => shop.end());

const decider = { person: 'Mona', reason: 'looked at the receipt' };
const earn = { identifier: { loyalty_id: 'LC-1' }, external_ref: 'R-1', amount_minor: 12_500 };
const notSaving = () => shop.core.status().notices.filter(({ code }) => code === 'not_saving');

function garble(reference: string): void {
  const database = new BetterSqlite3(shop.databasePath);
  database.prepare(`UPDATE operations SET body = substr(body, 1, 20) WHERE external_ref = ?`).run(reference);
  database.close();
}

describe('an operation whose request is not JSON any more', () => {
  it('is told to a repeat as a known reference whose request cannot be compared; nothing hinders saving', async () => {
    const bridge = await serveCore(shop.core);
    onTestFinished(() => bridge.close());
    await bridge.call('POST', '/v1/transactions/earn', earn);
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    garble('R-1');
    const answer = await bridge.call('POST', '/v1/transactions/earn', earn);
    expect(answer.status).toBe(409);
    expect(answer.json.error).toMatchObject({
      code: 'DUPLICATE_TRANSACTION',
      retryable: false,
      message:
        'external_ref R-1 is known here, and its request cannot be read any more. This request did nothing; the first one under this reference is success. Its values are the same.',
      details: ['unreadable'],
    });
    expect((await bridge.call('POST', '/v1/transactions/earn', { ...earn, amount_minor: 1 })).json.error).toMatchObject(
      {
        message:
          'external_ref R-1 is known here, and its request cannot be read any more. This request did nothing; the first one under this reference is success. Differing: amount_minor.',
        details: ['unreadable', 'amount_minor'],
      },
    );
    expect(notSaving()).toEqual([]);
    expect(bridge.faults).toEqual([]);
    expect((await bridge.call('POST', '/v1/transactions/earn', { ...earn, external_ref: 'R-2' })).status).toBe(202);
  });

  it('is shown, with the word that its request cannot be read', async () => {
    const operation = await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    expect(operationDetail(shop.core, operation).request).toMatchObject({ is_readable: true });
    garble('R-1');
    expect(operationDetail(shop.core, operation)).toMatchObject({
      operation: { external_ref: 'R-1' },
      request: { body: null, is_readable: false },
    });
  });

  it('is sent again by nobody, neither as it is nor corrected; it can be written off', async () => {
    shop.service.script = ({ externalRef }) => (externalRef === 'R-1' ? refusal(422, 'CARD_NOT_ELIGIBLE') : answer);
    const { operationId } = await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'refused');
    garble('R-1');
    const unreadable = { kind: 'invalid', problems: [{ field: 'request' }] };
    expect(await shop.core.resend(operationId, decider)).toMatchObject(unreadable);
    expect(await shop.core.correct(operationId, { points: 1 }, decider)).toMatchObject(unreadable);
    expect(shop.state('R-1')).toBe('refused');
    expect(await shop.core.writeOff(operationId, decider)).toMatchObject({ kind: 'done' });
    expect(shop.errors).toEqual([]);
  });
});
