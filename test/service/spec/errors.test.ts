import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ErrorCode, errorCodes } from '../../../shared/contract/errors.ts';
import { expectError, expectExactFields } from '../../support/exact-fields.ts';
import { type Answer, faces, type TestFace } from '../../support/service-faces.ts';

const identifier = { loyalty_id: 'LC-1001' };

/** A row of the specification's table: HTTP status, condition, code; and how to come by it. */
interface Row {
  readonly status: number;
  readonly condition: string;
  readonly code: ErrorCode;
  readonly retryable?: boolean;
  readonly provoke: (face: TestFace) => Promise<Answer>;
}

const enroll = (face: TestFace, fields: object) => face.post('/customers/enroll', { external_ref: 'E-1', ...fields });
const redeem = (face: TestFace, ref: string, fields: object) =>
  face.post('/transactions/redeem', { identifier, external_ref: ref, ...fields });
const reserve = (face: TestFace, ref: string) =>
  face.post('/redemptions/reserve', { identifier, external_ref: ref, points: 10 });
const reverse = (face: TestFace, ref: string, fields: object = {}) =>
  face.post('/transactions/reverse', { external_ref: ref, intent: 'redeem', ...fields });
const fault = (face: TestFace, effect: object) => face.control('POST', '/faults', { match: {}, effect, times: 1 });
const couponOf = async (face: TestFace) =>
  (await face.post('/customers/identify', { loyalty_id: 'LC-1006' })).body.cards[0].card_id;

const rows: readonly Row[] = [
  {
    status: 400,
    condition: 'malformed request: ambiguous identifier',
    code: 'VALIDATION_ERROR',
    provoke: (face) => face.post('/customers/identify', { phone: '55512345', email: 'a@b.co' }),
  },
  {
    status: 400,
    condition: 'malformed request: missing identifier',
    code: 'VALIDATION_ERROR',
    provoke: (face) => face.post('/customers/identify', {}),
  },
  {
    status: 400,
    condition: 'enroll template problems',
    code: 'VALIDATION_ERROR',
    provoke: (face) => enroll(face, { phone: '55512345', template_id: 'tpl_none' }),
  },
  {
    status: 400,
    condition: 'unreversible reversal: the original never succeeded',
    code: 'VALIDATION_ERROR',
    provoke: async (face) => {
      await face.post('/transactions/earn', { identifier, external_ref: 'R-1', points: 1 });
      return reverse(face, 'R-1', { intent: 'earn' });
    },
  },
  {
    status: 400,
    condition: 'partial reversal',
    code: 'VALIDATION_ERROR',
    provoke: async (face) => {
      await redeem(face, 'R-1', { points: 2 });
      return reverse(face, 'R-1', { points: 1 });
    },
  },
  {
    status: 401,
    condition: 'key problem',
    code: 'UNAUTHENTICATED',
    provoke: (face) => face.post('/customers/identify', identifier, { key: 'loyalty_pk_test_wrong' }),
  },
  {
    status: 404,
    condition: 'customer not found',
    code: 'CUSTOMER_NOT_FOUND',
    provoke: (face) => face.post('/customers/identify', { loyalty_id: 'nobody' }),
  },
  {
    status: 404,
    condition: 'transaction not found',
    code: 'VALIDATION_ERROR',
    provoke: (face) => face.get('/transactions/txn_none'),
  },
  {
    status: 404,
    condition: 'reservation not found',
    code: 'VALIDATION_ERROR',
    provoke: (face) => face.post('/redemptions/res_none/release', undefined),
  },
  {
    status: 409,
    condition: 'phone or e-mail already enrolled',
    code: 'ALREADY_ENROLLED',
    provoke: (face) => enroll(face, { phone: '+96599887766' }),
  },
  {
    status: 409,
    condition: 'coupon already redeemed',
    code: 'COUPON_ALREADY_REDEEMED',
    provoke: async (face) => {
      const coupon = { identifier: { loyalty_id: 'LC-1006' }, coupon_code: await couponOf(face) };
      await redeem(face, 'R-1', coupon);
      return redeem(face, 'R-2', coupon);
    },
  },
  {
    status: 409,
    condition: 'transaction already reversed',
    code: 'ALREADY_REVERSED',
    provoke: async (face) => {
      await redeem(face, 'R-1', { points: 1 });
      await reverse(face, 'R-1', { reversal_ref: 'RV-1' });
      return reverse(face, 'R-1', { reversal_ref: 'RV-2' });
    },
  },
  {
    status: 409,
    condition: 'commit of a released reservation',
    code: 'VALIDATION_ERROR',
    provoke: async (face) => {
      const path = `/redemptions/${(await reserve(face, 'C-1')).body.reservation_id}`;
      await face.post(`${path}/release`, undefined);
      return face.post(`${path}/commit`, { external_ref: 'O-1' });
    },
  },
  {
    status: 409,
    condition: 'release of a committed one',
    code: 'VALIDATION_ERROR',
    provoke: async (face) => {
      const path = `/redemptions/${(await reserve(face, 'C-1')).body.reservation_id}`;
      await face.post(`${path}/commit`, { external_ref: 'O-1' });
      return face.post(`${path}/release`, undefined);
    },
  },
  {
    status: 410,
    condition: 'commit of an expired reservation',
    code: 'RESERVATION_EXPIRED',
    provoke: async (face) => {
      const { reservation_id } = (await reserve(face, 'C-1')).body;
      await face.advance(15 * 60_000);
      return face.post(`/redemptions/${reservation_id}/commit`, { external_ref: 'O-1' });
    },
  },
  {
    status: 422,
    condition: 'business-rule violation on earn',
    code: 'CARD_NOT_ELIGIBLE',
    provoke: (face) => face.post('/transactions/earn', { identifier, external_ref: 'R-1', stamps: 1 }),
  },
  {
    status: 422,
    condition: 'business-rule violation on redeem',
    code: 'INSUFFICIENT_BALANCE',
    provoke: (face) => redeem(face, 'R-1', { points: 1e6 }),
  },
  {
    status: 422,
    condition: 'business-rule violation on reserve',
    code: 'INSUFFICIENT_BALANCE',
    provoke: (face) => face.post('/redemptions/reserve', { identifier, external_ref: 'C-1', points: 1e6 }),
  },
  {
    status: 422,
    condition: 'business-rule violation on commit',
    code: 'CARD_NOT_ELIGIBLE',
    provoke: async (face) => {
      const { reservation_id, card_id } = (await reserve(face, 'C-1')).body;
      await face.control('POST', `/cards/${card_id}/suspend`);
      return face.post(`/redemptions/${reservation_id}/commit`, { external_ref: 'O-1' });
    },
  },
  {
    status: 422,
    condition: 'verification failure',
    code: 'OTP_INVALID',
    provoke: (face) => face.post('/customers/enroll/verify', { enrollment_id: 'enr_none', otp: '1' }),
  },
  {
    status: 422,
    condition: 'reversal of a claimed reward',
    code: 'VALIDATION_ERROR',
    provoke: async (face) => {
      await redeem(face, 'R-1', { reward: true, reward_id: 'rwd_cake' });
      return reverse(face, 'R-1');
    },
  },
  {
    status: 504,
    condition: 'upstream timeout on redeem',
    code: 'UPSTREAM_TIMEOUT',
    retryable: true,
    provoke: async (face) => {
      await fault(face, { type: 'error', status: 504, code: 'UPSTREAM_TIMEOUT' });
      return redeem(face, 'R-1', { points: 1 });
    },
  },
  // gap: Errors and limits
  {
    status: 403,
    condition: 'gap: TENANT_SUSPENDED',
    code: 'TENANT_SUSPENDED',
    provoke: async (face) => {
      await face.control('PATCH', '/settings', { suspended: true });
      return face.post('/customers/identify', identifier);
    },
  },
  {
    status: 429,
    condition: 'gap: RATE_LIMITED, with Retry-After',
    code: 'RATE_LIMITED',
    retryable: true,
    provoke: async (face) => {
      await face.control('PATCH', '/settings', { rate_limit: { requests: 1, per_seconds: 60 } });
      await face.post('/customers/identify', identifier);
      const answer = await face.post('/customers/identify', identifier);
      expect(answer.headers['retry-after']).toBe('60');
      return answer;
    },
  },
  {
    status: 422,
    condition: 'gap: TEMPLATE_MECHANICS_UNKNOWN',
    code: 'TEMPLATE_MECHANICS_UNKNOWN',
    provoke: (face) => redeem(face, 'R-1', { identifier: { loyalty_id: 'LC-1011' }, points: 1 }),
  },
  {
    status: 409,
    condition: 'gap: DUPLICATE_TRANSACTION',
    code: 'DUPLICATE_TRANSACTION',
    provoke: async (face) => {
      const body = { identifier, points: 1 };
      await face.post('/transactions/earn', { ...body, external_ref: 'R-1' }, { idempotencyKey: 'K-1' });
      return face.post('/transactions/earn', { ...body, external_ref: 'R-2' }, { idempotencyKey: 'K-1' });
    },
  },
  {
    status: 500,
    condition: 'gap: INTERNAL',
    code: 'INTERNAL',
    retryable: true,
    provoke: async (face) => {
      await fault(face, { type: 'error', status: 500, code: 'INTERNAL' });
      return face.post('/customers/identify', identifier);
    },
  },
  { status: 404, condition: 'gap: unknown path', code: 'VALIDATION_ERROR', provoke: (face) => face.get('/nowhere') },
  {
    status: 405,
    condition: 'gap: wrong method',
    code: 'VALIDATION_ERROR',
    provoke: (face) => face.get('/transactions/earn'),
  },
  {
    status: 413,
    condition: 'gap: a body over 1 MiB',
    code: 'VALIDATION_ERROR',
    provoke: (face) => face.call('POST', '/transactions/earn', undefined, { raw: 'x'.repeat(1024 * 1024 + 1) }),
  },
  {
    status: 415,
    condition: 'gap: a content type other than JSON',
    code: 'VALIDATION_ERROR',
    provoke: (face) =>
      face.call('POST', '/transactions/earn', undefined, { raw: '{}', headers: { 'content-type': 'text/plain' } }),
  },
];

describe.each(faces)('Errors, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  test.each(rows)('$status | $condition | $code', async ({ status, code, retryable, provoke }) => {
    const answer = await provoke(face);
    expectError(answer, { status, code, retryable: retryable ?? false });
    expectExactFields(answer.body, code === 'ALREADY_ENROLLED' ? 'AlreadyEnrolled' : 'ErrorBody');
    expect(answer.body.error.message).not.toBe('');
  });

  test('every code of the specification is among the rows', () => {
    expect([...new Set(rows.map(({ code }) => code))].sort()).toEqual([...errorCodes].sort());
  });

  test.each(errorCodes)('A failed Transaction carries the same error object: %s', async (code) => {
    const { body } = await face.post('/transactions/earn', { identifier, external_ref: 'R-1', points: 1 });
    await face.control('POST', `/transactions/${body.transaction_id}/fail`, { code, message: 'Made to fail.' });
    await face.advance(1000);
    const { status, error, new_balances } = (await face.get(`/transactions/${body.transaction_id}`)).body;
    expect({ status, new_balances }).toEqual({ status: 'failed', new_balances: null });
    expectExactFields(error, 'Error');
    expect(error).toMatchObject({ code, message: 'Made to fail.' });
  });
});
