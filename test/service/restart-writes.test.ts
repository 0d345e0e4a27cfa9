import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../support/manual-clock.ts';
import { type FaceKind, faces, type TestFace, testStartMs } from '../support/service-faces.ts';

const identifier = { loyalty_id: 'LC-1001' };

describe.each(faces)('a service that starts again on its data, $name', ({ start }: FaceKind) => {
  let folder: string;
  let host: ManualClock;
  let face: TestFace;
  const open = async () => {
    face = await start({ data: { kind: 'file', path: join(folder, 'sandbox.sqlite') }, host });
  };
  /** Closed, and opened again so much later. */
  const restart = async (downMs = 0) => {
    await face.close();
    host.advance(downMs);
    await open();
  };
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tillbridge-restart-'));
    host = new ManualClock(testStartMs);
    await open();
  });
  afterEach(async () => {
    await face.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const points = async () => (await face.post('/customers/identify', identifier)).body.cards[0].balances.points;
  const reserve = (ref: string, value: number) =>
    face.post('/redemptions/reserve', { identifier, external_ref: ref, points: value });

  test('still holds what was reserved, and lets it be paid', async () => {
    const cart = (await reserve('C-1', 200)).body;
    await restart(60_000);
    expect((await reserve('C-2', 100)).body.error.code).toBe('INSUFFICIENT_BALANCE');
    expect((await reserve('C-1', 200)).body).toMatchObject({ reservation_id: cart.reservation_id, duplicate: true });
    expect((await face.post(`/redemptions/${cart.reservation_id}/commit`, { external_ref: 'O-1' })).status).toBe(200);
    expect(await points()).toBe(45.5);
  });

  test('has let go of what ran out while it was down', async () => {
    const cart = (await reserve('C-1', 200)).body;
    await restart(15 * 60_000);
    const late = await face.post(`/redemptions/${cart.reservation_id}/commit`, { external_ref: 'O-1' });
    expect(late.body.error.code).toBe('RESERVATION_EXPIRED');
    expect((await reserve('C-2', 200)).status).toBe(201);
  });

  test('lets go of a hold by its clock after a restart', async () => {
    const cart = (await reserve('C-1', 200)).body;
    await restart(60_000);
    host.advance(14 * 60_000 - 1);
    expect((await reserve('C-2', 200)).body.error.code).toBe('INSUFFICIENT_BALANCE');
    host.advance(1);
    expect((await reserve('C-2', 200)).status).toBe(201);
    const released = await face.post(`/redemptions/${cart.reservation_id}/release`, undefined);
    expect(released.body).toMatchObject({ state: 'expired' });
  });

  test('remembers what was paid and what was let go', async () => {
    const paid = (await reserve('C-1', 100)).body.reservation_id;
    const order = (await face.post(`/redemptions/${paid}/commit`, { external_ref: 'O-1' })).body;
    const letGo = (await reserve('C-2', 100)).body.reservation_id;
    await face.post(`/redemptions/${letGo}/release`, undefined);
    await restart();
    expect((await face.post(`/redemptions/${paid}/commit`, { external_ref: 'O-1' })).body).toEqual({
      ...order,
      duplicate: true,
    });
    expect((await face.post(`/redemptions/${paid}/commit`, { external_ref: 'O-2' })).status).toBe(409);
    expect((await face.post(`/redemptions/${paid}/release`, undefined)).status).toBe(409);
    expect((await face.post(`/redemptions/${letGo}/release`, undefined)).body).toMatchObject({ state: 'released' });
    expect((await face.post(`/redemptions/${letGo}/commit`, { external_ref: 'O-3' })).status).toBe(409);
    expect(await points()).toBe(145.5);
  });

  test('applies a reversal by its clock after a restart, once', async () => {
    await face.post('/transactions/redeem', { identifier, external_ref: 'R-1', points: 40 });
    const body = { external_ref: 'R-1', intent: 'redeem' };
    const accepted = (await face.post('/transactions/reverse', body)).body;
    await restart(999);
    expect(await points()).toBe(205.5);
    host.advance(1);
    expect(await points()).toBe(245.5);
    await restart();
    expect(await points()).toBe(245.5);
    const again = await face.post('/transactions/reverse', body);
    expect(again).toMatchObject({ status: 200, body: { ...accepted, duplicate: true } });
    expect((await face.post('/transactions/reverse', { ...body, reversal_ref: 'V-1' })).body.error.code).toBe(
      'ALREADY_REVERSED',
    );
  });

  test('applies a reversal that was pending, and one that became due while it was down', async () => {
    await face.post('/transactions/redeem', { identifier, external_ref: 'R-1', points: 40 });
    await face.post('/transactions/redeem', { identifier, external_ref: 'R-2', points: 5 });
    await face.post('/transactions/reverse', { external_ref: 'R-1', intent: 'redeem' });
    await restart(500);
    expect(await points()).toBe(200.5);
    await face.post('/transactions/reverse', { external_ref: 'R-2', intent: 'redeem' });
    await restart(5_000);
    expect(await points()).toBe(245.5);
    expect((await face.get('/transactions?external_ref=R-1')).body.data).toMatchObject([
      { status: 'reversed' },
      { status: 'success' },
    ]);
  });

  test('remembers the code, its attempts and its sends', async () => {
    const body = { external_ref: 'E-1', phone: '+96555512345' };
    const { enrollment_id } = (await face.post('/customers/enroll', body)).body;
    const code = (await face.control('GET', `/otp/${enrollment_id}`)).body;
    await face.post('/customers/enroll/verify', { enrollment_id, otp: 'no' });
    await restart(30_000);
    expect((await face.control('GET', `/otp/${enrollment_id}`)).body).toEqual({ ...code, attempts: 1 });
    expect((await face.post('/customers/enroll', body)).status).toBe(202);
    const enrolled = await face.post('/customers/enroll/verify', { enrollment_id, otp: code.otp });
    expect(enrolled.status).toBe(201);
    await restart();
    expect((await face.post('/customers/enroll', body)).body).toEqual({ ...enrolled.body, duplicate: true });
  });

  test('counts wrong codes, sends and the cooling-off over restarts', async () => {
    const body = { external_ref: 'E-1', phone: '+96555512345' };
    const enroll = async () => (await face.post('/customers/enroll', body)).body.enrollment_id;
    const verify = async (otp: string) => {
      const answer = await face.post('/customers/enroll/verify', { enrollment_id: await enroll(), otp });
      return answer.body.error?.details ?? answer.status;
    };
    const sent = async () => (await face.control('GET', `/otp/${await enroll()}`)).body;
    const first = await sent();
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await verify('no')).toEqual(['otp_incorrect']);
      await restart(1000);
    }
    expect(await verify(first.otp)).toEqual(['otp_attempts_exhausted']);
    await restart(54_999);
    expect(await sent()).toEqual({ ...first, attempts: 5 });
    await restart(1);
    expect(await sent()).toMatchObject({ sends: 2, attempts: 0 });
    await restart(60_000);
    const third = await sent();
    expect(third).toMatchObject({ sends: 3, attempts: 0 });
    await restart(60_000);
    // The budget is used up.
    expect(await sent()).toEqual(third);
    await restart(240_000);
    expect(await verify(third.otp)).toEqual(['otp_expired']);
  });

  test('replays a verification, and still asks for its code', async () => {
    const { enrollment_id } = (await face.post('/customers/enroll', { external_ref: 'E-1', phone: '+96555512345' }))
      .body;
    const { otp } = (await face.control('GET', `/otp/${enrollment_id}`)).body;
    const enrolled = (await face.post('/customers/enroll/verify', { enrollment_id, otp })).body;
    await restart(3_600_000);
    const verify = (code: string) => face.post('/customers/enroll/verify', { enrollment_id, otp: code });
    expect(await verify(otp)).toMatchObject({ status: 200, body: { ...enrolled, duplicate: true } });
    expect((await verify('no')).body.error.details).toEqual(['otp_incorrect']);
    expect((await face.get(`/customers/${enrolled.customer_id}/transactions`)).body.data).toMatchObject([
      { intent: 'enroll', status: 'success', external_ref: 'E-1', card_id: enrolled.card_id },
    ]);
    expect((await face.post('/customers/enroll', { external_ref: 'E-2', phone: '+96555512345' })).body.error.code).toBe(
      'ALREADY_ENROLLED',
    );
  });

  test('knows every replay and every Idempotency-Key', async () => {
    const redeem = (ref: string, idempotencyKey: string) =>
      face.post('/transactions/redeem', { identifier, external_ref: ref, points: 1 }, { idempotencyKey });
    const first = await redeem('R-1', 'K-1');
    await restart();
    expect((await redeem('R-1', 'K-1')).body).toEqual({ ...first.body, duplicate: true });
    expect((await redeem('R-2', 'K-1')).body.error.code).toBe('DUPLICATE_TRANSACTION');
    expect(await points()).toBe(244.5);
  });
});
