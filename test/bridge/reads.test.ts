import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Unknown } from '../../app/client/outcome.ts';
import { type Transaction, transactionSchema } from '../../shared/contract/transaction.ts';
import { operationStates } from '../../shared/machines/operation.ts';
import { type BridgeUnderTest, startBridge } from '../support/bridge-server.ts';
import { doneOutcome, fakeOperation, fakeProfile, offlineOutcome, refusedOutcome } from '../support/fake-records.ts';

let bridge: BridgeUnderTest;
beforeEach(async () => {
  bridge = await startBridge();
});
afterEach(() => bridge.close());

function serviceTransaction(part: Partial<Transaction>): Transaction {
  return {
    transaction_id: 'txn_9',
    intent: 'earn',
    status: 'success',
    external_ref: 'R-1',
    customer_id: 'cus_1',
    card_id: 'card_1',
    amount_minor: 12500,
    currency: 'KWD',
    points: null,
    stamps: null,
    visits: null,
    new_balances: null,
    error: null,
    occurred_at: '2026-11-20T18:13:00.000Z',
    completed_at: '2026-11-20T18:13:01.000Z',
    ...part,
  };
}

describe('a transaction by id', () => {
  const statusByState = {
    queued: 'pending',
    sending: 'pending',
    unknown: 'pending',
    accepted: 'pending',
    applied: 'success',
    refused: 'failed',
    failed: 'failed',
    written_off: 'failed',
    cancelled: 'reversed',
    reversed: 'reversed',
  };

  it.each(operationStates.map((state) => [state, statusByState[state]]))(
    'that is %s reads as %s',
    async (state, status) => {
      const error = { code: 'CARD_NOT_ELIGIBLE', message: 'no', retryable: false, request_id: 'req_s' };
      bridge.core.operations.push(fakeOperation({ state, error: status === 'failed' ? error : null }));
      const reply = await bridge.call('GET', '/v1/transactions/txn_local_1');
      expect(reply.status).toBe(200);
      const transaction = transactionSchema.parse(reply.json);
      expect(transaction.status).toBe(status);
      expect(transaction.error).toEqual(status === 'failed' ? error : null);
      expect(transaction.completed_at === null).toBe(status === 'pending');
      expect(reply.json).not.toHaveProperty('duplicate');
    },
  );

  it('is found by either id, always under the agent’s own, with the service’s in the header', async () => {
    const newBalances = { ...fakeProfile().cards[0]?.balances, points: 132 };
    bridge.core.operations.push(
      fakeOperation({
        state: 'applied',
        serviceTransactionId: 'txn_77',
        completedAtMs: Date.parse('2026-11-20T18:14:00Z'),
        newBalances: {
          points: 132,
          cashback_minor: null,
          stamps: null,
          visits: null,
          rewards_available: 1,
          currency: null,
        },
      }),
    );
    for (const id of ['txn_local_1', 'txn_77']) {
      const reply = await bridge.call('GET', `/v1/transactions/${id}`);
      expect(reply.json).toMatchObject({ transaction_id: 'txn_local_1', status: 'success', new_balances: newBalances });
      expect(reply.json.completed_at).toBe('2026-11-20T18:14:00.000Z');
      expect(reply.headers.get('x-service-transaction-id')).toBe('txn_77');
    }
  });

  it('that failed for no known reason still carries an error', async () => {
    bridge.core.operations.push(fakeOperation({ state: 'written_off' }));
    const reply = await bridge.call('GET', '/v1/transactions/txn_local_1');
    expect(transactionSchema.parse(reply.json).error?.details).toEqual(['written_off']);
  });

  it('that is not ours is the service’s answer', async () => {
    bridge.core.transactionOutcome = doneOutcome(serviceTransaction({}));
    const reply = await bridge.call('GET', '/v1/transactions/txn_9');
    expect(reply.status).toBe(200);
    expect(reply.json.transaction_id).toBe('txn_9');
  });

  it('that nobody knows is 404: by the service’s word, or ours for our own ids, offline too', async () => {
    bridge.core.transactionOutcome = refusedOutcome(404, 'VALIDATION_ERROR', ['transaction_not_found']);
    expect((await bridge.call('GET', '/v1/transactions/txn_9')).status).toBe(404);
    bridge.core.transactionOutcome = offlineOutcome;
    const reply = await bridge.call('GET', '/v1/transactions/txn_local_404');
    expect(reply.status).toBe(404);
    expect(reply.json.error.details).toEqual(['transaction_not_found']);
  });

  it('that is not ours is 504 offline', async () => {
    const reply = await bridge.call('GET', '/v1/transactions/txn_9');
    expect(reply.status).toBe(504);
    expect(reply.json.error).toMatchObject({ code: 'UPSTREAM_TIMEOUT', retryable: true, details: ['not_sent'] });
  });
});

describe('transactions by reference', () => {
  const read = () => bridge.call('GET', '/v1/transactions?external_ref=R-1');

  it('joins ours and the service’s without doubles', async () => {
    bridge.core.operations.push(fakeOperation({ state: 'applied', serviceTransactionId: 'txn_9' }));
    const redeem = serviceTransaction({ transaction_id: 'txn_10', intent: 'redeem' });
    bridge.core.listOutcome = doneOutcome({ data: [serviceTransaction({}), redeem] });
    const reply = await read();
    expect(reply.json.data.map((row: Transaction) => row.transaction_id)).toEqual(['txn_local_1', 'txn_10']);
  });

  it.each(['queued', 'sending', 'unknown'] as const)(
    'knows its own one whose answer never came (%s)',
    async (state) => {
      bridge.core.operations.push(fakeOperation({ state }));
      bridge.core.listOutcome = doneOutcome({ data: [serviceTransaction({})] });
      expect((await read()).json.data).toHaveLength(1);
    },
  );

  it.each(['refused', 'cancelled', 'written_off'] as const)(
    'does not take another till’s for its own %s one',
    async (state) => {
      bridge.core.operations.push(fakeOperation({ state }));
      bridge.core.listOutcome = doneOutcome({ data: [serviceTransaction({})] });
      expect((await read()).json.data).toHaveLength(2);
    },
  );

  it('offline gives ours, and 504 when there are none', async () => {
    expect((await read()).status).toBe(504);
    bridge.core.operations.push(fakeOperation());
    const reply = await read();
    expect(reply.status).toBe(200);
    expect(reply.json.data).toHaveLength(1);
  });

  it('is empty when neither has any', async () => {
    bridge.core.listOutcome = doneOutcome({ data: [] });
    expect(await read()).toMatchObject({ status: 200, json: { data: [] } });
  });

  it.each(['', '?external_ref=', '?external_ref=a&external_ref=b'])('refuses the query "%s"', async (query) => {
    const reply = await bridge.call('GET', `/v1/transactions${query}`);
    expect(reply.status).toBe(400);
    expect(reply.json.error.details[0].field).toBe('external_ref');
  });
});

describe('identify', () => {
  const identify = (body: unknown) => bridge.call('POST', '/v1/customers/identify', body);

  it('gives what the service says', async () => {
    bridge.core.identifyOutcome = doneOutcome(fakeProfile());
    expect(await identify({ loyalty_id: 'LC-1001' })).toMatchObject({ status: 200, json: fakeProfile() });
    bridge.core.identifyOutcome = refusedOutcome(404, 'CUSTOMER_NOT_FOUND');
    const unknown = await identify({ loyalty_id: 'LC-2' });
    expect(unknown).toMatchObject({ status: 404, json: { error: { code: 'CUSTOMER_NOT_FOUND' } } });
  });

  it('offline gives a saved customer with earns alone', async () => {
    bridge.core.kept.set('LC-1001', fakeProfile());
    const reply = await identify({ loyalty_id: 'LC-1001' });
    expect(reply.status).toBe(200);
    expect(reply.json.cards[0].allowed_operations).toEqual(['earn_amount', 'earn_points']);
    expect(reply.json.balances_as_of).toBe('2026-11-20T18:00:00.000Z');
  });

  it('offline gives the balances that this till has heard of since', async () => {
    const kept = fakeProfile();
    const [card] = kept.cards;
    if (card === undefined) throw new Error('The profile has no card');
    const asOfMs = Date.parse(kept.balances_as_of);
    bridge.core.kept.set('LC-1001', kept);
    bridge.core.operations.push(
      fakeOperation({
        intent: 'redeem',
        state: 'applied',
        serviceCardId: card.card_id,
        newBalances: { ...card.balances, points: 100 },
        completedAtMs: asOfMs + 60_000,
        updatedAtMs: asOfMs + 60_000,
      }),
    );
    const reply = await identify({ loyalty_id: 'LC-1001' });
    expect(reply.json.cards[0].balances.points).toBe(100);
    expect(reply.json.cards[0].allowed_operations).toEqual(['earn_amount', 'earn_points']);
  });

  it('offline is 504 for a stranger, never 404', async () => {
    const reply = await identify({ loyalty_id: 'LC-9' });
    expect(reply.status).toBe(504);
    expect(reply.json.error).toMatchObject({ code: 'UPSTREAM_TIMEOUT', retryable: true, details: ['not_sent'] });
  });

  const unknown = (cause: Unknown['cause'], part: Partial<Unknown> = {}): Unknown => ({
    ...offlineOutcome,
    cause,
    ...part,
  });

  it.each([
    [unknown('offline'), 504, 'UPSTREAM_TIMEOUT', ['not_sent']],
    [unknown('tls'), 504, 'UPSTREAM_TIMEOUT', ['not_sent']],
    [unknown('timeout', { recorded: 'maybe' }), 504, 'UPSTREAM_TIMEOUT', ['no_answer']],
    [unknown('not_the_service', { recorded: 'maybe' }), 504, 'UPSTREAM_TIMEOUT', ['no_answer']],
    [unknown('service', { recorded: 'maybe' }), 504, 'UPSTREAM_TIMEOUT', ['no_answer']],
    [unknown('unauthenticated'), 504, 'UPSTREAM_TIMEOUT', ['not_sent']],
    [unknown('throttled'), 429, 'RATE_LIMITED', undefined],
    [unknown('suspended'), 403, 'TENANT_SUSPENDED', undefined],
  ])('%o is told as %i %s', async (outcome, status, code, details) => {
    bridge.core.identifyOutcome = outcome;
    const reply = await identify({ loyalty_id: 'LC-9' });
    expect(reply.status).toBe(status);
    expect(reply.json.error.code).toBe(code);
    expect(reply.json.error.details).toEqual(details);
  });

  it('passes on how long a throttled caller is to wait', async () => {
    bridge.core.identifyOutcome = unknown('throttled', { retryAfterMs: 2500 });
    expect((await identify({ loyalty_id: 'LC-9' })).headers.get('retry-after')).toBe('3');
  });
});

describe('history', () => {
  it('passes through, and is 504 offline', async () => {
    expect((await bridge.call('GET', '/v1/customers/cus_1/transactions')).status).toBe(504);
    bridge.core.historyOutcome = doneOutcome({ data: [serviceTransaction({})], next_cursor: 'next' });
    const reply = await bridge.call('GET', '/v1/customers/cus_1/transactions?limit=1');
    expect(reply.json).toMatchObject({ next_cursor: 'next' });
  });

  it.each(['0', '101', '1.5', 'ten'])('refuses limit=%s', async (limit) => {
    const reply = await bridge.call('GET', `/v1/customers/cus_1/transactions?limit=${limit}`);
    expect(reply.status).toBe(400);
    expect(reply.json.error.details[0].field).toBe('limit');
  });
});
