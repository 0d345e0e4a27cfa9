import BetterSqlite3 from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { createOffice } from '../../app/office/office.ts';
import { closeDay, readDay } from '../../app/till/day.ts';
import type { EarnRequest } from '../../shared/contract/transaction.ts';
import { cashierSums } from '../../shared/till/cashier-sums.ts';
import { dayCsv } from '../../shared/till/day-csv.ts';
import type { DayView } from '../../shared/till/day-views.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';

const hourMs = 3_600_000;

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const earn = async (ref: string, request: Partial<EarnRequest>) => (await shop.saved(ref, request)).operationId;
const day = (date: string | null = null): Promise<DayView> => readDay(shop.core, date);
const close = async (date: string, acknowledged = 0, by = 'Huda') => {
  const reply = await closeDay(
    shop.core,
    { business_date: date, closed_by: by, acknowledged_open: acknowledged },
    { by: null },
  );
  if (!reply.ok) throw new Error(reply.error.code);
  return reply.value;
};
const figures = (view: Pick<DayView, 'lines'>, intent = 'earn') =>
  view.lines
    .filter((line) => line.intent === intent)
    .map(({ unit, currency, applied, waiting, refused, written_off, taken_back }) => ({
      in: currency ?? unit,
      applied,
      waiting,
      refused,
      written_off,
      taken_back,
    }));
const none = { count: 0, total: 0 };

describe('a business day', () => {
  it('is counted by operation and currency, each under what became of it', async () => {
    await earn('A-1', { amount_minor: 12_500 });
    await earn('A-2', { amount_minor: 7_250 });
    await earn('A-3', { points: 2.5 });
    await shop.pass(3_000);
    await earn('B-1', { identifier: { loyalty_id: 'NOBODY' }, amount_minor: 1_000 });
    const given = await earn('B-2', { identifier: { loyalty_id: 'NOBODY' }, amount_minor: 2_000 });
    await shop.pass(3_000);
    await shop.core.writeOff(given, { person: 'Huda', reason: 'no such card' });
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(1_000);
    await earn('C-1', { amount_minor: 500 });
    const undone = await earn('C-2', { amount_minor: 900 });
    await shop.pass(1_000);
    await shop.core.cancel(undone);
    expect(figures(await day())).toEqual([
      {
        in: 'KWD',
        applied: { count: 2, total: 19_750 },
        waiting: { count: 1, total: 500 },
        refused: { count: 1, total: 1_000 },
        written_off: { count: 1, total: 2_000 },
        taken_back: { count: 1, total: 900 },
      },
      {
        in: 'points',
        applied: { count: 1, total: 2.5 },
        waiting: none,
        refused: none,
        written_off: none,
        taken_back: none,
      },
    ]);
    expect((await day()).open).toEqual({ waiting: 1, attention: 1 });
  });

  it('is counted for each cashier, with what is held, and stays so once it is closed', async () => {
    await earn('A-1', { amount_minor: 12_500, employee_ref: 'E-7' });
    await earn('A-2', { amount_minor: 2_000, employee_ref: 'E-8' });
    await earn('A-3', { amount_minor: 1_000 });
    await shop.pass(3_000);
    await shop.core.perform(shop.redemption('A-5', { points: 5, employee_ref: 'E-7' }), { waitMs: 1_000 });
    const held = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'C-1', points: 7 };
    const write = {
      ...shop.redemption('C-1#x', {}),
      intent: 'reserve',
      path: '/redemptions/reserve',
      body: held,
    } as const;
    await shop.core.perform({ ...write, employeeRef: 'E-8' }, { waitMs: 1_000 });
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(1_000);
    const undone = await earn('A-4', { amount_minor: 900, employee_ref: 'E-7' });
    await shop.pass(1_000);
    await shop.core.cancel(undone);
    const sums = (view: DayView) =>
      view.cashiers?.map(({ employee_ref, ...figures_ }) => [employee_ref, cashierSums(figures_)] as const);
    const money = (total: number) => [{ unit: 'money', currency: 'KWD', count: 1, total }];
    const points = (total: number) => [{ unit: 'points', currency: null, count: 1, total }];
    const nothing = { earned: [], spent: [], given: [], undone: [], waiting: [], held: [] };
    const expected = [
      ['E-7', { ...nothing, earned: money(12_500), spent: points(5), undone: money(900) }],
      ['E-8', { ...nothing, earned: money(2_000), held: points(7) }],
      [null, { ...nothing, earned: money(1_000) }],
    ];
    expect(sums(await day())).toEqual(expected);
    expect((await close((await day()).today)).kind).toBe('closed');
    await earn('B-1', { amount_minor: 4_000, employee_ref: 'E-7' });
    await shop.pass(3_000);
    const closed = await day();
    expect(sums(closed)).toEqual(expected);
    expect(
      closed.since_closing?.cashiers.map(({ employee_ref, lines }) => [employee_ref, cashierSums({ lines }).waiting]),
    ).toEqual([['E-7', money(4_000)]]);
    // Script: each cashier's figures are rows of their own, under the reference in the last column.
    const rows = dayCsv(closed)
      .split('\r\n')
      .filter((row) => /,(cashier|held),/.test(row));
    expect(rows.some((row) => row.includes(',cashier,earn,') && row.endsWith(',E-8'))).toBe(true);
    expect(rows.some((row) => row.includes(',held,reserve,') && row.includes(',1,7,') && row.endsWith(',E-8'))).toBe(
      true,
    );
  });

  it('begins when the shop says, not at midnight', async () => {
    expect((await day()).today).toBe('2026-11-20');
    // 21:13 in Kuwait; the day ends at five in the morning.
    await shop.pass(7 * hourMs, hourMs);
    await earn('LATE', { amount_minor: 100 });
    await shop.pass(3_000);
    expect(figures(await day())).toMatchObject([{ applied: { count: 1, total: 100 } }]);
    await shop.pass(hourMs, hourMs);
    const next = await day();
    expect([next.business_date, next.lines]).toEqual(['2026-11-21', []]);
    expect(figures(await day('2026-11-20'))).toMatchObject([{ applied: { count: 1, total: 100 } }]);
  });

  it('counts what was spent, and what was taken back of another day', async () => {
    const given = await earn('A-1', { amount_minor: 5_000 });
    await shop.pass(3_000);
    await shop.core.perform(shop.redemption('S-1', { points: 20 }), { waitMs: 0 });
    // Nothing of what was refused to a customer who waited.
    await shop.core.perform(shop.redemption('S-2', { points: 99_999 }), { waitMs: 0 });
    await shop.pass(24 * hourMs, hourMs);
    const original = shop.core.operationById(given);
    await shop.core.reverse(original?.rowId ?? 0, {
      origin: 'till',
      operationId: shop.newId(),
      reversalRef: null,
      reason: null,
      idempotencyKey: null,
    });
    await shop.pass(5_000);
    expect(figures(await day('2026-11-20'))).toMatchObject([{ applied: none, taken_back: { count: 1, total: 5_000 } }]);
    expect(figures(await day('2026-11-20'), 'redeem')).toMatchObject([
      { in: 'points', applied: { count: 1, total: 20 }, refused: none, taken_back: none },
    ]);
    const { lines } = await day();
    expect(lines).toMatchObject([
      { intent: 'reverse', takes_back: 'earn', unit: 'money', applied: { count: 1, total: 5_000 } },
    ]);
  });

  it('tells of a reservation while its outcome is open, and no more when it holds', async () => {
    const reserve = (ref: string) =>
      shop.passUntil(
        shop.core.perform(shop.redemption(ref, { points: 5 }, { intent: 'reserve', path: '/redemptions/reserve' }), {
          waitMs: 0,
        }),
      );
    expect(await reserve('CART-1')).toMatchObject({ kind: 'done' });
    expect(figures(await day(), 'reserve')).toEqual([]);
    await shop.fault('/redemptions/reserve', { type: 'drop_request' });
    expect(await reserve('CART-2')).toMatchObject({ kind: 'unknown' });
    expect(figures(await day(), 'reserve')).toMatchObject([{ applied: none, waiting: { count: 1, total: 5 } }]);
  });

  it('is written as CSV with the currency’s own decimals', async () => {
    await earn('A-1', { amount_minor: 12_500 });
    await earn('A-2', { points: 2.5 });
    await shop.pass(3_000);
    expect(
      dayCsv(await day())
        .split('\r\n')
        .slice(1, 3),
    ).toEqual([
      '2026-11-20,day,earn,,money,KWD,1,12.500,0,0.000,0,0.000,0,0.000,0,0.000,',
      '2026-11-20,day,earn,,points,,1,2.5,0,0,0,0,0,0,0,0,',
    ]);
  });
});

describe('closing a day', () => {
  it('keeps its figures, and tells who closed it to whoever closes it again', async () => {
    await earn('A-1', { amount_minor: 12_500 });
    await shop.pass(3_000);
    const closed = await close('2026-11-20');
    expect(closed).toMatchObject({ kind: 'closed', day: { close: { closed_by: 'Huda', open_count: 0 } } });
    await shop.pass(60_000, 10_000);
    expect(await close('2026-11-20', 0, 'Sami')).toMatchObject({
      kind: 'already_closed',
      close: { closed_by: 'Huda', closed_at: closed.kind === 'closed' ? closed.day.close?.closed_at : '' },
    });
    expect((await day('2026-11-20')).close?.closed_by).toBe('Huda');
  });

  it('pressed twice at once closes once', async () => {
    const both = await Promise.all([close('2026-11-20', 0, 'Huda'), close('2026-11-20', 0, 'Sami')]);
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['already_closed', 'closed']);
  });

  it('is not possible before the day has begun', async () => {
    expect(await close('2026-11-21')).toEqual({ kind: 'not_begun', today: '2026-11-20' });
    expect((await day('2026-11-21')).close).toBeNull();
  });

  it('tells what comes later beside the figures, on the day that it belongs to', async () => {
    await earn('A-1', { amount_minor: 12_500 });
    await shop.pass(3_000);
    await close('2026-11-20');
    await earn('A-2', { amount_minor: 300 });
    await earn('A-3', { amount_minor: 200 });
    await shop.pass(3_000);
    const view = await day('2026-11-20');
    expect(figures(view)).toMatchObject([{ applied: { count: 1, total: 12_500 } }]);
    expect(view.since_closing).toMatchObject({ count: 2, lines: [{ applied: { count: 2, total: 500 } }] });
    await shop.pass(24 * hourMs, hourMs);
    expect(await day()).toMatchObject({ business_date: '2026-11-21', lines: [], after_earlier: { count: 2 } });
  });

  it('tells later what takes the place of a refused one after it, once', async () => {
    const redeem = (points: number) =>
      shop.core.perform(shop.redemption('R-1', { points, employee_ref: 'E-7' }), { waitMs: 0 });
    expect((await redeem(99_999)).kind).toBe('refused');
    await close('2026-11-20');
    expect((await day('2026-11-20')).since_closing?.count).toBe(0);
    expect((await redeem(20)).kind).toBe('done');
    const late = { count: 1, lines: [{ intent: 'redeem', applied: { count: 1, total: 20 } }] };
    expect((await day('2026-11-20')).since_closing).toMatchObject(late);
    await earn('A-1', { amount_minor: 300 });
    await shop.pass(3_000);
    expect((await day('2026-11-20')).since_closing?.count).toBe(2);
    await shop.stop();
    shop.start();
    const view = await day('2026-11-20');
    expect(view.since_closing?.cashiers.map(({ employee_ref }) => employee_ref)).toEqual(['E-7', null]);
    await shop.pass(24 * hourMs, hourMs);
    expect(await day()).toMatchObject({ business_date: '2026-11-21', lines: [], after_earlier: { count: 2 } });
  });

  it('tells what takes the place of a refused one on the next day there, and on no other day', async () => {
    const redeem = (points: number) => shop.core.perform(shop.redemption('R-1', { points }), { waitMs: 0 });
    expect((await redeem(99_999)).kind).toBe('refused');
    await close('2026-11-20');
    // Refused again, late: the row is of the closed day until it is asked for on another one.
    expect((await redeem(88_888)).kind).toBe('refused');
    await shop.pass(24 * hourMs, hourMs);
    expect((await redeem(20)).kind).toBe('done');
    expect(await day()).toMatchObject({
      business_date: '2026-11-21',
      lines: [{ intent: 'redeem', applied: { count: 1, total: 20 } }],
      after_earlier: { count: 0 },
    });
    expect((await day('2026-11-20')).since_closing?.count).toBe(0);
  });

  it('tells of what it carried over as that, whatever takes its place', async () => {
    await earn('R-1', { identifier: { loyalty_id: 'NOBODY' }, amount_minor: 700 });
    await shop.pass(3_000);
    await close('2026-11-20', 1);
    await earn('R-1', { amount_minor: 900 });
    await shop.pass(3_000);
    expect(await day('2026-11-20')).toMatchObject({
      since_closing: { count: 0 },
      carried_out: { count: 1, outcomes: { applied: 1 } },
    });
  });

  it('with something open wants it acknowledged, and no more than was seen', async () => {
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(2_000);
    await earn('A-1', { amount_minor: 12_500 });
    expect(await close('2026-11-20')).toEqual({ kind: 'needs_acknowledgement', open: { waiting: 1, attention: 0 } });
    await earn('A-2', { amount_minor: 100 });
    expect(await close('2026-11-20', 1)).toMatchObject({ kind: 'needs_acknowledgement', open: { waiting: 2 } });
    expect(await close('2026-11-20', 3)).toMatchObject({ kind: 'needs_acknowledgement', open: { waiting: 2 } });
    expect((await day()).close).toBeNull();
    expect(await close('2026-11-20', 2)).toMatchObject({ kind: 'closed', day: { close: { open_count: 2 } } });
  });

  it('closed by a command has a typed name only where nobody can sign in, and stands in the audit log', async () => {
    const notAskedFor = () => {
      throw new Error('not asked for here');
    };
    const office = createOffice(shop.core, {
      tokens: { list: notAskedFor, make: notAskedFor, share: notAskedFor, revoke: notAskedFor },
      settings: { read: notAskedFor, change: notAskedFor, held: notAskedFor },
      checkService: notAskedFor,
      sessions: { list: notAskedFor, end: notAskedFor, open: notAskedFor },
      nowMs: notAskedFor,
    });
    const closing = (business_date: string) =>
      office('day.close', { business_date, closed_by: 'Ghost', by: 'store IT (ahmad)', acknowledged_open: 0 });
    const closedAs = (name: string) => ({ answer: { kind: 'closed', day: { close: { closed_by: name } } } });
    expect(await closing('2026-11-19')).toMatchObject(closedAs('Ghost'));
    await shop.core.people.addManager('Noura', '4711');
    expect(await closing('2026-11-20')).toMatchObject(closedAs('store IT (ahmad)'));
    const told = { event: 'day_closed', open: 0, by: 'store IT (ahmad)', person: 'Ghost' };
    expect(shop.audited.filter(({ event }) => event === 'day_closed')).toEqual([
      { ...told, business_date: '2026-11-19' },
      { ...told, business_date: '2026-11-20' },
    ]);
  });

  it('carries what is open over, and the next day shows what became of it', async () => {
    const bad = await earn('BAD', { identifier: { loyalty_id: 'NOBODY' }, amount_minor: 700 });
    await shop.pass(3_000);
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(2_000);
    await earn('A-1', { amount_minor: 12_500 });
    await shop.pass(2_000);
    expect(await close('2026-11-20', 2)).toMatchObject({
      kind: 'closed',
      day: { carried_out: { count: 2, outcomes: { waiting: 1, refused: 1 } } },
    });
    await shop.pass(12 * hourMs, hourMs);
    await shop.mend();
    await shop.pass(120_000, 5_000);
    const next = await day();
    expect(next.carried_in).toMatchObject({
      business_date: '2026-11-20',
      count: 2,
      outcomes: { applied: 1, refused: 1, waiting: 0 },
      operations: [
        { was: 'refused', now: { external_ref: 'BAD', state: 'refused' } },
        { was: 'queued', now: { external_ref: 'A-1', state: 'applied' } },
      ],
    });
    // Its figures are those of the day on which it was sold, as they were when it was closed.
    expect(next.lines).toEqual([]);
    expect(figures(await day('2026-11-20'))).toMatchObject([{ waiting: { count: 1 }, refused: { count: 1 } }]);
    // What is still open goes on to the closing after.
    expect(next.open).toEqual({ waiting: 0, attention: 1 });
    await close('2026-11-21', 1);
    await shop.core.writeOff(bad, { person: 'Huda', reason: 'no such card' });
    expect((await day('2026-11-21')).carried_out).toMatchObject({ count: 1, outcomes: { written_off: 1 } });
  });

  it('of an earlier day takes along only what is open of that day and before', async () => {
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(2_000);
    await earn('A-1', { amount_minor: 100 });
    await shop.pass(12 * hourMs, hourMs);
    await earn('B-1', { amount_minor: 200 });
    expect((await day('2026-11-20')).open).toEqual({ waiting: 1, attention: 0 });
    expect(await close('2026-11-20', 1)).toMatchObject({ kind: 'closed', day: { carried_out: { count: 1 } } });
    expect((await day('2026-11-21')).open.waiting).toBe(2);
  });

  it('is listed, the newest day first, and survives a restart', async () => {
    await close('2026-11-19', 0, 'Sami');
    await close('2026-11-20');
    await shop.stop();
    shop.start();
    expect(shop.core.days.list({ limit: 10, before: null }).map(({ businessDate }) => businessDate)).toEqual([
      '2026-11-20',
      '2026-11-19',
    ]);
    expect(shop.core.days.list({ limit: 10, before: '2026-11-20' })).toMatchObject([{ closedBy: 'Sami' }]);
  });

  it('is never changed or deleted afterwards', async () => {
    await close('2026-11-20');
    await shop.stop();
    const database = new BetterSqlite3(`${shop.dataDir}/sandbox.sqlite`);
    expect(() => database.exec(`UPDATE day_closes SET closed_by = 'nobody'`)).toThrow('a closed day is never changed');
    expect(() => database.exec('DELETE FROM day_closes')).toThrow('a closed day is never deleted');
    database.close();
    shop.start();
  });
});
