import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toInstant } from '../../shared/lib/clock.ts';
import { Shop } from '../support/core-shop.ts';
import { type Act, answer, refusal, type SeenRequest } from '../support/scripted-service.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
  await shop.until(() => shop.core.status().connection.state === 'online');
});
afterEach(() => shop.end());

const identifier = { loyalty_id: 'LC-1' };
/** Whose sale the books show. */
let heldBy: string;
beforeEach(() => {
  heldBy = 'cus_somebody';
});

/** An earn as the service's books show it. */
function heldEarn(part: { readonly amount_minor: number }): Act {
  const now = toInstant(shop.clock.now());
  const held = {
    transaction_id: 'txn_of_somebody',
    intent: 'earn',
    status: 'success',
    external_ref: '0001',
    customer_id: heldBy,
    card_id: 'card_somebody',
    currency: 'KWD',
    points: null,
    stamps: null,
    visits: null,
    new_balances: null,
    error: null,
    occurred_at: now,
    completed_at: now,
    ...part,
  };
  return { kind: 'say', status: 200, body: JSON.stringify({ data: [held] }) };
}

describe('a reference under which the service holds another till’s sale', () => {
  const replay = (body: object): Act => ({ kind: 'say', status: 200, body: JSON.stringify(body) });
  const script =
    (earn: Act) =>
    ({ call, externalRef }: SeenRequest): Act => {
      if (call === 'earn') return earn;
      return call === 'by_reference' && externalRef === '0001' ? heldEarn({ amount_minor: 5_000 }) : answer;
    };

  it.each([
    ['a bare replay', { transaction_id: 'txn_of_somebody', status: 'success', duplicate: true }],
    ['a whole one', { transaction_id: 'txn_of_somebody', status: 'success', duplicate: true, amount_minor: 5_000 }],
  ])('is never shown as applied: %s', async (_, body) => {
    shop.service.script = script(replay(body));
    await shop.saved('0001', { identifier, amount_minor: 80_000 });
    await shop.until(() => shop.state('0001') === 'refused');
    expect(shop.operation('0001').error).toMatchObject({ code: 'DUPLICATE_TRANSACTION', details: ['amount_minor'] });
  });

  it('is another customer’s, though the values are the same', async () => {
    shop.service.script = script(replay({ transaction_id: 'txn_of_somebody', status: 'success', duplicate: true }));
    await shop.saved('0001', { identifier, amount_minor: 5_000 });
    await shop.until(() => shop.state('0001') === 'refused');
    expect(shop.operation('0001').error).toMatchObject({ code: 'DUPLICATE_TRANSACTION', details: ['identifier'] });
  });

  it('cannot be taken back while the books cannot be read', async () => {
    shop.service.script = ({ call }) =>
      call === 'earn'
        ? { kind: 'say', status: 202, body: '{"transaction_id":"txn_1","status":"pending","duplicate":true}' }
        : refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '60' } });
    const { operationId } = await shop.saved('R-1');
    await shop.until(() => shop.state('R-1') === 'unknown');
    expect(await shop.core.cancel(operationId)).toMatchObject({ kind: 'too_late' });
    shop.service.script = () => answer;
    await shop.passUntil(() => shop.state('R-1') === 'applied');
  });

  it('is our own when customer and values are ours: an earlier record of this sale', async () => {
    heldBy = 'cus_1';
    shop.service.script = script(replay({ transaction_id: 'txn_of_somebody', status: 'success', duplicate: true }));
    await shop.saved('0001', { identifier, amount_minor: 5_000 });
    await shop.until(() => shop.state('0001') === 'applied');
  });
});

describe('a list that shows another source’s sale before the till’s own', () => {
  const lists = ({ call, externalRef }: SeenRequest): Act | null => {
    const own = shop.service.recorded.get('0001');
    if (call !== 'by_reference' || externalRef !== '0001' || own === undefined) return null;
    const ours = { ...own, status: 'success' };
    const theirs = { ...ours, transaction_id: 'txn_of_somebody', customer_id: 'cus_somebody', amount_minor: 9_000 };
    return { kind: 'say', status: 200, body: JSON.stringify({ data: [theirs, ours] }) };
  };

  it('shows the sale whose answer was lost as completed', async () => {
    const replay = JSON.stringify({ transaction_id: 'txn_000001', status: 'success', duplicate: true });
    shop.service.script = (seen) => {
      if (seen.call !== 'earn') return lists(seen) ?? answer;
      return seen.attempt === 1 ? { kind: 'lose_answer' } : { kind: 'say', status: 200, body: replay };
    };
    await shop.saved('0001', { identifier, amount_minor: 5_000 });
    await shop.passUntil(() => ['applied', 'refused'].includes(shop.state('0001')));
    expect(shop.operation('0001')).toMatchObject({ state: 'applied', serviceTransactionId: 'txn_000001' });
    expect(shop.service.recorded.size).toBe(1);
  });

  it('does not let a sale that was refused for its number go out under another one', async () => {
    shop.service.script = (seen) => {
      if (seen.call !== 'earn') return answer;
      return seen.attempt === 1 ? { kind: 'lose_request' } : refusal(409, 'DUPLICATE_TRANSACTION');
    };
    const { operationId } = await shop.saved('0001', { identifier, amount_minor: 5_000 });
    await shop.passUntil(() => shop.state('0001') === 'refused');
    // It arrived all the same.
    const [sent] = shop.service.earnsOf('0001');
    shop.service.script = () => answer;
    await fetch(`${shop.service.baseUrl}/transactions/earn`, { method: 'POST', body: sent?.body ?? '' });
    shop.service.script = (seen) => lists(seen) ?? answer;
    const decider = { person: 'Huda', reason: 'another number' };
    const replaced = await shop.core.replace(operationId, decider, '88');
    expect(replaced).toMatchObject({ kind: 'not_now', operation: { state: 'applied' } });
  });
});

describe('a refusal of a sale that may be recorded already', () => {
  it.each([
    ['a rule', refusal(422, 'VALIDATION_ERROR', { details: ['occurred_at_outside_window'] })],
    ['the record itself', refusal(409, 'DUPLICATE_TRANSACTION')],
  ])('by %s is believed only when the books do not show the sale', async (_, said) => {
    shop.service.script = ({ call, attempt }) => {
      if (call !== 'earn') return answer;
      return attempt === 1 ? { kind: 'lose_answer' } : said;
    };
    await shop.saved('R-1');
    await shop.passUntil(() => ['applied', 'refused'].includes(shop.state('R-1')));
    expect(shop.state('R-1')).toBe('applied');

    shop.service.script = ({ call, attempt }) => {
      if (call !== 'earn') return answer;
      return attempt === 1 ? { kind: 'lose_request' } : said;
    };
    await shop.saved('R-2');
    await shop.passUntil(() => ['applied', 'refused'].includes(shop.state('R-2')));
    expect(shop.state('R-2')).toBe('refused');
    expect([...shop.service.recorded.keys()]).toEqual(['R-1']);
  });
});

describe('a service that takes sales and then does not know them', () => {
  it('is asked ever more rarely', async () => {
    shop.service.script = ({ call }) => (call === 'transaction' ? refusal(404, 'VALIDATION_ERROR') : answer);
    await shop.saved('R-1');
    await shop.pass(600_000, 1_000);
    expect(shop.service.requests.filter(({ call }) => call === 'earn').length).toBeLessThan(15);
    shop.service.script = () => answer;
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    expect(shop.service.recorded.size).toBe(1);
  });
});

describe('a Retry-After of a thousand years', () => {
  it('keeps the line closed for an hour', async () => {
    shop.service.script = ({ call }) =>
      call === 'earn' ? refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '99999999999' } }) : answer;
    await shop.saved('R-1');
    await shop.until(() => shop.core.status().connection.cause === 'throttled');
    shop.service.script = () => answer;
    await shop.passUntil(() => shop.state('R-1') === 'applied', { limitMs: 3_700_000 });
  });
});

describe('a database that is put back in its own place', () => {
  it('gives out no sequence a second time', async () => {
    const made = async (amountMinor: number) => {
      const outcome = await shop.core.saveEarn(shop.newEarn({ request: { identifier, amount_minor: amountMinor } }));
      return outcome.kind === 'saved' ? outcome.operation.externalRef : outcome.kind;
    };
    await shop.stop();
    const backup = join(shop.dataDir, 'backup');
    copyFileSync(shop.databasePath, backup);
    shop.start();
    const lost = await made(7_000);
    await shop.stop();
    for (const part of ['-wal', '-shm']) rmSync(shop.databasePath + part, { force: true });
    copyFileSync(backup, shop.databasePath);
    shop.start({ seed: 2 });
    expect(await made(9_000)).not.toBe(lost);
  });
});

describe('a database that is deleted under the agent', () => {
  it.each([
    ['whole', ''],
    ['by its log', '-wal'],
  ])('is saved anew with all that was in it, and sales go on: %s', async (_, part) => {
    await shop.service.stop();
    await shop.saved('R-1');
    rmSync(shop.databasePath + part);
    await shop.saved('R-2');
    await shop.stop();
    shop.start({ seed: 2 });
    expect([shop.operation('R-1').state, shop.operation('R-2').state]).toEqual(['queued', 'queued']);
  });
});

describe('a limit that was lowered', () => {
  it('does not unsay a sale that was taken before', async () => {
    await shop.saved('R-1', { identifier, amount_minor: 50_000 });
    await shop.stop();
    shop.start({ settings: { limits: { max_amount_minor: 1_000 } } });
    expect(await shop.saveEarn('R-1', { identifier, amount_minor: 50_000 })).toMatchObject({
      kind: 'saved',
      duplicate: true,
    });
    expect(await shop.saveEarn('R-2', { identifier, amount_minor: 50_000 })).toMatchObject({ kind: 'above_limit' });
  });
});

it('a sale that the service takes under an id of 600 characters is completed, and sent once', async () => {
  const id = `txn_${'x'.repeat(600)}`;
  shop.service.script = ({ call, url }) => {
    if (call === 'earn') {
      const body = JSON.stringify({ transaction_id: id, status: 'pending', duplicate: false });
      return { kind: 'say', status: 202, body, does: true };
    }
    const held = shop.service.recorded.get('R-1');
    if (call !== 'transaction' || !url.endsWith(id) || held === undefined) return answer;
    return { kind: 'say', status: 200, body: JSON.stringify({ ...held, transaction_id: id, status: 'success' }) };
  };
  await shop.saved('R-1');
  await shop.passUntil(() => shop.state('R-1') === 'applied', { limitMs: 60_000 });
  expect(shop.service.earnsOf('R-1')).toHaveLength(1);
});

describe('an answer that would hurt whoever repeats it', () => {
  it.each([['t中'], ['two\nlines'], ['x'.repeat(9_000)]])('with the id %j is not the service’s', async (id) => {
    shop.service.script = ({ call }) =>
      call === 'earn'
        ? {
            kind: 'say',
            status: 202,
            body: JSON.stringify({ transaction_id: id, status: 'pending', duplicate: false }),
          }
        : answer;
    await shop.saved('R-1');
    await shop.until(() => shop.operation('R-1').cause === 'not_the_service');
    expect(shop.operation('R-1').serviceTransactionId).toBeNull();
  });

  // SQLite reads JSON of a thousand levels, JSON.stringify writes some thousands, JSON.parse reads any number.
  it.each([900, 3_000, 20_000])('with details nested %i levels deep is kept without them', async (levels) => {
    const details = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    shop.service.script = ({ call }) =>
      call === 'earn'
        ? {
            kind: 'say',
            status: 422,
            body: `{"error":{"code":"CARD_NOT_ELIGIBLE","message":"m","retryable":false,"request_id":"r","details":${details}}}`,
          }
        : answer;
    await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') !== 'sending', { limitMs: 60_000 });
    expect(shop.state('R-1')).toBe('refused');
    expect(JSON.stringify(shop.operation('R-1').error).length).toBeLessThan(300);
  });
});
