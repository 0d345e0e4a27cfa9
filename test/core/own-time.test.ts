import BetterSqlite3 from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { databasePath } from '../../app/machine/data-files.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, withFields } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// A proxy on the way tells a Date that is minutes or days off. The till's clock and the service's own are right.

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const minutes = (count: number) => count * 60_000;
const days = (count: number) => count * 86_400_000;
const ownTimeWarnings = () => shop.warnings.filter((message) => message.includes('sent once more')).length;
const refusedWarnings = () => shop.warnings.filter((message) => message.includes('refused a sale')).length;
const isEarn = callOf('POST', '/transactions/earn');
const sentAtMs = (externalRef: string) =>
  Date.parse(JSON.parse(shop.core.sentRequest(shop.operation(externalRef).rowId)?.body ?? '').occurred_at);

/** All answers have a Date that is so far off. @returns counts the sales that are sent from here on */
function tellDate(offByMs: number): { readonly sends: number } {
  const counted = { sends: 0 };
  shop.meddle = async (call, carry) => {
    if (isEarn(call)) counted.sends += 1;
    const outcome = await carry(call);
    if (outcome.kind !== 'response') return outcome;
    const date = new Date(shop.clock.now() + offByMs).toUTCString();
    return { ...outcome, response: { ...outcome.response, headers: { ...outcome.response.headers, date } } };
  };
  return counted;
}

describe.each([minutes(6), minutes(50), days(2), days(400), -days(5)])(
  'with a proxy whose Date is %i ms off, a sale of a till with a right clock',
  (offByMs) => {
    beforeEach(async () => {
      tellDate(offByMs);
      await shop.pass(120_000, 1_000);
    });

    test('is applied by itself, once, with the till’s own time', async () => {
      const saved = await shop.saved('R-1');
      const soldAtMs = shop.clock.now();
      expect(Math.abs(saved.occurredAtMs - soldAtMs)).toBeGreaterThan(minutes(5));
      await shop.pass(20_000, 1_000);
      expect(shop.operation('R-1')).toMatchObject({ state: 'applied', occurredAtMs: soldAtMs, error: null });
      expect(sentAtMs('R-1')).toBe(soldAtMs);
      expect(shop.core.sentRequest(saved.rowId)?.businessDate).toBe('2026-11-20');
      expect(await shop.held('R-1')).toHaveLength(1);
      expect(await shop.points()).toBe(255.5);
      expect([ownTimeWarnings(), refusedWarnings()]).toEqual([1, 0]);
    });

    test.each([
      ['', 0],
      ['', minutes(30)],
      ['after a restart, ', 0],
      ['after a restart, ', minutes(30)],
    ])('is the same sale when it comes again (%s%i ms later)', async (restarted, laterMs) => {
      await shop.saved('R-1');
      await shop.pass(20_000, 1_000);
      if (restarted !== '') {
        await shop.stop();
        shop.start();
        await shop.pass(60_000, 1_000);
      }
      await shop.pass(laterMs, 30_000);
      expect(await shop.saveEarn('R-1')).toMatchObject({ kind: 'saved', duplicate: true });
    });

    test('is one of many, and none of them waits for a person or for the others', async () => {
      const references = Array.from({ length: 30 }, (_, index) => `R-${index}`);
      await Promise.all(references.map((reference) => shop.saved(reference)));
      await shop.pass(30_000, 1_000);
      expect(references.filter((reference) => shop.operation(reference).state !== 'applied')).toEqual([]);
      expect(await shop.points()).toBe(245.5 + 300);
    });
  },
);

describe('with a proxy whose Date is two days off, a sale that is refused', () => {
  /** In the place of what the service says. */
  async function sellRefusedWith(details: readonly string[] | null): Promise<{ readonly sends: number }> {
    const counted = tellDate(days(2));
    await shop.pass(120_000, 1_000);
    answerInstead(shop, isEarn, (own) => {
      const { response } = own?.kind === 'response' ? own : expect.fail();
      if (response.status < 400) return { kind: 'response', response };
      const { error } = JSON.parse(response.body);
      const { details: _, ...bare } = error;
      return withFields(own, { error: details === null ? bare : { ...bare, details } });
    });
    await shop.saved('R-1');
    await shop.pass(20_000, 1_000);
    return counted;
  }

  test('with details that name the time in other words is applied with the till’s own time', async () => {
    await sellRefusedWith(['occurred_at is too late']);
    expect(shop.operation('R-1')).toMatchObject({ state: 'applied' });
    expect(await shop.points()).toBe(255.5);
  });

  test.each([[null], [[]], [['branch_ref: is not known']]])(
    'with the details %j waits for a person with the time that it had',
    async (details) => {
      const { sends } = await sellRefusedWith(details);
      expect(shop.operation('R-1').state).toBe('refused');
      expect(Math.abs(shop.operation('R-1').occurredAtMs - shop.clock.now())).toBeGreaterThan(days(1));
      expect(sends).toBe(1);
    },
  );
});

test('a refused sale goes out once more and no oftener: then a person has to decide', async () => {
  // The till's clock is wrong, too, so the service takes neither time.
  shop.setTillClock(-days(10));
  const counted = tellDate(days(5));
  await shop.pass(120_000, 1_000);
  await shop.saved('R-1');
  await shop.pass(600_000, 5_000);
  expect(shop.operation('R-1')).toMatchObject({ state: 'refused', error: { details: ['occurred_at_outside_window'] } });
  expect(counted.sends).toBe(2);
  const why = shop.core.history(shop.operation('R-1').rowId).find(({ reason }) => reason !== null);
  expect(why).toMatchObject({ from: 'refused', to: 'queued', person: null });
});

test('a sale that was refused for another reason waits for a person with the time that it had', async () => {
  const counted = tellDate(minutes(6));
  await shop.pass(120_000, 1_000);
  await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
  const { occurredAtMs } = await shop.saved('R-1');
  await shop.pass(60_000, 1_000);
  expect(shop.operation('R-1')).toMatchObject({ state: 'refused', occurredAtMs });
  expect(counted.sends).toBe(1);
});

test('a sale of a till with a wrong clock that is too old by the right dates gets no later time', async () => {
  // A day ahead: by its own clock the sale of 73 hours ago would pass for one of two days ago.
  shop.setTillClock(days(1));
  await shop.pass(120_000, 1_000);
  const { meddle } = shop;
  shop.meddle = async () => ({ kind: 'dropped' });
  const { occurredAtMs } = await shop.saved('R-1');
  await shop.pass(73 * minutes(60), minutes(5));
  shop.meddle = meddle;
  await shop.pass(minutes(10), 5_000);
  expect(shop.operation('R-1')).toMatchObject({ state: 'refused', occurredAtMs });
  expect(await shop.held('R-1')).toEqual([]);
});

test('a sale that was undone meanwhile does not go out once more', async () => {
  tellDate(minutes(6));
  await shop.pass(120_000, 1_000);
  const answer = Promise.withResolvers<void>();
  const { meddle } = shop;
  shop.meddle = async (call, carry) => {
    if (isEarn(call)) await answer.promise;
    return meddle(call, carry);
  };
  const { rowId } = await shop.saved('R-1');
  await shop.quiet();
  const undo = {
    origin: 'till',
    operationId: shop.newId(),
    reversalRef: null,
    reason: null,
    idempotencyKey: null,
  } as const;
  await shop.core.reverse(rowId, undo);
  answer.resolve();
  await shop.pass(60_000, 1_000);
  expect(shop.operation('R-1').state).toBe('cancelled');
  expect(await shop.held('R-1')).toEqual([]);
  expect([ownTimeWarnings(), refusedWarnings()]).toEqual([0, 0]);
});

test('a sale that another program has changed meanwhile does not go out once more', async () => {
  const counted = tellDate(minutes(6));
  await shop.pass(120_000, 1_000);
  const { meddle } = shop;
  shop.meddle = async (call, carry) => {
    const outcome = await meddle(call, carry);
    if (isEarn(call)) {
      const database = new BetterSqlite3(databasePath(shop.dataDir, 'sandbox'));
      database.exec(`UPDATE operations SET idempotency_key = 'theirs' WHERE external_ref = 'R-1'`);
      database.close();
    }
    return outcome;
  };
  await shop.saved('R-1');
  await shop.pass(60_000, 1_000);
  expect(shop.operation('R-1').state).toBe('refused');
  expect(counted.sends).toBe(1);
  expect([ownTimeWarnings(), refusedWarnings()]).toEqual([0, 1]);
});
