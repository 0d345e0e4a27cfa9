import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectError, expectExactFields } from '../../support/exact-fields.ts';
import { makeCustomer } from '../../support/service-customers.ts';
import { faces, type TestFace } from '../../support/service-faces.ts';

const phone = '+96555512345';

describe.each(faces)('POST /customers/enroll, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  const enroll = (fields: object, idempotencyKey?: string) =>
    face.post(
      '/customers/enroll',
      { external_ref: 'E-1', phone, ...fields },
      idempotencyKey === undefined ? {} : { idempotencyKey },
    );
  const codeOf = async (enrollmentId: string) => (await face.control('GET', `/otp/${enrollmentId}`)).body;
  const finish = async (enrollmentId: string) =>
    (
      await face.post('/customers/enroll/verify', {
        enrollment_id: enrollmentId,
        otp: (await codeOf(enrollmentId)).otp,
      })
    ).body;

  test('202 EnrollPending (verification needed): a code is sent to the phone, and nothing is made yet', async () => {
    const answer = await enroll({});
    expect(answer.status).toBe(202);
    expectExactFields(answer.body, 'EnrollPending');
    expect(answer.body).toMatchObject({ status: 'awaiting_otp', otp_expires_at: '2026-11-20T18:18:00.000Z' });
    const code = await codeOf(answer.body.enrollment_id);
    expect(code).toEqual({
      otp: expect.stringMatching(/^\d{6}$/),
      sends: 1,
      attempts: 0,
      expires_at: '2026-11-20T18:18:00.000Z',
    });
    expectError(await face.post('/customers/identify', { phone }), { status: 404, code: 'CUSTOMER_NOT_FOUND' });
  });

  test.each([
    ['external_ref | yes', { external_ref: undefined }, 'external_ref'],
    ['phone | any parseable format', { phone: 'twelve' }, 'phone'],
    ['email | string, email', { email: 'nobody' }, 'email'],
    ['name | string', { name: 7 }, 'name'],
    ['channel | pos or ecommerce', { channel: 'web' }, 'channel'],
    ['branch_ref | string', { branch_ref: {} }, 'branch_ref'],
    ['at least one of phone and email is present', { phone: undefined }, ''],
    ['Under the strict OTP policy phone is required', { phone: undefined, email: 'a@example.com' }, 'phone'],
  ])('400: %s', async (_, fields, field) => {
    const answer = await enroll(fields);
    expectError(answer, { status: 400, code: 'VALIDATION_ERROR' });
    expect(answer.body.error.details[0].field).toBe(field);
    expect((await enroll({})).status).toBe(202);
  });

  test.each(['5551 2345', '+965 5551-2345', '0096555512345', ' 55512345', '(+965) 5551 2345', ' +965 5551 2345'])(
    'phone | %s is normalized to E.164',
    async (given) => {
      await finish((await enroll({ phone: given })).body.enrollment_id);
      expect((await face.post('/customers/identify', { phone: '55512345' })).body.phone).toBe('+96555512345');
    },
  );

  test('template_id | omit to use the tenant default', async () => {
    const { customer_id } = await finish((await enroll({})).body.enrollment_id);
    const { cards } = (await face.post('/customers/identify', { customer_id })).body;
    expect(cards).toMatchObject([{ card_type: 7, balances: { points: 0, rewards_available: 0, stamps: null } }]);
  });

  test('template_id | the one that is named', async () => {
    const { customer_id } = await finish((await enroll({ template_id: 'tpl_coupon' })).body.enrollment_id);
    const { cards } = (await face.post('/customers/identify', { customer_id })).body;
    expect(cards).toMatchObject([
      { card_type: 3, balances: { rewards_available: 1 }, allowed_operations: ['redeem_coupon'] },
    ]);
  });

  test('A template the store does not have: VALIDATION_ERROR with detail template_not_found', async () => {
    expectError(await enroll({ template_id: 'tpl_none' }), {
      status: 400,
      code: 'VALIDATION_ERROR',
      details: ['template_not_found'],
    });
  });

  test('no default template and no template_id: VALIDATION_ERROR with detail template_id_required', async () => {
    await face.control('PATCH', '/settings', { default_template_id: null });
    expectError(await enroll({}), { status: 400, code: 'VALIDATION_ERROR', details: ['template_id_required'] });
    expect((await enroll({ template_id: 'tpl_stamp' })).status).toBe(202);
  });

  test.each([
    ['phone', { phone: '9988 7766' }],
    ['e-mail, without case', { email: 'FATIMA.alsabah@Example.com' }],
  ])('409 ALREADY_ENROLLED: the %s belongs to a customer, who stands beside the error', async (_, fields) => {
    const answer = await enroll(fields);
    expectError(answer, { status: 409, code: 'ALREADY_ENROLLED' });
    expectExactFields(answer.body, 'AlreadyEnrolled');
    expectExactFields(answer.body.customer, 'CustomerProfile');
    expect(answer.body.customer.name).toBe('Fatima Al-Sabah');
  });

  test('200 EnrollResult with duplicate true: replay of an enrollment that issued a card; nothing was created', async () => {
    const result = await finish((await enroll({})).body.enrollment_id);
    const replay = await enroll({ name: 'Another' });
    expect(replay).toMatchObject({ status: 200, body: { ...result, duplicate: true } });
    expectExactFields(replay.body, 'EnrollResult');
    expect((await face.control('GET', '/requests?limit=1')).body.data[0]).toMatchObject({
      duplicate: true,
      payload_differs: true,
    });
  });

  test.each([
    ['phone', { phone: '+96555512345' }],
    ['e-mail', { email: 'New@Example.com' }],
  ])(
    'repeat | 409 ALREADY_ENROLLED when the %s belongs to a customer by now, and no code goes out',
    async (_, owns) => {
      const { enrollment_id: enrollmentId } = (await enroll({ email: 'new@example.com' })).body;
      const owner = await makeCustomer(face, [], owns);
      await face.advance(61_000);
      const answer = await enroll({ email: 'new@example.com' });
      expectError(answer, { status: 409, code: 'ALREADY_ENROLLED' });
      expectExactFields(answer.body, 'AlreadyEnrolled');
      expect(answer.body.customer.customer_id).toBe(owner.customer_id);
      expect(await codeOf(enrollmentId)).toMatchObject({ sends: 1 });
    },
  );

  test('repeat | returns the in-flight enrollment; no code within the cooling-off interval', async () => {
    const first = (await enroll({})).body;
    await face.advance(59_999);
    const again = await enroll({});
    expect(again).toMatchObject({ status: 202, body: first });
    expect((await codeOf(first.enrollment_id)).sends).toBe(1);
  });

  test('repeat | a replacement code after the cooling-off interval, with a new validity and new attempts', async () => {
    const first = (await enroll({})).body;
    const { otp } = await codeOf(first.enrollment_id);
    await face.post('/customers/enroll/verify', { enrollment_id: first.enrollment_id, otp: 'x' });
    await face.advance(60_000);
    const again = await enroll({});
    expect(again.body).toMatchObject({
      enrollment_id: first.enrollment_id,
      otp_expires_at: '2026-11-20T18:19:00.000Z',
    });
    const code = await codeOf(first.enrollment_id);
    expect(code).toMatchObject({ sends: 2, attempts: 0 });
    expect(code.otp).not.toBe(otp);
    expectError(await face.post('/customers/enroll/verify', { enrollment_id: first.enrollment_id, otp }), {
      status: 422,
      code: 'OTP_INVALID',
      details: ['otp_incorrect'],
    });
  });

  test('repeat | within a per-enrollment send budget; a new reference starts afresh', async () => {
    const { enrollment_id } = (await enroll({})).body;
    for (let sends = 2; sends <= 6; sends += 1) {
      await face.advance(61_000);
      expect((await enroll({})).status).toBe(202);
      expect((await codeOf(enrollment_id)).sends).toBe(Math.min(sends, 3));
    }
    const afresh = await enroll({ external_ref: 'E-2' });
    expect(afresh.status).toBe(202);
    expect(await codeOf(afresh.body.enrollment_id)).toMatchObject({ sends: 1, attempts: 0 });
  });

  test('the settings of a tenant: validity, cooling-off, budget', async () => {
    await face.control('PATCH', '/settings', { otp: { ttl_seconds: 10, cooling_off_seconds: 5, send_budget: 2 } });
    const { body } = await enroll({});
    expect(body.otp_expires_at).toBe('2026-11-20T18:13:10.000Z');
    await face.advance(5_000);
    await enroll({});
    await face.advance(5_000);
    await enroll({});
    expect((await codeOf(body.enrollment_id)).sends).toBe(2);
  });

  test('an Idempotency-Key that was used for another enrollment is 409, and no code goes out', async () => {
    await enroll({}, 'K-1');
    expectError(await enroll({ external_ref: 'E-2', phone: '+96555512346' }, 'K-1'), {
      status: 409,
      code: 'DUPLICATE_TRANSACTION',
    });
    expect((await enroll({}, 'K-2')).status).toBe(202);
  });

  test("another partner's reference is another enrollment", async () => {
    const { key } = (await face.control('POST', '/keys', { source: 'somebody-else' })).body;
    const ours = await enroll({});
    const theirs = await face.post('/customers/enroll', { external_ref: 'E-1', phone }, { key });
    expect(theirs.body.enrollment_id).not.toBe(ours.body.enrollment_id);
  });

  test('GET {control_url}/otp/{enrollment_id} of none is 404', async () => {
    await makeCustomer(face, []);
    expect((await face.control('GET', '/otp/enr_none')).body.error).toMatchObject({
      details: ['enrollment_not_found'],
    });
  });
});
