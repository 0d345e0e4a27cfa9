import { statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Shop } from '../support/core-shop.ts';
import { answer, refusal } from '../support/scripted-service.ts';

// The service, or who stands in for it, answers with as much as it likes: neither the disk nor the memory is its own.

const mebibyte = 1024 * 1024;
const flood = 'x'.repeat(4 * mebibyte);
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
});
afterEach(() => shop.end());

const onTheDisk = () =>
  [shop.databasePath, `${shop.databasePath}-wal`].reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
const says = (status: number, body: object, headers = {}) =>
  ({ kind: 'say', status, body: JSON.stringify(body), headers }) as const;
const error = { code: 'CARD_NOT_ELIGIBLE', message: 'no', retryable: false, request_id: 'r' };

describe('what is kept of an answer', () => {
  it.each([
    ['message', { message: flood }],
    ['code', { code: flood }],
    ['request_id', { request_id: flood }],
    ['details', { details: [flood] }],
    ['many details', { details: Array.from({ length: 100_000 }, () => 'x') }],
  ])('is little of a refusal, however long: %s', async (_, more) => {
    const before = onTheDisk();
    shop.service.script = ({ call }) => (call === 'earn' ? says(422, { error: { ...error, ...more } }) : answer);
    await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'refused');
    expect(onTheDisk() - before).toBeLessThan(mebibyte / 2);
    expect(JSON.stringify(shop.operation('R-1').error).length).toBeLessThan(20_000);
  });

  it('is little of what it says again and again, for a whole day', async () => {
    const before = onTheDisk();
    const again = { ...error, code: flood, request_id: flood, retryable: true };
    shop.service.script = ({ call }) => (call === 'earn' ? says(503, { error: again }) : answer);
    const { rowId } = await shop.saved('R-1');
    const endMs = shop.clock.monotonicMs() + 86_400_000;
    await shop.passUntil(() => shop.service.earnsOf('R-1').length > 30 || shop.clock.monotonicMs() > endMs, {
      limitMs: 2 * 86_400_000,
    });
    expect(shop.core.history(rowId).length).toBeGreaterThan(5);
    expect(onTheDisk() - before).toBeLessThan(mebibyte);
  });
});

describe('an answer that is too long to be one', () => {
  it.each([
    ['of 9 MiB', 'x'.repeat(9 * mebibyte)],
    ['with an id of 4 MiB', flood],
  ])('is not believed, nothing of it is kept, and the sale waits: %s', async (_, transaction_id) => {
    const before = onTheDisk();
    const accepted = { transaction_id, status: 'pending', duplicate: false };
    shop.service.script = ({ call }) => (call === 'earn' ? says(202, accepted) : answer);
    await shop.saved('R-1');
    await shop.passUntil(() => shop.service.earnsOf('R-1').length > 2);
    expect(['queued', 'sending', 'unknown']).toContain(shop.state('R-1'));
    expect(onTheDisk() - before).toBeLessThan(mebibyte / 2);
    shop.service.script = () => answer;
    await shop.passUntil(() => shop.state('R-1') === 'applied');
  });

  it('with heads of 100 KiB is none, either', async () => {
    const heads = { 'x-request-id': 'x'.repeat(100 * 1024) };
    shop.service.script = ({ call }) => (call === 'earn' ? says(422, { error }, heads) : answer);
    await shop.saved('R-1');
    await shop.passUntil(() => shop.service.earnsOf('R-1').length > 1);
    expect(shop.state('R-1')).not.toBe('refused');
  });

  it('has its request id cut', async () => {
    const heads = { 'x-request-id': 'x'.repeat(10_000) };
    shop.service.script = ({ call }) => (call === 'earn' ? says(503, {}, heads) : answer);
    const { rowId } = await shop.saved('R-1');
    await shop.passUntil(() => shop.service.earnsOf('R-1').length > 1);
    for (const { requestId } of shop.core.history(rowId)) expect(requestId?.length ?? 0).toBeLessThan(200);
  });
});

describe('a service that takes each sale and then knows nothing of it', () => {
  it('gets it again at most once in two minutes, with three lines of history each time', async () => {
    let taken = 0;
    shop.service.script = ({ call }) => {
      if (call === 'transaction') return refusal(404, 'TRANSACTION_NOT_FOUND');
      if (call === 'by_reference') return says(200, { data: [], next_cursor: null });
      if (call !== 'earn') return answer;
      taken += 1;
      return says(202, { transaction_id: `txn_${taken}`, status: 'pending', duplicate: false });
    };
    const { rowId } = await shop.saved('R-1');
    const endMs = shop.clock.monotonicMs() + 6 * 3_600_000;
    await shop.passUntil(() => shop.clock.monotonicMs() > endMs, { limitMs: 7 * 3_600_000 });
    // The pauses grow to five minutes at most, and differ by chance.
    expect(taken).toBeGreaterThan(20);
    expect(taken).toBeLessThan(180);
    expect(shop.core.history(rowId).length).toBeLessThan(3.2 * taken);
  });

  it('or leaves each pending for ever, is asked about it at most once a minute in the end', async () => {
    shop.service.applyDelayMs = Number.MAX_SAFE_INTEGER / 4;
    const { rowId } = await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'accepted');
    const linesBefore = shop.core.history(rowId).length;
    const endMs = shop.clock.monotonicMs() + 3_600_000;
    await shop.passUntil(() => shop.clock.monotonicMs() > endMs, { limitMs: 2 * 3_600_000 });
    const polls = shop.service.requests.filter(({ call }) => call === 'transaction').length;
    expect(polls).toBeGreaterThan(30);
    expect(polls).toBeLessThan(90);
    expect(shop.core.history(rowId)).toHaveLength(linesBefore);
  });
});
