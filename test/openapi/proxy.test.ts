import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createIds } from '../../app/machine/ids.ts';
import { seededRandom } from '../../app/machine/random.ts';
import { type HttpFace, serveService } from '../../app/service/faces/http.ts';
import { createService, type Service } from '../../app/service/service.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Prism, startPrismProxy } from '../support/prism.ts';
import { testStartMs } from '../support/service-faces.ts';

const idsSchema = z.object({
  transaction_id: z.string().default(''),
  reservation_id: z.string().default(''),
  enrollment_id: z.string().default(''),
  customer_id: z.string().default(''),
  otp: z.string().default(''),
});

/** What a validating proxy that we did not write makes of our description and of our service. */
describe('through Prism, which knows the description alone', () => {
  const host = new ManualClock(testStartMs);
  const random = seededRandom(1);
  let service: Service;
  let face: HttpFace;
  let prism: Prism;
  beforeAll(async () => {
    service = createService({ clock: host, random, ids: createIds(host, random), data: { kind: 'memory' } });
    face = await serveService(service, { host: '127.0.0.1', port: 0, clock: host });
    prism = await startPrismProxy(face.baseUrl);
  }, 60_000);
  afterAll(async () => {
    await prism.stop();
    await face.close();
    service.close();
  });

  async function send(url: string, method: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${service.apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    return { status: response.status, body: answer, ids: idsSchema.catch(idsSchema.parse({})).parse(answer) };
  }
  const post = (path: string, body?: object, headers?: Readonly<Record<string, string>>) =>
    send(prism.url + path, 'POST', body, headers);
  const get = (path: string) => send(prism.url + path, 'GET');
  const control = (method: string, path: string, body?: object) => send(face.controlUrl + path, method, body);
  const identifier = { loyalty_id: 'LC-1001' };

  test('a customer enrolls with a wrong and then the right code', async () => {
    const pending = await post('/customers/enroll', { external_ref: 'E-1', phone: '+96555512345' });
    expect(pending.status).toBe(202);
    const { enrollment_id } = pending.ids;
    const { ids: sent } = await control('GET', `/otp/${enrollment_id}`);
    expect((await post('/customers/enroll/verify', { enrollment_id, otp: 'wrong' })).status).toBe(422);
    const enrolled = await post('/customers/enroll/verify', { enrollment_id, otp: sent.otp });
    expect(enrolled.status).toBe(201);
    expect((await post('/customers/enroll/verify', { enrollment_id, otp: sent.otp })).status).toBe(200);
    expect((await post('/customers/enroll', { external_ref: 'E-1', phone: '+96555512345' })).status).toBe(200);
    const taken = await post('/customers/enroll', { external_ref: 'E-2', phone: '+96555512345' });
    expect(taken).toMatchObject({ status: 409, body: { customer: { customer_id: enrolled.ids.customer_id } } });
    expect((await get(`/customers/${enrolled.ids.customer_id}/transactions?limit=5`)).status).toBe(200);
  });

  test('a sale is earned, read, redeemed from and taken back', async () => {
    expect((await post('/customers/identify', identifier)).status).toBe(200);
    const sale = { identifier, external_ref: 'R-1', amount_minor: 12500, occurred_at: '2026-11-20T18:12:00+03:00' };
    const earned = await post('/transactions/earn', sale, { 'idempotency-key': 'K-1' });
    expect(earned.status).toBe(202);
    expect((await get(`/transactions/${earned.ids.transaction_id}`)).body).toMatchObject({ status: 'pending' });
    await control('POST', '/clock', { advance_ms: 1000 });
    expect((await get(`/transactions/${earned.ids.transaction_id}`)).body).toMatchObject({ status: 'success' });
    expect((await post('/transactions/earn', sale, { 'idempotency-key': 'K-1' })).status).toBe(200);
    const redeemed = await post('/transactions/redeem', { identifier, external_ref: 'R-1', points: 40.5 });
    expect(redeemed).toMatchObject({ status: 200, body: { duplicate: false } });
    expect((await post('/transactions/reverse', { external_ref: 'R-1', intent: 'redeem' })).status).toBe(202);
    expect((await post('/transactions/reverse', { external_ref: 'R-1', intent: 'redeem' })).status).toBe(200);
    await control('POST', '/clock', { advance_ms: 1000 });
    expect((await post(`/transactions/${earned.ids.transaction_id}/reverse`, { reversal_ref: 'RV-1' })).status).toBe(
      202,
    );
    await control('POST', '/clock', { advance_ms: 1000 });
    const read = await get('/transactions?external_ref=R-1');
    expect(read.body).toMatchObject({ data: [{ status: 'reversed' }, { status: 'reversed' }, { intent: 'reverse' }] });
  });

  test('a cart is reserved and paid, another is let go', async () => {
    const cart = await post('/redemptions/reserve', { identifier, external_ref: 'C-1', points: 100, ttl_minutes: 30 });
    expect(cart.status).toBe(201);
    const { reservation_id } = cart.ids;
    expect((await post(`/redemptions/${reservation_id}/commit`, { external_ref: 'O-1' })).status).toBe(200);
    expect((await post(`/redemptions/${reservation_id}/release`)).status).toBe(409);
    const other = await post('/redemptions/reserve', { identifier, external_ref: 'C-2', points: 10 });
    expect((await post(`/redemptions/${other.ids.reservation_id}/release`)).status).toBe(200);
    expect((await post(`/redemptions/${other.ids.reservation_id}/commit`, { external_ref: 'O-2' })).status).toBe(409);
  });

  test('refusals are as described, too', async () => {
    expect((await post('/customers/identify', { loyalty_id: 'nobody' })).status).toBe(404);
    expect((await get('/transactions/txn_none')).status).toBe(404);
    expect((await post('/transactions/redeem', { identifier, external_ref: 'R-9', points: 1e6 })).status).toBe(422);
  });

  test('Prism does look: an answer outside the description is told', async () => {
    await control('POST', '/faults', {
      match: { path: '/customers/identify' },
      effect: { type: 'malformed_response' },
      times: 1,
    });
    const answer = await post('/customers/identify', identifier);
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).toContain('VIOLATIONS');
  });

  test.each([
    ['two unit fields', { identifier, external_ref: 'R-8', points: 1, stamps: 1 }],
    ['no value', { identifier, external_ref: 'R-8' }],
    ['two identifiers', { identifier: { phone: '1', email: 'a@b.co' }, external_ref: 'R-8', points: 1 }],
    ['a decimal amount', { identifier, external_ref: 'R-8', amount_minor: 1.5 }],
  ])('a request with %s is stopped by the description alone', async (_, body) => {
    const answer = await post('/transactions/earn', body);
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain('UNPROCESSABLE_ENTITY');
  });
});
