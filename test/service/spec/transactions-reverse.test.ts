import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faces, type TestFace } from '../../support/service-faces.ts';
import { describeReversal, type Reverse } from './reversal-cases.ts';
import { accepted, makeOriginal, type Original } from './reversible.ts';
import { balances, expectNothingRecorded, expectRefusal, openTill } from './till.ts';

const byReference: Reverse = (till, { externalRef, intent }, fields, options) =>
  till.reverse(externalRef, intent, fields, options);
const notFound = { status: 404, code: 'VALIDATION_ERROR', details: ['transaction_not_found'] };

describe.each(faces)('POST /transactions/reverse, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  describeReversal(byReference, () => face);

  const card = { template_id: 'tpl_reward', balances: { points: 100 } };

  test("external_ref | the original's reference; intent | which side of the receipt to reverse", async () => {
    const till = await openTill(face, [card]);
    const earn = await makeOriginal(till, { externalRef: 'R-1', intent: 'earn', sends: { points: 7 } });
    const redeem = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 30 } });
    expect((await till.reverse('R-1', 'earn')).body).toEqual(accepted(earn, false));
    await face.advance(1000);
    expect(await till.balances()).toEqual(balances({ points: 70, rewards_available: 0 }));
    expect((await till.reverse('R-1', 'redeem')).body).toEqual(accepted(redeem, false));
    await face.advance(1000);
    expect(await till.balances()).toEqual(balances({ points: 100, rewards_available: 1 }));
  });

  test('gap: Transactions | natural key without a reversal_ref: reference plus intent, by id the same', async () => {
    const till = await openTill(face, [card]);
    const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 30 } });
    const first = await till.reverse('R-1', 'redeem');
    const byId = await till.reverseById(original.transactionId);
    expect(byId.status).toBe(200);
    expect(byId.body).toEqual({ ...first.body, duplicate: true });
  });

  test('gap: Transactions | natural key with a reversal_ref: by id the same', async () => {
    const till = await openTill(face, [card]);
    const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 30 } });
    const first = await till.reverseById(original.transactionId, { reversal_ref: 'V-1' });
    const again = await till.reverse('R-1', 'redeem', { reversal_ref: 'V-1' });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...first.body, duplicate: true });
  });

  test('a reversal_ref of one side is not taken for the other side', async () => {
    const till = await openTill(face, [card]);
    await makeOriginal(till, { externalRef: 'R-1', intent: 'earn', sends: { points: 7 } });
    await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 30 } });
    await till.reverse('R-1', 'earn', { reversal_ref: 'V-1' });
    const act = () => till.reverse('R-1', 'redeem', { reversal_ref: 'V-1' });
    await expectNothingRecorded(face, till, act, { status: 409, code: 'DUPLICATE_TRANSACTION' });
  });

  describe('404 | not found', () => {
    test('a reference that nobody used', async () => {
      const till = await openTill(face, [card]);
      expectRefusal(await till.reverse('R-1', 'earn'), notFound);
    });

    test('a reference that has only the other side', async () => {
      const till = await openTill(face, [card]);
      await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 30 } });
      await expectNothingRecorded(face, till, () => till.reverse('R-1', 'earn'), notFound);
    });

    test('the reference of a reversal, and that of a reservation', async () => {
      const till = await openTill(face, [card]);
      const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 30 } });
      await byReference(till, original, { reversal_ref: 'V-1' });
      await till.reserved('CART-1', { points: 10 });
      expectRefusal(await till.reverse('V-1', 'redeem'), notFound);
      expectRefusal(await till.reverse('CART-1', 'redeem'), notFound);
    });

    test("another partner's reference: the source is derived from the key", async () => {
      const till = await openTill(face, [card]);
      await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 30 } });
      const { key } = (await face.control('POST', '/keys', { source: 'web-shop' })).body;
      await expectNothingRecorded(face, till, () => till.reverse('R-1', 'redeem', {}, { key }), notFound);
    });
  });

  test('a rotated key of the same partner reverses what the old one recorded', async () => {
    const till = await openTill(face, [card]);
    const original: Original = await makeOriginal(till, { externalRef: 'R-1', intent: 'earn', sends: { points: 7 } });
    const { key } = (await face.control('POST', '/keys', {})).body;
    expect((await till.reverse('R-1', 'earn', {}, { key })).body).toEqual(accepted(original, false));
    expect((await till.reverse('R-1', 'earn')).body.duplicate).toBe(true);
  });

  test.each([
    ['external_ref | required', { external_ref: undefined }, /^external_ref: /],
    ['external_ref | string', { external_ref: 17 }, /^external_ref: /],
    ['external_ref | 1 to 255 characters', { external_ref: '' }, /^external_ref: /],
    ['intent | required', { intent: undefined }, /^intent: /],
    ['intent | earn or redeem', { intent: 'reverse' }, /^intent: /],
    ['intent | earn or redeem', { intent: 'enroll' }, /^intent: /],
    ['intent | earn or redeem', { intent: 'Earn' }, /^intent: /],
  ])('400 | %s', async (_, fields, message) => {
    const till = await openTill(face, [card]);
    await makeOriginal(till, { externalRef: 'R-1', intent: 'earn', sends: { points: 7 } });
    const act = () => till.reverse('R-1', 'earn', fields);
    await expectNothingRecorded(face, till, act, { status: 400, code: 'VALIDATION_ERROR', message });
  });

  test('400 | a body is required', async () => {
    expectRefusal(await face.post('/transactions/reverse', undefined), { status: 400, code: 'VALIDATION_ERROR' });
  });
});
