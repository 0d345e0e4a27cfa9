import BetterSqlite3 from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { databasePath } from '../../app/machine/data-files.ts';
import type { ImmediateOutcome } from '../../app/operations/immediate/immediate-outcome.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

const waits = { waitMs: 120_000 };
const atOnce = { waitMs: 0 };

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const redeem = (ref: string, value: object = { points: 40 }, options = waits) =>
  shop.core.perform(shop.redemption(ref, value), options);
const stateOf = (ref: string) => shop.core.operationsByReference(ref)[0]?.state;
const redemptions = async (ref: string) => (await shop.held(ref)).filter(({ intent }) => intent === 'redeem').length;

describe('a write for which somebody waits', () => {
  test('is saved, sent and applied, with the answer kept', async () => {
    const outcome = await redeem('R-1');
    expect(outcome).toMatchObject({ kind: 'done', duplicate: false, answer: { status: 'success', points: 40 } });
    expect(stateOf('R-1')).toBe('applied');
    expect(await shop.points()).toBe(205.5);
    const operation = shop.core.operationsByReference('R-1')[0];
    expect(shop.core.history(operation?.rowId ?? 0).map(({ to }) => to)).toEqual(['queued', 'sending', 'applied']);
  });

  test('that is refused says why, and nothing is left that waits for a person', async () => {
    const outcome = await redeem('R-1', { points: 9999 });
    expect(outcome).toMatchObject({
      kind: 'refused',
      refusal: { httpStatus: 422, error: { code: 'INSUFFICIENT_BALANCE' } },
    });
    expect(stateOf('R-1')).toBe('cancelled');
    expect(shop.core.status().operations).toMatchObject({ refused: 0, unknown: 0, sending: 0 });
  });

  test('may be corrected after a refusal, under the same reference', async () => {
    await redeem('R-1', { points: 9999 });
    expect(await redeem('R-1', { points: 10 })).toMatchObject({ kind: 'done' });
    expect(await shop.points()).toBe(235.5);
  });

  test('offline is refused at once, and nothing is stored to be sent', async () => {
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    expect(await redeem('R-1')).toMatchObject({ kind: 'not_sent', cause: 'offline' });
    expect(shop.core.operationsByReference('R-1')).toEqual([]);
    await shop.mend();
    await shop.pass(60_000);
    expect(await shop.held('R-1')).toEqual([]);
  });

  test('that meets a dead line was proven not sent, and is not sent later', async () => {
    await shop.fault('/transactions/redeem', { type: 'offline' });
    expect(await redeem('R-1')).toMatchObject({ kind: 'not_sent', cause: 'offline' });
    expect(stateOf('R-1')).toBe('cancelled');
    await shop.mend();
    await shop.pass(60_000);
    expect(await shop.held('R-1')).toEqual([]);
    // Asked for again, it is done.
    expect(await redeem('R-1')).toMatchObject({ kind: 'done' });
  });

  test('pressed twice is one: by the same press, and by the same reference from a POS program', async () => {
    const write = shop.redemption('R-1', { points: 40 });
    const both = await Promise.all([shop.core.perform(write, waits), shop.core.perform(write, waits)]);
    const third = await shop.core.perform({ ...write, operationId: shop.newId(), origin: 'bridge' }, atOnce);
    expect(both.map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect(third).toMatchObject({ kind: 'done', duplicate: true });
    expect(await shop.points()).toBe(205.5);
  });

  test('the same reference for other values is refused here, and nothing is sent', async () => {
    await redeem('R-1', { points: 40 });
    expect(await redeem('R-1', { points: 41 })).toMatchObject({ kind: 'reference_taken', differingFields: ['points'] });
    expect(await shop.points()).toBe(205.5);
  });
});

describe('an outcome that is not known', () => {
  test('is read first: a redemption whose answer was lost is not sent again', async () => {
    await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
    const outcome = await shop.passUntil(redeem('R-1'));
    expect(outcome).toMatchObject({ kind: 'done', answer: { points: 40 } });
    expect(await shop.points()).toBe(205.5);
    const { data } = await shop.call('GET', '/_sandbox/requests?limit=50');
    expect(data.filter(({ path }: { path: string }) => path === '/transactions/redeem')).toHaveLength(1);
  });

  test('is sent again with the same bytes while the caller waits, when the books do not show it', async () => {
    await shop.fault('/transactions/redeem', { type: 'drop_request' }, 2);
    expect(await shop.passUntil(redeem('R-1'))).toMatchObject({ kind: 'done' });
    expect(await redemptions('R-1')).toBe(1);
    expect(await shop.points()).toBe(205.5);
  });

  test('is told as unknown at once to a caller who does not wait, and its retry finds out', async () => {
    await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
    expect(await shop.passUntil(redeem('R-1', { points: 40 }, atOnce))).toMatchObject({ kind: 'unknown' });
    expect(await shop.passUntil(redeem('R-1', { points: 40 }, atOnce))).toMatchObject({ kind: 'done' });
    expect(await shop.points()).toBe(205.5);
  });

  test('is no duplicate when the retry is the first that arrives', async () => {
    await shop.fault('/transactions/redeem', { type: 'drop_request' }, 1);
    expect(await shop.passUntil(redeem('R-1', { points: 40 }, atOnce))).toMatchObject({ kind: 'unknown' });
    expect(await shop.passUntil(redeem('R-1', { points: 40 }, atOnce))).toMatchObject({
      kind: 'done',
      duplicate: false,
    });
    expect(await redemptions('R-1')).toBe(1);
  });

  test('is not sent again once the caller has gone: what the books do not show ends as never recorded', async () => {
    await shop.fault('/transactions/redeem', { type: 'drop_request' });
    expect(await shop.passUntil(redeem('R-1', { points: 40 }, atOnce))).toMatchObject({ kind: 'unknown' });
    await shop.mend();
    await shop.pass(120_000);
    expect(stateOf('R-1')).toBe('cancelled');
    expect(await shop.held('R-1')).toEqual([]);
  });

  test.each(['drop_request', 'drop_response'])('is found out after a kill and a restart (%s)', async (type) => {
    await shop.fault('/transactions/redeem', { type });
    const asking = shop.passUntil(redeem('R-1'), 1_000).catch(() => null);
    await shop.pass(500);
    shop.crash();
    await asking;
    await shop.mend();
    shop.start();
    await shop.pass(120_000);
    expect(stateOf('R-1')).toBe(type === 'drop_response' ? 'applied' : 'cancelled');
    expect(await redemptions('R-1')).toBe(type === 'drop_response' ? 1 : 0);
  });

  test.each([-7_200_000, 7_200_000])('is found out soon though the till’s clock is set by %i ms', async (byMs) => {
    await shop.fault('/transactions/redeem', { type: 'drop_request' });
    await shop.passUntil(redeem('R-1', { points: 40 }, atOnce));
    await shop.mend();
    shop.setTillClock(byMs);
    await shop.pass(600_000, 5_000);
    expect(stateOf('R-1')).toBe('cancelled');
  });

  test.each([
    ['redeem', '/transactions/redeem', 'nothing'],
    ['reserve', '/redemptions/reserve', 'nothing'],
    ['redeem', '/transactions/redeem', 'a restart'],
  ] as const)(
    '%s has its time to arrive though the till’s clock is set forward (%s, %s)',
    async (intent, path, between) => {
      await shop.fault(path, { type: 'drop_request' });
      await shop.passUntil(shop.core.perform(shop.redemption('R-1', { points: 40 }, { intent, path }), atOnce));
      await shop.mend();
      if (between === 'a restart') await shop.stop();
      shop.setTillClock(4 * 3_600_000);
      if (between === 'a restart') shop.start();
      await shop.pass(28_000);
      expect(stateOf('R-1')).toBe('unknown');
      await shop.pass(120_000, 1_000);
      expect(stateOf('R-1')).toBe('cancelled');
    },
  );

  test('under another key that does not show it, it is neither sent again nor ended', async () => {
    await shop.fault('/transactions/redeem', { type: 'drop_request' });
    await shop.passUntil(redeem('R-1', { points: 40 }, atOnce));
    await shop.mend();
    const { key } = await shop.call('POST', '/_sandbox/keys', { source: 'another' });
    await shop.stop();
    shop.start(key);
    await shop.pass(1_000);
    // Nor for whoever asks for it again and waits.
    expect(await shop.passUntil(redeem('R-1', { points: 40 }, { waitMs: 20_000 }))).toMatchObject({ kind: 'unknown' });
    expect(await shop.points()).toBe(245.5);
    await shop.pass(600_000, 5_000);
    shop.start(key);
    await shop.pass(600_000, 5_000);
    expect(stateOf('R-1')).toBe('unknown');
    expect(await shop.held('R-1')).toEqual([]);
  });
});

test('an outcome that the database does not take keeps no other back, and is tried again now and then', async () => {
  await shop.fault('/transactions/redeem', { type: 'drop_response' });
  await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
  const both = ['BAD', 'R-1'].map((ref) => redeem(ref, { points: 1 }, atOnce));
  expect((await shop.passUntil(Promise.all(both))).map(({ kind }) => kind)).toEqual(['unknown', 'unknown']);
  const other = new BetterSqlite3(databasePath(shop.dataDir, 'sandbox'));
  other.exec(`CREATE TRIGGER spoil BEFORE UPDATE OF state ON operations
    WHEN new.external_ref = 'BAD' AND new.state = 'applied' BEGIN SELECT RAISE(ABORT, 'bad row'); END`);
  await shop.mend();
  await shop.pass(60_000);
  expect(stateOf('R-1')).toBe('applied');
  expect(stateOf('BAD')).toBe('unknown');
  expect(shop.errors.length).toBeGreaterThan(1);
  expect(shop.errors.length).toBeLessThan(15);
  other.exec('DROP TRIGGER spoil');
  other.close();
  await shop.pass(300_000, 1_000);
  expect(stateOf('BAD')).toBe('applied');
  shop.errors.length = 0;
});

test('an answer that the database does not take is told as not known, never as not sent, and found out later', async () => {
  const other = new BetterSqlite3(databasePath(shop.dataDir, 'sandbox'));
  other.exec(`CREATE TRIGGER full BEFORE UPDATE OF state ON operations WHEN old.state = 'sending'
    BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
  expect(await shop.passUntil(redeem('R-1', { points: 40 }, atOnce))).toMatchObject({ kind: 'unknown' });
  expect(await shop.points()).toBe(205.5);
  await shop.pass(10_000);
  other.exec('DROP TRIGGER full');
  other.close();
  await shop.pass(60_000);
  expect(stateOf('R-1')).toBe('applied');
  expect(shop.errors.length).toBeGreaterThan(0);
  shop.errors.length = 0;
});

describe('Take full payment, and Give it', () => {
  async function lost(type: string, ref = 'R-1', value: object = { points: 40 }): Promise<string> {
    await shop.fault('/transactions/redeem', { type });
    await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
    const write = shop.redemption(ref, value);
    const asking: Promise<ImmediateOutcome> = shop.core.perform(write, { waitMs: 20_000 });
    void asking.catch(() => undefined);
    await shop.pass(2_000);
    expect(stateOf(ref)).toBe('unknown');
    return write.operationId;
  }

  test('Take full payment: what the service turns out to hold is taken back when it can be', async () => {
    const id = await lost('drop_response');
    expect(await shop.core.decide(id, 'take_full_payment')).toMatchObject({
      kind: 'decided',
      operation: { decision: 'take_full_payment' },
    });
    expect(await shop.points()).toBe(205.5);
    await shop.mend();
    await shop.pass(120_000);
    expect(stateOf('R-1')).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
  });

  test('Take full payment: what never arrived is not sent again', async () => {
    const id = await lost('drop_request');
    await shop.core.decide(id, 'take_full_payment');
    await shop.mend();
    await shop.pass(120_000);
    expect(stateOf('R-1')).toBe('cancelled');
    expect(await shop.held('R-1')).toEqual([]);
  });

  test.each([
    ['the same press', true],
    ['a POS program with the same reference', false],
  ])('Take full payment: %s, long after, spends nothing', async (_, isSamePress) => {
    const id = await lost('drop_request');
    await shop.core.decide(id, 'take_full_payment');
    await shop.mend();
    await shop.pass(120_000);
    expect(stateOf('R-1')).toBe('cancelled');
    const write = shop.redemption('R-1', { points: 40 }, isSamePress ? { operationId: id } : { origin: 'bridge' });
    expect(await shop.passUntil(shop.core.perform(write, atOnce))).toMatchObject({
      kind: 'refused',
      refusal: { httpStatus: 409, error: { details: ['paid_in_full'], retryable: false } },
    });
    await shop.pass(60_000);
    expect(await shop.held('R-1')).toEqual([]);
    expect(stateOf('R-1')).toBe('cancelled');
  });

  test('Take full payment: another customer under its number is told which fields differ', async () => {
    const id = await lost('drop_request');
    await shop.core.decide(id, 'take_full_payment');
    await shop.mend();
    const identifier = { loyalty_id: 'LC-1009' };
    const body = { identifier, external_ref: 'R-1', points: 40 };
    const anothers = { ...shop.redemption('R-1', { points: 40 }, { origin: 'bridge' }), identifier, body };
    const conflict = { kind: 'reference_taken', differingFields: ['identifier'] };
    expect(await shop.passUntil(shop.core.perform(anothers, atOnce))).toMatchObject(conflict);
    await shop.pass(120_000);
    expect(stateOf('R-1')).toBe('cancelled');
    expect(await shop.passUntil(shop.core.perform(anothers, atOnce))).toMatchObject(conflict);
    expect(await shop.held('R-1')).toEqual([]);
  });

  test('Take full payment: whoever asks again is told so, also while what was spent is being taken back', async () => {
    const id = await lost('drop_response');
    await shop.core.decide(id, 'take_full_payment');
    await shop.pass(20_000);
    await shop.mend();
    const again = () => shop.passUntil(shop.core.perform(shop.redemption('R-1', { points: 40 }), atOnce));
    const paid = { kind: 'refused', refusal: { error: { details: ['paid_in_full'] } } };
    expect(await again()).toMatchObject(paid);
    await shop.pass(120_000);
    expect(stateOf('R-1')).toBe('reversed');
    expect(await again()).toMatchObject(paid);
    expect(await shop.points()).toBe(245.5);
  });

  test.each(['drop_request', 'drop_response'])('Give it: it is finished when the line is back (%s)', async (type) => {
    const id = await lost(type);
    await shop.core.decide(id, 'give_it');
    await shop.mend();
    await shop.pass(120_000);
    expect(stateOf('R-1')).toBe('applied');
    expect(await redemptions('R-1')).toBe(1);
    expect(await shop.points()).toBe(205.5);
  });

  test('Give it: what was changed on the disk meanwhile is not sent before a person releases it', async () => {
    const id = await lost('drop_request');
    await shop.core.decide(id, 'give_it');
    await shop.stop();
    const database = new BetterSqlite3(databasePath(shop.dataDir, 'sandbox'));
    database.exec(`UPDATE operations SET body = replace(body, '40', '41') WHERE external_ref = 'R-1'`);
    database.close();
    await shop.mend();
    shop.start();
    await shop.pass(30 * 60_000, 5_000);
    expect(shop.core.operationsByReference('R-1')).toMatchObject([
      { state: 'unknown', error: { code: 'CHANGED_ON_DISK' } },
    ]);
    expect(await shop.held('R-1')).toEqual([]);
    expect(shop.audited).toEqual([{ event: 'operation_changed', operation_id: id }]);
    expect(await shop.core.resend(id, { person: 'Mona', reason: 'looked at the receipt' })).toMatchObject({
      kind: 'done',
    });
    await shop.pass(10 * 60_000, 5_000);
    expect(stateOf('R-1')).toBe('applied');
    expect(await shop.points()).toBe(204.5);
    expect(shop.core.status().connection.state).toBe('online');
  });

  test('what was changed on the disk meanwhile is not taken for a record of the books: a person decides', async () => {
    await lost('drop_response');
    await shop.stop();
    // Another one's record of that number, made to look like this row's.
    const database = new BetterSqlite3(databasePath(shop.dataDir, 'sandbox'));
    database.exec(`UPDATE operations SET body = replace(body, '40', '41') WHERE external_ref = 'R-1'`);
    database.close();
    await shop.mend();
    answerInstead(shop, callOf('GET', '/transactions'), (own) => {
      if (own?.kind !== 'response') throw new Error('The books gave no answer');
      const body = own.response.body.replaceAll('"points":40', '"points":41');
      return { ...own, response: { ...own.response, body } };
    });
    shop.start();
    await shop.pass(10 * 60_000, 5_000);
    expect(shop.core.operationsByReference('R-1')).toMatchObject([
      { state: 'unknown', error: { code: 'CHANGED_ON_DISK' } },
    ]);
    expect(shop.core.status().operations.changed).toBe(1);
  });

  test('the decision outlives a kill', async () => {
    const id = await lost('drop_response');
    await shop.core.decide(id, 'take_full_payment');
    shop.crash();
    await shop.mend();
    shop.start();
    await shop.pass(120_000);
    expect(stateOf('R-1')).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
  });

  test('a reward can only be given', async () => {
    const id = await lost('drop_request', 'R-1', { reward: true, reward_id: 'rwd_cake' });
    expect(await shop.core.decide(id, 'take_full_payment')).toMatchObject({ kind: 'one_shot' });
    expect(await shop.core.decide(id, 'give_it')).toMatchObject({ kind: 'decided' });
    await shop.mend();
    await shop.pass(120_000);
    expect(stateOf('R-1')).toBe('applied');
  });

  test('given, and then refused by the service: that waits for a person', async () => {
    const id = await lost('drop_request', 'R-1', { points: 200 });
    await shop.core.decide(id, 'give_it');
    await shop.call('POST', '/_sandbox/cards/card_01JDEM00000000000000000001/suspend');
    await shop.mend();
    await shop.pass(120_000);
    expect(stateOf('R-1')).toBe('refused');
  });

  test('what is known already needs no decision', async () => {
    const outcome = await redeem('R-1');
    const id = outcome.kind === 'done' ? outcome.operation.operationId : '';
    expect(await shop.core.decide(id, 'give_it')).toMatchObject({ kind: 'already_known' });
    expect(await shop.core.decide('00000000-0000-4000-8000-999999999999', 'give_it')).toEqual({ kind: 'not_found' });
  });
});
