import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endpointNames, endpoints } from '../../../shared/contract/endpoints.ts';
import { cardsOf, makeCustomer, type TestCustomer } from '../../support/service-customers.ts';
import { faces, type TestFace } from '../../support/service-faces.ts';
import { everyWrite } from './every-write.ts';

/** Spec "Endpoints": those marked "IK". */
const takesKey = (path: string) =>
  endpointNames.some((name) => endpoints[name].path === path && endpoints[name].idempotencyKey);

describe.each(faces)('the natural key (source, external_ref, intent), $name', ({ start }) => {
  let face: TestFace;
  let customer: TestCustomer;
  beforeEach(async () => {
    face = await start();
    customer = await makeCustomer(face, [{ template_id: 'tpl_reward' }]);
  });
  afterEach(() => face.close());

  const earn = (fields: object, options = {}) =>
    face.post(
      '/transactions/earn',
      { identifier: { customer_id: customer.customer_id }, external_ref: 'R-1', points: 5, ...fields },
      options,
    );
  const pointsNow = async () => (await cardsOf(face, customer))[0].balances.points;

  test('a replay while pending is 202 with the same id and duplicate true', async () => {
    const first = await earn({});
    const second = await earn({});
    expect(second.status).toBe(202);
    expect(second.body).toEqual({ ...first.body, duplicate: true });
    await face.advance(900);
    expect((await earn({})).status).toBe(202);
  });

  test('a replay after it was applied is 200 with the whole transaction, and nothing is paid twice', async () => {
    const first = await earn({});
    await face.advance(1000);
    const second = await earn({});
    expect(second.status).toBe(200);
    expect(second.body).toMatchObject({
      transaction_id: first.body.transaction_id,
      status: 'success',
      duplicate: true,
      points: 5,
      new_balances: { points: 5 },
    });
    await face.advance(10_000);
    expect(await pointsNow()).toBe(5);
  });

  test('a replay of a failed one is 200 with status failed and its error', async () => {
    const first = await earn({});
    await face.control('POST', `/transactions/${first.body.transaction_id}/fail`, { code: 'CARD_NOT_ELIGIBLE' });
    await face.advance(1000);
    const second = await earn({});
    expect(second.status).toBe(200);
    expect(second.body).toMatchObject({ status: 'failed', duplicate: true, error: { code: 'CARD_NOT_ELIGIBLE' } });
  });

  test('fifty copies at once act once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => earn({})));
    expect(new Set(answers.map((answer) => answer.body.transaction_id)).size).toBe(1);
    expect(answers.filter((answer) => answer.body.duplicate === false)).toHaveLength(1);
    await face.advance(1000);
    expect(await pointsNow()).toBe(5);
    expect((await face.get(`/customers/${customer.customer_id}/transactions`)).body.data).toHaveLength(1);
  });

  test('the first outcome is answered though the body differs, and the log says so', async () => {
    const first = await earn({ points: 5 });
    const second = await earn({ points: 500 });
    expect(second.body).toEqual({ ...first.body, duplicate: true });
    await face.advance(1000);
    expect(await pointsNow()).toBe(5);
    const { data } = (await face.control('GET', '/requests')).body;
    const earns = data.filter((entry: { path: string }) => entry.path === '/transactions/earn');
    expect(earns).toMatchObject([
      { external_ref: 'R-1', duplicate: true, payload_differs: true },
      { external_ref: 'R-1', duplicate: false, payload_differs: false },
    ]);
  });

  test('the natural key comes before the window, the card and the customer', async () => {
    const first = await earn({ occurred_at: '2026-11-20T18:00:00Z' });
    await face.advance(1000);
    await face.control('POST', `/cards/${customer.cards[0]?.card_id}/suspend`);
    await face.advance(100 * 3_600_000);
    const late = await earn({ occurred_at: '2026-11-20T18:00:00Z' });
    expect(late.body).toMatchObject({ transaction_id: first.body.transaction_id, duplicate: true, status: 'success' });
    const nobody = await earn({ identifier: { loyalty_id: 'nobody' } });
    expect(nobody.body).toMatchObject({ transaction_id: first.body.transaction_id, duplicate: true });
  });

  test('a refused write leaves its reference free', async () => {
    expect((await earn({ points: undefined, stamps: 1 })).status).toBe(422);
    expect((await earn({})).body.duplicate).toBe(false);
  });

  test('another key of the same partner is the same source, another partner is not', async () => {
    const first = await earn({});
    const { body: rotated } = await face.control('POST', '/keys', {});
    const { body: other } = await face.control('POST', '/keys', { source: 'web-shop' });
    expect((await earn({}, { key: rotated.key })).body).toEqual({ ...first.body, duplicate: true });
    const elsewhere = await earn({}, { key: other.key });
    expect(elsewhere.body.duplicate).toBe(false);
    expect(elsewhere.body.transaction_id).not.toBe(first.body.transaction_id);
    await face.advance(1000);
    expect(await pointsNow()).toBe(10);
    const own = await face.get('/transactions?external_ref=R-1', { key: other.key });
    expect(own.body.data.map((row: { transaction_id: string }) => row.transaction_id)).toEqual([
      elsewhere.body.transaction_id,
    ]);
  });

  test('an Idempotency-Key does not replace the natural key', async () => {
    const first = await earn({}, { idempotencyKey: 'k1' });
    const otherKey = await earn({}, { idempotencyKey: 'k2' });
    expect(otherKey.body).toEqual({ ...first.body, duplicate: true });
    const sameKey = await earn({}, { idempotencyKey: 'k1' });
    expect(sameKey.body).toEqual({ ...first.body, duplicate: true });
  });

  test('an Idempotency-Key on another natural key is 409 DUPLICATE_TRANSACTION and records nothing', async () => {
    await earn({}, { idempotencyKey: 'k1' });
    const reused = await earn({ external_ref: 'R-2' }, { idempotencyKey: 'k1' });
    expect(reused.status).toBe(409);
    expect(reused.body.error).toMatchObject({ code: 'DUPLICATE_TRANSACTION', retryable: false });
    expect((await face.get('/transactions?external_ref=R-2')).body.data).toEqual([]);
  });

  describe.each(everyWrite.filter(({ path }) => takesKey(path)))('$name', ({ prepare }) => {
    test('an Idempotency-Key that is first seen on a replay is kept, too', async () => {
      const write = await prepare(face);
      await write.send();
      const replayed = await write.send({ idempotencyKey: 'k1' });
      expect((await write.send({ idempotencyKey: 'k1' })).status).toBe(replayed.status);
      const elsewhere = await earn({ external_ref: 'OTHER' }, { idempotencyKey: 'k1' });
      expect(elsewhere.body.error).toMatchObject({
        code: 'DUPLICATE_TRANSACTION',
        details: ['idempotency_key_reused'],
      });
      expect((await face.get('/transactions?external_ref=OTHER')).body.data).toEqual([]);
    });
  });

  test('an Idempotency-Key that stands for another request keeps standing for it, though a replay came under it', async () => {
    const first = await earn({}, { idempotencyKey: 'k1' });
    const second = await earn({ external_ref: 'R-2' });
    expect((await earn({ external_ref: 'R-2' }, { idempotencyKey: 'k1' })).body).toEqual({
      ...second.body,
      duplicate: true,
    });
    expect((await earn({}, { idempotencyKey: 'k1' })).body).toEqual({ ...first.body, duplicate: true });
    expect((await earn({ external_ref: 'R-3' }, { idempotencyKey: 'k1' })).status).toBe(409);
  });

  test('an Idempotency-Key of a refused write is free again', async () => {
    expect((await earn({ external_ref: 'R-2', points: undefined, visits: 1 }, { idempotencyKey: 'k1' })).status).toBe(
      422,
    );
    expect((await earn({}, { idempotencyKey: 'k1' })).status).toBe(202);
  });

  test('an Idempotency-Key of 128 characters is taken, one of 129 is 400', async () => {
    expect((await earn({}, { idempotencyKey: 'k'.repeat(128) })).status).toBe(202);
    const long = await earn({ external_ref: 'R-2' }, { idempotencyKey: 'k'.repeat(129) });
    expect(long.status).toBe(400);
    expect(long.body.error.message).toMatch(/Idempotency-Key: must have at most 128 characters/);
  });
});
