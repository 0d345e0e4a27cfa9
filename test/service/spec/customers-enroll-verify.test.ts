import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectError, expectExactFields, expectTransaction } from '../../support/exact-fields.ts';
import { faces, type TestFace } from '../../support/service-faces.ts';

const phone = '+96555512345';

describe.each(faces)('POST /customers/enroll/verify, $name', ({ start }) => {
  let face: TestFace;
  let enrollmentId: string;
  let otp: string;
  beforeEach(async () => {
    face = await start();
    const body = { external_ref: 'E-1', phone, email: 'New@Example.com', name: 'Noura' };
    enrollmentId = (await face.post('/customers/enroll', body)).body.enrollment_id;
    otp = (await face.control('GET', `/otp/${enrollmentId}`)).body.otp;
  });
  afterEach(() => face.close());

  const verify = (fields: object = {}) =>
    face.post('/customers/enroll/verify', { enrollment_id: enrollmentId, otp, ...fields });
  const refusedWith = (reason: string) => ({ status: 422, code: 'OTP_INVALID', details: [reason] });

  test('awaiting_otp | correct, unexpired code | enrolled | customer created, card issued; answer 201', async () => {
    const answer = await verify();
    expect(answer.status).toBe(201);
    expectExactFields(answer.body, 'EnrollResult');
    expect(answer.body).toMatchObject({ status: 'enrolled', verified: true, duplicate: false });
    expect(() => new URL(answer.body.wallet_install_url)).not.toThrow();
    const profile = (await face.post('/customers/identify', { phone })).body;
    expect(profile).toMatchObject({
      customer_id: answer.body.customer_id,
      name: 'Noura',
      email: 'new@example.com',
      verified: true,
      cards: [{ card_id: answer.body.card_id }],
    });
  });

  test('gap: Enrollment: it makes a transaction of intent enroll in the history', async () => {
    const { customer_id, card_id } = (await verify()).body;
    const { data } = (await face.get(`/customers/${customer_id}/transactions`)).body;
    expect(data).toHaveLength(1);
    expectTransaction(data[0], 'read');
    expect(data[0]).toMatchObject({
      intent: 'enroll',
      status: 'success',
      external_ref: 'E-1',
      customer_id,
      card_id,
      amount_minor: null,
    });
    expect((await face.get('/transactions?external_ref=E-1')).body.data).toEqual(data);
  });

  describe("gap: Money, time, ids | external_id is the partner's own user id", () => {
    const identify = (externalId: string, key?: string) =>
      face.post('/customers/identify', { external_id: externalId }, key === undefined ? {} : { key });

    test("an enrollment's external_ref becomes the new customer's, at that partner", async () => {
      expect((await identify('E-1')).status).toBe(404);
      const { customer_id } = (await verify()).body;
      expect((await identify('E-1')).body.customer_id).toBe(customer_id);
      const earn = { identifier: { external_id: 'E-1' }, external_ref: 'R-1', points: 1 };
      expect((await face.post('/transactions/earn', earn)).status).toBe(202);
      const { key } = (await face.control('POST', '/keys', { source: 'web-shop' })).body;
      expect((await identify('E-1', key)).status).toBe(404);
    });

    test('a replay of the verification changes nothing', async () => {
      const { customer_id } = (await verify()).body;
      expect((await verify()).body.duplicate).toBe(true);
      expect((await identify('E-1')).body.customer_id).toBe(customer_id);
    });

    test('one that names another customer already goes on naming that one', async () => {
      const other = (await face.control('POST', '/customers', { name: 'Dana', external_id: 'E-1' })).body.customer_id;
      const answer = await verify();
      expect(answer.status).toBe(201);
      expect((await identify('E-1')).body.customer_id).toBe(other);
      expect((await face.post('/customers/identify', { phone })).body.customer_id).toBe(answer.body.customer_id);
    });

    test('the control API can set another, in its place', async () => {
      const { customer_id } = (await verify()).body;
      const set = await face.control('PATCH', `/customers/${customer_id}`, { external_id: 'crm-88' });
      expect(set.status).toBe(200);
      expect(set.body).toMatchObject({ customer_id, external_id: 'crm-88' });
      expect((await identify('crm-88')).body.customer_id).toBe(customer_id);
      expect((await identify('E-1')).status).toBe(404);
      const again = await face.control('PATCH', `/customers/${customer_id}`, { external_id: 'crm-88' });
      expect(again.status).toBe(200);
    });

    test('the control API sets none that another customer has, and none for a stranger', async () => {
      const { customer_id } = (await verify()).body;
      const taken = await face.control('PATCH', `/customers/${customer_id}`, { external_id: 'crm-1001' });
      expect(taken.status).toBe(400);
      expect(taken.body.error.message).toBe('external_id: already belongs to a customer');
      const stranger = await face.control('PATCH', '/customers/cus_nobody', { external_id: 'crm-88' });
      expect(stranger.status).toBe(404);
      expect((await face.control('PATCH', `/customers/${customer_id}`, {})).status).toBe(400);
    });
  });

  test.each([
    ['enrollment_id | required', { enrollment_id: undefined }, 'enrollment_id'],
    ['otp | required', { otp: undefined }, 'otp'],
    ['otp | string', { otp: 123456 }, 'otp'],
  ])('400: %s', async (_, fields, field) => {
    const answer = await verify(fields);
    expectError(answer, { status: 400, code: 'VALIDATION_ERROR' });
    expect(answer.body.error.details[0].field).toBe(field);
  });

  test("another partner's enrollment is not there for anybody else", async () => {
    const { key } = (await face.control('POST', '/keys', { source: 'web-shop' })).body;
    const body = { enrollment_id: enrollmentId, otp };
    expectError(await face.post('/customers/enroll/verify', body, { key }), refusedWith('enrollment_not_found'));
    expect((await verify()).status).toBe(201);
    expectError(await face.post('/customers/enroll/verify', body, { key }), refusedWith('enrollment_not_found'));
  });

  test('awaiting_otp | wrong code | unchanged | 422 otp_incorrect', async () => {
    expectError(await verify({ otp: '1' }), refusedWith('otp_incorrect'));
    expect((await face.control('GET', `/otp/${enrollmentId}`)).body.attempts).toBe(1);
    expect((await verify()).status).toBe(201);
  });

  test('awaiting_otp | expired code | unchanged | 422 otp_expired', async () => {
    await face.advance(299_999);
    expectError(await verify({ otp: '1' }), refusedWith('otp_incorrect'));
    await face.advance(1);
    expectError(await verify(), refusedWith('otp_expired'));
    // A replacement code for the same reference brings it to its end.
    await face.post('/customers/enroll', { external_ref: 'E-1', phone });
    otp = (await face.control('GET', `/otp/${enrollmentId}`)).body.otp;
    expect((await verify()).status).toBe(201);
  });

  test('awaiting_otp | attempts used up | unchanged | 422 otp_attempts_exhausted, even for the right code', async () => {
    for (let attempt = 1; attempt <= 5; attempt += 1)
      expectError(await verify({ otp: 'no' }), refusedWith('otp_incorrect'));
    expectError(await verify({ otp: 'no' }), refusedWith('otp_attempts_exhausted'));
    expectError(await verify(), refusedWith('otp_attempts_exhausted'));
  });

  test('awaiting_otp | unknown enrollment | 422 enrollment_not_found', async () => {
    expectError(await verify({ enrollment_id: 'enr_none' }), refusedWith('enrollment_not_found'));
  });

  test('enrolled | repeat of verify | idempotent replay | 200 with duplicate true, however late', async () => {
    const first = await verify();
    await face.advance(86_400_000);
    const again = await verify();
    expect(again).toMatchObject({ status: 200, body: { ...first.body, duplicate: true } });
    expectExactFields(again.body, 'EnrollResult');
    expect((await face.get(`/customers/${first.body.customer_id}/transactions`)).body.data).toHaveLength(1);
  });

  test('gap: Enrollment: verify replayed with a wrong code is 422 otp_incorrect', async () => {
    await verify();
    expectError(await verify({ otp: 'no' }), refusedWith('otp_incorrect'));
  });

  test('gap: Enrollment: the phone was enrolled meanwhile: 409 ALREADY_ENROLLED, with the customer', async () => {
    await face.control('POST', '/customers', { name: 'First', phone });
    const answer = await verify();
    expectError(answer, { status: 409, code: 'ALREADY_ENROLLED' });
    expectExactFields(answer.body, 'AlreadyEnrolled');
    expect(answer.body.customer.name).toBe('First');
  });

  test('a card of a template that the service does not know the mechanics of is issued, and offers nothing', async () => {
    const { body } = await face.post('/customers/enroll', {
      external_ref: 'E-2',
      phone: '+96555512346',
      template_id: 'tpl_unknown',
    });
    const code = (await face.control('GET', `/otp/${body.enrollment_id}`)).body.otp;
    const enrolled = await verify({ enrollment_id: body.enrollment_id, otp: code });
    const { cards } = (await face.post('/customers/identify', { customer_id: enrolled.body.customer_id })).body;
    expect(cards).toMatchObject([{ allowed_operations: [], card_id: enrolled.body.card_id }]);
  });
});
