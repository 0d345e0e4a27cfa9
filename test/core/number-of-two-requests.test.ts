import { expect, test } from 'vitest';
import { attention, bytesOf, hourMs, minuteMs, only, openLateShop, refuse, shop } from '../support/late-shop.ts';

// A number is asked for twice, each time for another customer. What the service holds for one of them tells of the sends of that
// request alone: another till may have redeemed under the same number.

openLateShop();

const first = { loyalty_id: 'LC-1001' };
const second = { loyalty_id: 'LC-1009' };
const path = '/transactions/redeem';
const bodyFor = (identifier: object) => ({ identifier, external_ref: 'T-1', points: 5 });
const redeem = (identifier: { readonly loyalty_id: string }, aside: object = {}) => {
  const body = { ...bodyFor(identifier), ...aside };
  const asked = { ...shop.redemption('T-1', { points: 5 }), identifier, body };
  return shop.passUntil(shop.core.perform(asked, { waitMs: 2_000 }));
};
const atOtherTill = async (identifier: object) => {
  const record = await shop.call('POST', `/v1${path}`, bodyFor(identifier));
  expect(record.status).toBe('success');
  return record;
};
const books = async () => (await shop.held('T-1')).map(({ status }) => status);

/** Its bytes may arrive later. */
async function lose(identifier: { readonly loyalty_id: string }) {
  await shop.fault(path, { type: 'drop_request' });
  expect((await redeem(identifier)).kind).toBe('unknown');
  const late = bytesOf(only('T-1'));
  await shop.mend();
  return late;
}

async function refuseFor(identifier: { readonly loyalty_id: string }): Promise<void> {
  await refuse(path);
  expect((await redeem(identifier)).kind).toBe('refused');
}

/** The second gets no answer, and its customer has paid in full; the look for it has found nothing yet. */
async function secondPaidInFull(): Promise<void> {
  await shop.fault(path, { type: 'drop_request' });
  expect((await redeem(second)).kind).toBe('unknown');
  await shop.core.decide(only('T-1').operationId, 'take_full_payment');
  await shop.mend();
  await shop.pass(minuteMs, 1_000);
  expect(only('T-1').state).toBe('cancelled');
}

test('another till’s for the first customer stays when the second one has paid in full', async () => {
  await refuseFor(first);
  await shop.pass(31 * minuteMs, 5_000);
  await secondPaidInFull();
  await atOtherTill(first);
  await shop.pass(26 * hourMs, minuteMs);
  expect(await books()).toEqual(['success']);
  expect(only('T-1')).toMatchObject({ state: 'cancelled', found: null, identifier: { value: 'LC-1009' } });
});

test('what may be the first request’s is a person’s to decide about, whatever was decided about the second', async () => {
  const late = await lose(first);
  await shop.pass(31 * minuteMs, 5_000);
  expect(only('T-1').state).toBe('cancelled');
  await secondPaidInFull();
  await late.arrive();
  await shop.pass(26 * hourMs, minuteMs);
  expect(await books()).toEqual(['success']);
  const found = { state: 'applied', found: 'earlier_version', decision: null, identifier: { value: 'LC-1001' } };
  expect(attention()).toMatchObject([found]);
});

test.each([
  ['the same bytes', {}],
  ['another employee', { employee_ref: 'E-2' }],
  ['another note', { metadata: { at: '2' } }],
])('a request that came again with %s is told by the sends of both', async (_, aside) => {
  const late = await lose(first);
  await shop.pass(15 * minuteMs, 5_000);
  await late.arrive();
  expect(only('T-1').state).toBe('cancelled');
  await shop.pass(10 * minuteMs - 5_000, 5_000);
  const again = await redeem(first, aside);
  expect(again.kind).toBe('done');
  expect(await books()).toEqual(['success']);
});

test('another till’s for the second customer is not found where the first request alone got no answer', async () => {
  await lose(first);
  await shop.pass(2 * minuteMs, 1_000);
  expect(only('T-1').state).toBe('cancelled');
  await refuseFor(second);
  await shop.pass(3 * hourMs, minuteMs);
  await atOtherTill(second);
  await shop.pass(26 * hourMs, minuteMs);
  expect(only('T-1')).toMatchObject({ state: 'cancelled', found: null });
});

test('another till’s for the first customer agrees with none, when both were refused', async () => {
  await refuseFor(first);
  await shop.pass(31 * minuteMs, 5_000);
  await refuseFor(second);
  await shop.pass(2 * minuteMs, 5_000);
  const record = await atOtherTill(first);
  expect(await shop.core.agreesWith(only('T-1'), record)).toBe(false);
  await shop.pass(30 * minuteMs, 5_000);
  expect(only('T-1')).toMatchObject({ state: 'cancelled', found: null });
});

test('the first request’s of its own time agrees, when both were refused', async () => {
  await refuseFor(first);
  await shop.pass(2 * minuteMs, 5_000);
  const record = await atOtherTill(first);
  await shop.pass(30 * minuteMs, 5_000);
  expect(await shop.core.agreesWith(only('T-1'), record)).toBe(true);
});
