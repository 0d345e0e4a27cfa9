import { describe, expect, it } from 'vitest';
import { keyFingerprint } from '../../app/client/key-fingerprint.ts';
import { type RawAnswer, readAnswer } from '../../app/client/read-answer.ts';
import type { EndpointName } from '../../shared/contract/endpoints.ts';
import { errorFacts } from '../../shared/contract/errors.ts';

const nowMs = Date.parse('2026-11-20T18:13:00.000Z');

function answered(httpStatus: number, body: unknown, headers: RawAnswer['headers'] = {}, name: EndpointName = 'earn') {
  return readAnswer(name, { httpStatus, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }, nowMs);
}
function refused(httpStatus: number, code: string, more: object = {}, headers: RawAnswer['headers'] = {}) {
  return answered(
    httpStatus,
    { error: { code, message: 'why', retryable: false, request_id: 'req_1', ...more } },
    headers,
  );
}

describe('an answer nested beyond measure', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const error = (details: string) =>
    `{"error":{"code":"CARD_NOT_ELIGIBLE","message":"m","retryable":false,"request_id":"r","details":${details}}}`;

  it.each([65, 1_000, 100_000])('of %i levels is believed, and cut to what can be kept and told', (levels) => {
    const outcome = answered(422, error(nested(levels)));
    expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'CARD_NOT_ELIGIBLE', message: 'm' } });
    expect(JSON.stringify(outcome).length).toBeLessThan(1_000);
  });

  it('is left as it is as far as anybody would nest', () => {
    const outcome = answered(422, error('[{"a":[[[{"b":[null,1,"x"]}]]]}]'));
    expect(outcome).toMatchObject({ error: { details: [{ a: [[[{ b: [null, 1, 'x'] }]]] }] } });
  });
});

describe('a good answer', () => {
  it('to an earn is taken with 202 pending', () => {
    expect(answered(202, { transaction_id: 'txn_1', status: 'pending', duplicate: false })).toMatchObject({
      kind: 'done',
      answer: { transaction_id: 'txn_1', status: 'pending', duplicate: false },
    });
  });

  it.each([
    [200, { transaction_id: 'txn_1', status: 'success', duplicate: true }],
    [200, { transaction_id: 'txn_1', status: 'pending', duplicate: true }],
    [202, { transaction_id: 'txn_1', status: 'processing', duplicate: true }],
    [
      200,
      {
        transaction_id: 'txn_1',
        status: 'failed',
        duplicate: true,
        error: { code: 'CARD_NOT_ELIGIBLE', message: '', retryable: false, request_id: 'r' },
      },
    ],
    [200, { transaction_id: 'txn_1', status: 'reversed', duplicate: true }],
  ])('to a replayed earn is taken with %i %o', (status, body) => {
    expect(answered(status, body)).toMatchObject({ kind: 'done', answer: body });
  });

  it('may hold fields that we do not know', () => {
    const outcome = answered(202, {
      transaction_id: 'txn_1',
      status: 'pending',
      duplicate: false,
      colour: { deep: [1] },
    });
    expect(outcome).toMatchObject({ kind: 'done' });
    expect(
      answered(422, {
        error: { code: 'CARD_NOT_ELIGIBLE', message: '', retryable: false, request_id: 'r', hint: 1 },
        trace: 2,
      }),
    ).toMatchObject({ kind: 'refused' });
  });

  it('brings the service’s date and request id, when it has them', () => {
    const body = { transaction_id: 'txn_1', status: 'pending', duplicate: false };
    const headers = { date: 'Fri, 20 Nov 2026 18:12:30 GMT', 'x-request-id': 'req_9' };
    expect(answered(202, body, headers)).toMatchObject({
      facts: { httpStatus: 202, requestId: 'req_9', serviceDateMs: nowMs - 30_000 },
    });
    expect(answered(202, body, { date: 'soon' })).toMatchObject({ facts: { requestId: null, serviceDateMs: null } });
  });

  const now = new Date(nowMs).toUTCString();
  const yesterday = new Date(nowMs - 86_400_000).toUTCString();
  it.each<[string, RawAnswer['headers'], number | null]>([
    ['two dates that differ', { date: [yesterday, now] }, null],
    ['the same date twice', { date: [now, now] }, nowMs],
    ['the date of a kept one', { date: yesterday, age: '86400' }, null],
    ['the date of one that two have kept', { date: yesterday, age: '86400, 86400' }, null],
    ['the date of one that the second has kept', { date: yesterday, age: ['0', '86400'] }, null],
    ['an age that is none', { date: now, age: '0' }, nowMs],
    ['an age that is no number', { date: now, age: 'new' }, nowMs],
  ])('with %s tells the right time or none', (_, headers, serviceDateMs) => {
    const body = { transaction_id: 'txn_1', status: 'pending', duplicate: false };
    expect(answered(202, body, headers)).toMatchObject({ kind: 'done', facts: { serviceDateMs } });
  });

  it.each(['7200', '9'.repeat(25), '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'that asks to wait for %s is waited for an hour: a POS program hears no nonsense',
    (retryAfter) => {
      const body = { error: { code: 'RATE_LIMITED', message: '', retryable: true, request_id: 'req_1' } };
      expect(answered(429, body, { 'retry-after': retryAfter })).toMatchObject({ retryAfterMs: 3_600_000 });
    },
  );

  it('that asks to wait until a date is understood by the clock of whoever wrote it, though its date is not believed', () => {
    const serviceMs = nowMs + 3_600_000;
    const [date, later, until] = [0, 1_000, 30_000].map((ms) => new Date(serviceMs + ms).toUTCString());
    const body = { error: { code: 'RATE_LIMITED', message: '', retryable: true, request_id: 'req_1' } };
    const waits = (headers: RawAnswer['headers'], retryAfterMs: number) =>
      expect(answered(429, body, { ...headers, 'retry-after': until ?? '' })).toMatchObject({ retryAfterMs });
    waits({ date: [date ?? '', later ?? ''] }, 30_000);
    // By now that clock is five seconds further.
    waits({ date: date ?? '', age: '5' }, 25_000);
    waits({ date: date ?? '', age: '3600' }, 0);
  });

  it('to identify fills in what a card entry leaves out, and keeps operations that we do not know', () => {
    const profile = {
      customer_id: 'cus_1',
      name: null,
      phone: null,
      email: null,
      verified: false,
      balances_as_of: '2026-11-20T21:13:00+03:00',
    };
    const outcome = answered(
      200,
      { ...profile, cards: [{ card_id: 'card_1', balances: { points: 4 }, allowed_operations: ['earn_stars'] }] },
      {},
      'identify',
    );
    expect(outcome).toMatchObject({
      kind: 'done',
      answer: {
        cards: [
          {
            card_id: 'card_1',
            template_name: '',
            available_rewards: [],
            allowed_operations: ['earn_stars'],
            balances: {
              points: 4,
              cashback_minor: null,
              stamps: null,
              visits: null,
              rewards_available: null,
              currency: null,
            },
          },
        ],
      },
    });
    expect(answered(200, { ...profile, cards: [{ card_id: 'card_1' }] }, {}, 'identify')).toMatchObject({
      kind: 'done',
    });
    expect(answered(200, { ...profile, cards: [{}] }, {}, 'identify')).toMatchObject({
      kind: 'unknown',
      cause: 'not_the_service',
    });
    expect(answered(200, { ...profile }, {}, 'identify')).toMatchObject({ kind: 'unknown', cause: 'not_the_service' });
  });
});

describe('new balances, whose inner shape the specification leaves open', () => {
  const transaction = {
    transaction_id: 'txn_1',
    intent: 'redeem',
    status: 'success',
    external_ref: 'R-1',
    customer_id: 'cus_1',
    card_id: 'card_1',
    amount_minor: null,
    currency: null,
    points: 40,
    stamps: null,
    visits: null,
    error: null,
    occurred_at: '2026-11-20T18:13:00Z',
    completed_at: '2026-11-20T18:13:00Z',
  };

  it.each<object | null>([
    { points: { before: 245.5, after: 205.5 } },
    { points: '205.5', rewards_available: [] },
    { balance: 205.5 },
    {},
    null,
  ])('of %j are taken as they are', (new_balances) => {
    for (const name of ['redeem', 'transaction'] as const) {
      const outcome = answered(200, { ...transaction, new_balances }, {}, name);
      expect(outcome).toMatchObject({ kind: 'done' });
      expect(outcome.kind === 'done' && 'new_balances' in outcome.answer && outcome.answer.new_balances).toEqual(
        new_balances,
      );
    }
  });

  it.each([205.5, '205.5', [205.5]])('of %j are not the service’s: they are an object or null', (new_balances) => {
    expect(answered(200, { ...transaction, new_balances }, {}, 'redeem')).toMatchObject({ cause: 'not_the_service' });
  });
});

describe('a refusal', () => {
  it.each(
    Object.entries(errorFacts).filter(
      ([code]) =>
        !['UNAUTHENTICATED', 'TENANT_SUSPENDED', 'RATE_LIMITED', 'UPSTREAM_TIMEOUT', 'INTERNAL'].includes(code),
    ),
  )('%s is one', (code, { status }) => {
    expect(refused(status, code, { details: ['why'] })).toMatchObject({
      kind: 'refused',
      error: { code, details: ['why'], request_id: 'req_1' },
      facts: { httpStatus: status },
    });
  });

  it.each([null, 'why', {}])('with %j for its details is one, and says none', (details) => {
    const outcome = refused(422, 'CARD_NOT_ELIGIBLE', { details });
    expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'CARD_NOT_ELIGIBLE', details: undefined } });
  });

  it.each([
    [422, 'OTP_INVALID'],
    [422, 'INSUFFICIENT_BALANCE'],
    [404, 'CUSTOMER_NOT_FOUND'],
    [409, 'DUPLICATE_TRANSACTION'],
    [400, 'VALIDATION_ERROR'],
  ])('%i %s is one though it is called retryable', (status, code) => {
    expect(refused(status, code, { retryable: true })).toMatchObject({ kind: 'refused', error: { code } });
  });

  it.each([400, 404, 405, 409, 413, 415, 422])('with a code that we do not know, under %i, is one', (status) => {
    expect(refused(status, 'MOON_PHASE')).toMatchObject({ kind: 'refused', error: { code: 'MOON_PHASE' } });
  });

  it('keeps what stands beside the error', () => {
    const body = {
      error: { code: 'ALREADY_ENROLLED', message: '', retryable: false, request_id: 'r' },
      customer: { customer_id: 'c' },
    };
    expect(answered(409, body, {}, 'enroll')).toMatchObject({ kind: 'refused', body });
  });
});

describe('an answer that is about no request of ours', () => {
  it.each([
    [401, 'UNAUTHENTICATED', 'unauthenticated'],
    [401, 'KEY_EXPIRED', 'unauthenticated'],
    [400, 'UNAUTHENTICATED', 'unauthenticated'],
    [403, 'TENANT_SUSPENDED', 'suspended'],
    [403, 'ADDRESS_BLOCKED', 'suspended'],
    [402, 'TENANT_SUSPENDED', 'suspended'],
    [429, 'RATE_LIMITED', 'throttled'],
    [429, 'SLOW_DOWN', 'throttled'],
    [503, 'RATE_LIMITED', 'throttled'],
  ])('%i %s pauses, and recorded nothing', (status, code, cause) => {
    expect(refused(status, code)).toMatchObject({ kind: 'unknown', cause, recorded: 'no', error: { code } });
  });

  it.each([
    [500, 'INTERNAL', false],
    [504, 'UPSTREAM_TIMEOUT', true],
    [503, 'MAINTENANCE', false],
    [422, 'TRY_AGAIN', true],
    [409, 'INTERNAL', true],
    [422, 'UPSTREAM_TIMEOUT', true],
    [409, 'BUSY', true],
  ])('%i %s (retryable %s) may have recorded it', (status, code, retryable) => {
    expect(refused(status, code, { retryable })).toMatchObject({
      kind: 'unknown',
      cause: 'service',
      recorded: 'maybe',
    });
  });
});

describe('Retry-After', () => {
  const date = (ms: number) => new Date(ms).toUTCString();
  it.each<[string | undefined, string | undefined, number | null]>([
    ['120', undefined, 120_000],
    ['0', undefined, 0],
    [date(nowMs + 45_000), undefined, 45_000],
    [date(nowMs - 45_000), undefined, 0],
    // The service's clock is an hour ahead: its date means its hour.
    [date(nowMs + 3_600_000 + 45_000), date(nowMs + 3_600_000), 45_000],
    ['soon', undefined, null],
    ['', undefined, null],
    [undefined, undefined, null],
  ])('%j with the date %j is %j ms', (retryAfter, serviceDate, expected) => {
    const headers: Record<string, string> = {};
    if (retryAfter !== undefined) headers['retry-after'] = retryAfter;
    if (serviceDate !== undefined) headers.date = serviceDate;
    expect(refused(429, 'RATE_LIMITED', {}, headers)).toMatchObject({ retryAfterMs: expected });
  });
});

describe('a key’s fingerprint', () => {
  it('tells keys apart and holds none', () => {
    const [one, other] = ['loyalty_pk_test_one', 'loyalty_pk_test_other'].map(keyFingerprint);
    expect(one).toMatch(/^[0-9a-f]{12}$/);
    expect(one).not.toBe(other);
    expect(keyFingerprint('loyalty_pk_test_one')).toBe(one);
  });
});
