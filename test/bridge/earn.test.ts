import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorBodySchema } from '../../shared/contract/errors.ts';
import { transactionAcceptedSchema, transactionSchema } from '../../shared/contract/transaction.ts';
import { type BridgeUnderTest, startBridge } from '../support/bridge-server.ts';
import { fakeOperation, noOperations } from '../support/fake-records.ts';

let bridge: BridgeUnderTest;
beforeEach(async () => {
  bridge = await startBridge();
});
afterEach(() => bridge.close());

const earn = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', amount_minor: 12500 };
const postEarn = (body: unknown, headers?: Record<string, string>) =>
  bridge.call('POST', '/v1/transactions/earn', body, headers);

describe('an earn', () => {
  it('is answered 202 with the agent’s own id as soon as it is saved', async () => {
    const reply = await postEarn(earn);
    expect(reply.status).toBe(202);
    expect(transactionAcceptedSchema.parse(reply.json)).toEqual({
      transaction_id: 'txn_local_1',
      status: 'pending',
      duplicate: false,
    });
    expect(reply.headers.get('x-service-transaction-id')).toBeNull();
  });

  it('is handed over as it came, with its Idempotency-Key', async () => {
    const full = {
      ...earn,
      card_id: 'card_1',
      currency: 'USD',
      branch_ref: 'b',
      employee_ref: 'e',
      device_ref: 'd',
      occurred_at: '2026-11-20T18:00:00+03:00',
      metadata: { basket: [1, 2] },
    };
    await postEarn({ ...full, unknown_field: 1 }, { 'idempotency-key': 'key-1' });
    expect(bridge.core.saved).toEqual([
      {
        origin: 'bridge',
        posName: 'main',
        operationId: expect.stringMatching(/^0{8}-/),
        request: full,
        customerName: null,
        receiptNumber: null,
        idempotencyKey: 'key-1',
        isAnothers: expect.any(Function),
      },
    ]);
  });

  it('may write t and z of its time in either case: it is kept in upper case', async () => {
    await postEarn({ ...earn, occurred_at: '2026-11-20t18:00:00z' });
    expect(bridge.core.saved).toMatchObject([{ request: { occurred_at: '2026-11-20T18:00:00Z' } }]);
  });

  it('of the same reference again gets the first answer, with duplicate true', async () => {
    await postEarn(earn);
    const again = await postEarn(earn);
    expect(again.status).toBe(202);
    expect(again.json).toEqual({ transaction_id: 'txn_local_1', status: 'pending', duplicate: true });
  });

  it.each([
    ['applied', 'success'],
    ['refused', 'failed'],
    ['failed', 'failed'],
    ['cancelled', 'reversed'],
    ['reversed', 'reversed'],
  ] as const)(
    'that is %s meanwhile is replayed as 200 with status %s and the whole transaction',
    async (state, status) => {
      await postEarn(earn);
      bridge.core.change(1, { state, serviceTransactionId: 'txn_77' });
      const again = await postEarn(earn);
      expect(again.status).toBe(200);
      expect(again.json).toMatchObject({ transaction_id: 'txn_local_1', status, duplicate: true });
      expect(transactionSchema.parse(again.json).external_ref).toBe('R-1');
      expect(again.headers.get('x-service-transaction-id')).toBe('txn_77');
    },
  );

  it('of the same reference with other values is 409 and names what differs', async () => {
    await postEarn(earn);
    const other = await postEarn({ ...earn, amount_minor: 1 });
    expect(other.status).toBe(409);
    expect(other.json.error).toMatchObject({
      code: 'DUPLICATE_TRANSACTION',
      retryable: false,
      details: ['amount_minor'],
    });
  });

  it.each([
    [{ kind: 'not_saved', message: 'disk full' }, 500, 'INTERNAL', true, ['not_saved']],
    [{ kind: 'queue_full', maxQueue: 5 }, 500, 'INTERNAL', true, ['queue_full']],
  ] as const)('that is %o fails loudly', async (outcome, status, code, retryable, details) => {
    bridge.core.saveOutcome = outcome;
    const reply = await postEarn(earn);
    expect(reply.status).toBe(status);
    expect(errorBodySchema.parse(reply.json).error).toMatchObject({ code, retryable, details });
  });

  it('above the limit is 422 naming the field and the limit', async () => {
    bridge.core.saveOutcome = {
      kind: 'above_limit',
      limit: { name: 'max_amount_minor', value: 5000, field: 'amount_minor' },
    };
    const reply = await postEarn(earn);
    expect(reply.status).toBe(422);
    expect(reply.json.error.code).toBe('VALIDATION_ERROR');
    expect(reply.json.error.details).toEqual([
      { field: 'amount_minor', problem: 'above_limit', limit: 'max_amount_minor', value: 5000 },
    ]);
  });

  it.each([
    ['no identifier', { external_ref: 'R', amount_minor: 1 }, 'identifier'],
    ['two identifiers', { ...earn, identifier: { phone: '99887766', email: 'a@b.co' } }, 'identifier'],
    ['an unknown identifier', { ...earn, identifier: { passport: '1' } }, 'identifier.passport'],
    ['no reference', { ...earn, external_ref: undefined }, 'external_ref'],
    ['an empty reference', { ...earn, external_ref: '' }, 'external_ref'],
    ['a decimal amount', { ...earn, amount_minor: 12.5 }, 'amount_minor'],
    ['a zero amount', { ...earn, amount_minor: 0 }, 'amount_minor'],
    ['an amount as text', { ...earn, amount_minor: '12500' }, 'amount_minor'],
    ['a lower-case currency', { ...earn, currency: 'kwd' }, 'currency'],
    ['a date without offset', { ...earn, occurred_at: '2026-11-20T18:00:00' }, 'occurred_at'],
  ])('with %s is 400 and names the field', async (_, body, field) => {
    const reply = await postEarn(body);
    expect(reply.status).toBe(400);
    expect(reply.json.error.code).toBe('VALIDATION_ERROR');
    expect(reply.json.error.details.map((detail: { field: string }) => detail.field)).toContain(field);
    expect(reply.json.error.message).toContain(field);
    expect(bridge.core.saved).toEqual([]);
  });

  it('with no value is 400', async () => {
    const reply = await postEarn({ identifier: { loyalty_id: 'L' }, external_ref: 'R' });
    expect(reply.status).toBe(400);
    expect(reply.json.error.message).toContain('amount_minor');
  });

  it('with an Idempotency-Key over 128 characters is 400', async () => {
    const reply = await postEarn(earn, { 'idempotency-key': 'k'.repeat(129) });
    expect(reply.status).toBe(400);
    expect(reply.json.error.details[0].field).toBe('Idempotency-Key');
  });
});

describe('the status', () => {
  it('has the shape of the design', async () => {
    bridge.core.operations.push(fakeOperation());
    const reply = await bridge.call('GET', '/v1/agent/status');
    expect(reply.json).toEqual({
      mode: 'sandbox',
      connection: { state: 'online', cause: null, since: '2026-11-20T18:00:00.000Z' },
      operations: { ...noOperations, queued: 1 },
      oldest_waiting_at: '2026-11-20T18:13:00.000Z',
      window: { hours: 72, seconds_left: 259000, ends_at: '2026-11-23T18:09:40.000Z' },
      clock_skew_ms: 12,
      versions: { tillbridge: '0.0.0-test' },
      device_id: 'dev_1',
      service: { base_url: 'http://sandbox.local/v1', last_answer_at: '2026-11-20T18:13:00.000Z' },
      notices: [],
    });
  });
});
