import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CallOptions, faces, type TestFace } from '../../support/service-faces.ts';
import { describeReversal, type Reverse } from './reversal-cases.ts';
import { accepted, makeOriginal } from './reversible.ts';
import { expectNothingRecorded, expectRefusal, openTill } from './till.ts';

const byId: Reverse = (till, { transactionId }, fields, options) => till.reverseById(transactionId, fields, options);
const oneShot = { status: 422, code: 'VALIDATION_ERROR', details: ['transaction_not_reversible'] };

describe.each(faces)('POST /transactions/{transaction_id}/reverse, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  describeReversal(byId, () => face);

  const card = { template_id: 'tpl_reward', balances: { points: 100 } };

  test.each([
    ['no body at all', undefined],
    ['an empty object', {}],
    ['fields that it does not know', { external_ref: 'R-9', intent: 'earn' }],
  ])('optional body | %s', async (_, body) => {
    const till = await openTill(face, [card]);
    const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 30 } });
    const answer = await face.post(`/transactions/${original.transactionId}/reverse`, body);
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual(accepted(original, false));
  });

  test('no body and an empty body are the same reversal', async () => {
    const till = await openTill(face, [card]);
    const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 30 } });
    const path = `/transactions/${original.transactionId}/reverse`;
    const first = await face.post(path, undefined);
    const again = await face.post(path, {});
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...first.body, duplicate: true });
  });

  test.each([
    ['not JSON', '{'],
    ['a list', '[]'],
    ['a text', '"R-1"'],
    ['null', 'null'],
  ])('400 | a body that is %s', async (_, raw) => {
    const till = await openTill(face, [card]);
    const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 30 } });
    const act = () => till.reverseById(original.transactionId, undefined, { raw });
    await expectNothingRecorded(face, till, act, { status: 400, code: 'VALIDATION_ERROR' });
  });

  test('404 | an id that the service never made, and a reference in its place', async () => {
    const till = await openTill(face, [card]);
    await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 30 } });
    const notFound = { status: 404, code: 'VALIDATION_ERROR', details: ['transaction_not_found'] };
    for (const id of ['txn_nowhere', 'R-1']) {
      await expectNothingRecorded(face, till, () => till.reverseById(id), notFound);
    }
  });

  test("another partner's sale of the same reference, by its id, does not stand in the way of one's own", async () => {
    const till = await openTill(face, [card]);
    const theirs = (await till.redeem('R-1', { points: 10 })).body;
    const { key } = (await face.control('POST', '/keys', { source: 'somebody-else' })).body;
    await till.redeem('R-1', { points: 5 }, { key });
    expect((await till.reverseById(theirs.transaction_id, {}, { key })).status).toBe(202);
    expect((await till.reverse('R-1', 'redeem', {}, { key })).status).toBe(202);
    await face.advance(1000);
    expect((await till.balances()).points).toBe(card.balances.points);
  });

  test("a reversal of another partner's sale stands under its reference with whoever asked for it", async () => {
    const till = await openTill(face, [card]);
    const theirs = (await till.redeem('R-1', { points: 10 })).body.transaction_id;
    const theirEarn = await till.earned('R-1', { points: 3 });
    const { key } = (await face.control('POST', '/keys', { source: 'somebody-else' })).body;
    const undone = [];
    for (const id of [theirs, theirEarn]) {
      const { body } = await till.reverseById(id, {}, { key });
      undone.push(body.transaction_id);
      expect((await till.reverseById(id, {}, { key })).body).toEqual({ ...body, duplicate: true });
    }
    const shown = async (reference: string, options: CallOptions) =>
      (await face.get(`/transactions?external_ref=${reference}`, options)).body.data.map(
        (row: { transaction_id: string }) => row.transaction_id,
      );
    expect(await shown('R-1', { key })).toEqual(undone);
    expect(await shown('R-1', {})).toEqual([theirs, theirEarn]);
    expect(await shown('R-2', { key })).toEqual([]);
  });

  describe('gap: Transactions | reversing a reversal or an enrollment: 422', () => {
    test('a reversal: pending, applied, failed', async () => {
      const till = await openTill(face, [card]);
      const one = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 30 } });
      const { transaction_id: applied } = (await byId(till, one)).body;
      await expectNothingRecorded(face, till, () => till.reverseById(applied), oneShot);
      await face.advance(1000);
      await expectNothingRecorded(face, till, () => till.reverseById(applied), oneShot);
      const other = await makeOriginal(till, { externalRef: 'R-2', intent: 'redeem', sends: { points: 30 } });
      const { transaction_id: failed } = (await byId(till, other)).body;
      await face.control('POST', `/transactions/${failed}/fail`, { code: 'INTERNAL' });
      await face.advance(1000);
      await expectNothingRecorded(face, till, () => till.reverseById(failed), oneShot);
    });

    test('an enrollment', async () => {
      const body = { external_ref: 'E-1', phone: '+96555512399' };
      const { enrollment_id: enrollmentId } = (await face.post('/customers/enroll', body)).body;
      const { otp } = (await face.control('GET', `/otp/${enrollmentId}`)).body;
      await face.post('/customers/enroll/verify', { enrollment_id: enrollmentId, otp });
      const { data } = (await face.get('/transactions?external_ref=E-1')).body;
      expect(data).toMatchObject([{ intent: 'enroll' }]);
      expectRefusal(await face.post(`/transactions/${data[0].transaction_id}/reverse`, {}), oneShot);
    });
  });
});
