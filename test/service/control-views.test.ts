import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faces, type TestFace } from '../support/service-faces.ts';

describe.each(faces)('what the control API shows, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  const earn = (reference: string, points = 1) =>
    face.post('/transactions/earn', { identifier: { loyalty_id: 'LC-1001' }, external_ref: reference, points });

  test('GET /otp lists the codes that wait, newest first, until they were typed', async () => {
    expect((await face.control('GET', '/otp')).body).toEqual({ data: [] });
    const enroll = (reference: string, phone: string) =>
      face.post('/customers/enroll', { external_ref: reference, phone, name: 'Noura' });
    const first = await enroll('E-1', '55512345');
    await enroll('E-2', '55512346');
    const { data } = (await face.control('GET', '/otp')).body;
    expect(data).toMatchObject([
      { external_ref: 'E-2', phone: '+96555512346', sends: 1, attempts: 0, expires_at: '2026-11-20T18:18:00.000Z' },
      { external_ref: 'E-1', enrollment_id: first.body.enrollment_id, name: 'Noura' },
    ]);
    const { otp } = data[1];
    expect(otp).toBe((await face.control('GET', `/otp/${first.body.enrollment_id}`)).body.otp);
    await face.post('/customers/enroll/verify', { enrollment_id: first.body.enrollment_id, otp });
    expect((await face.control('GET', '/otp')).body.data).toHaveLength(1);
  });

  test('GET /clock tells what waits for a later time, soonest first', async () => {
    await face.control('POST', '/clock', { mode: 'manual' });
    const { body: sale } = await earn('R-1');
    await face.post('/customers/enroll', { external_ref: 'E-1', phone: '55512345', name: 'Noura' });
    await face.post('/redemptions/reserve', { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'C-1', points: 5 });
    await face.control('POST', '/keys', { source: 'other', expires_at: '2026-11-20T20:00:00Z' });
    await face.control('POST', `/transactions/${sale.transaction_id}/fail`, { code: 'CARD_NOT_ELIGIBLE' });
    const { body } = await face.control('GET', '/clock');
    expect(body).toMatchObject({ now: '2026-11-20T18:13:00.000Z', clock: 'manual', ahead_ms: 0 });
    expect(body.due).toMatchObject([
      {
        kind: 'transaction',
        id: sale.transaction_id,
        at: '2026-11-20T18:13:01.000Z',
        customer_name: 'Fatima Al-Sabah',
        planned_failure: 'CARD_NOT_ELIGIBLE',
      },
      { kind: 'otp', at: '2026-11-20T18:18:00.000Z', customer_name: 'Noura' },
      { kind: 'reservation', at: '2026-11-20T18:28:00.000Z', external_ref: 'C-1' },
      { kind: 'key', at: '2026-11-20T20:00:00.000Z', customer_name: 'other' },
    ]);
    await face.advance(3_600_000);
    const later = (await face.control('GET', '/clock')).body;
    expect(later).toMatchObject({ ahead_ms: 3_600_000, due: [{ kind: 'key' }] });
    await face.control('POST', '/clock', { mode: 'real' });
    expect((await face.control('GET', '/clock')).body).toMatchObject({ clock: 'real', ahead_ms: 3_600_000 });
  });

  test('DELETE /faults/{id} takes back one fault and leaves the others', async () => {
    const add = async (path: string) =>
      (await face.control('POST', '/faults', { match: { path }, effect: { type: 'drop_request' } })).body.id;
    const [one, other] = [await add('/a'), await add('/b')];
    expect((await face.control('DELETE', `/faults/${one}`)).body).toMatchObject({ id: one, match: { path: '/a' } });
    expect((await face.control('GET', '/faults')).body.data).toMatchObject([{ id: other }]);
    expect((await face.control('DELETE', `/faults/${one}`)).status).toBe(404);
  });

  test('GET /requests can be followed, opened and cleared', async () => {
    await earn('R-1');
    const [first] = (await face.control('GET', '/requests')).body.data;
    await earn('R-1', 2);
    const { data } = (await face.control('GET', `/requests?after=${first.request_id}`)).body;
    expect(data).toMatchObject([{ external_ref: 'R-1', duplicate: true, payload_differs: true }]);
    expect(data[0]).not.toHaveProperty('request_body');

    const opened = (await face.control('GET', `/requests/${data[0].request_id}`)).body;
    expect(opened).toMatchObject({ path: '/transactions/earn', query: '', status: 202, payload_differs: true });
    expect(JSON.parse(opened.request_body.text)).toMatchObject({ external_ref: 'R-1', points: 2 });
    expect(JSON.parse(opened.answer_body.text)).toMatchObject({ duplicate: true });
    expect(opened.request_body.cut).toBe(false);

    await face.post('/transactions/earn', { external_ref: 'R-2', metadata: { note: 'x'.repeat(10_000) } });
    const [long] = (await face.control('GET', '/requests?limit=1')).body.data;
    const { request_body: body } = (await face.control('GET', `/requests/${long.request_id}`)).body;
    expect([body.text.length, body.cut]).toEqual([8192, true]);

    expect((await face.control('DELETE', '/requests')).body).toEqual({ cleared: 3 });
    expect((await face.control('GET', `/requests/${long.request_id}`)).status).toBe(404);
    await earn('R-3');
    expect((await face.control('GET', `/requests?after=${first.request_id}`)).body.data).toHaveLength(1);
  });

  test('GET /requests?after= has all that came since, however many; without it there are the last 100', async () => {
    await earn('R-0');
    const [first] = (await face.control('GET', '/requests')).body.data;
    for (let count = 1; count <= 101; count += 1) await face.get(`/transactions?external_ref=R-${count}`);
    const references = async (query: string) => {
      const { data } = (await face.control('GET', `/requests${query}`)).body;
      return data.map((one: { external_ref: string }) => one.external_ref);
    };
    const newestFirst = Array.from({ length: 101 }, (_, index) => `R-${101 - index}`);
    expect(await references(`?after=${first.request_id}`)).toEqual(newestFirst);
    expect(await references(`?after=${first.request_id}&limit=2`)).toEqual(['R-101', 'R-100']);
    expect(await references('')).toEqual(newestFirst.slice(0, 100));
  });

  test.each([{ rate_limit: { requests: 1, per_seconds: 10 } }, { suspended: true }])(
    'GET /requests names the references of calls that %o keeps out',
    async (settings) => {
      await face.control('PATCH', '/settings', settings);
      await earn('R-1');
      expect((await earn('R-2')).status).toBeGreaterThanOrEqual(400);
      await face.get('/transactions?external_ref=R-3');
      const { data } = (await face.control('GET', '/requests?limit=2')).body;
      expect(data).toMatchObject([{ external_ref: 'R-3' }, { external_ref: 'R-2' }]);
    },
  );

  test('GET /requests names the reference in the query of a call with a wrong key, whose body stays unread', async () => {
    await face.get('/transactions?external_ref=R-1', { key: 'wrong' });
    await face.post('/transactions/earn', { external_ref: 'R-2' }, { key: 'wrong' });
    const { data } = (await face.control('GET', '/requests')).body;
    expect(data).toMatchObject([
      { status: 401, external_ref: null },
      { status: 401, external_ref: 'R-1' },
    ]);
  });

  test('a call that was never answered has no answer to show', async () => {
    await face.control('POST', '/faults', { effect: { type: 'drop_response' }, times: 1 });
    await expect(earn('R-1')).rejects.toThrow();
    const [logged] = (await face.control('GET', '/requests')).body.data;
    const opened = (await face.control('GET', `/requests/${logged.request_id}`)).body;
    expect(opened).toMatchObject({ status: null, fault: 'drop_response', answer_body: null });
    expect(JSON.parse(opened.request_body.text)).toMatchObject({ external_ref: 'R-1' });
  });

  test('keys are listed, limited, let run out, and let in again', async () => {
    const { body: made } = await face.control('POST', '/keys', { source: 'other' });
    const { data } = (await face.control('GET', '/keys')).body;
    expect(data).toContainEqual({ ...made, revoked: false });
    expect(data).toHaveLength(2);
    const status = async () => (await face.get('/transactions?external_ref=R-1', { key: made.key })).status;
    const change = (body: object) => face.control('PATCH', `/keys/${made.key}`, body);

    await change({ expires_at: '2026-11-20T18:13:00Z' });
    expect(await status()).toBe(401);
    expect((await change({ expires_at: null, allowed_addresses: ['10.0.0.0/8'] })).body).toMatchObject({
      expires_at: null,
      allowed_addresses: ['10.0.0.0/8'],
    });
    expect(await status()).toBe(401);
    await change({ allowed_addresses: null });
    expect(await status()).toBe(200);
    await face.control('DELETE', `/keys/${made.key}`);
    expect(await status()).toBe(401);
    await change({ revoked: false });
    expect(await status()).toBe(200);
    expect((await change({ source: 'mine' })).status).toBe(400);
    expect((await face.control('PATCH', '/keys/loyalty_pk_test_nobody', {})).status).toBe(404);
  });

  test('whoever lives with the service hears of every change, and of a fault’s last hit', async () => {
    let heard = 0;
    face.service.onControlChange(() => {
      heard += 1;
    });
    await face.control('GET', '/faults');
    await face.control('POST', '/faults', { effect: { type: 'nonsense' } });
    expect(heard).toBe(0);
    await face.control('POST', '/faults', { effect: { type: 'error', status: 503, code: 'INTERNAL' }, times: 1 });
    expect([heard, face.service.activeFaults().length]).toEqual([1, 1]);
    await earn('R-1');
    expect([heard, face.service.activeFaults().length]).toEqual([2, 0]);
  });
});
