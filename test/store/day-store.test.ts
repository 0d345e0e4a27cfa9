import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { dayLines } from '../../app/operations/days/day-lines.ts';
import { takeFreedReference } from '../../app/operations/settlement/freed-reference.ts';
import { replaceDatabase } from '../../app/store/carrying/recover-database.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import type { DayStore } from '../../app/store/tables/day-store.ts';
import { newChange, newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const options = { random: seededRandom(3), nowMs: rowTimeMs + 60_000 };

function insert(store: Store, from: number, to: number, dayOf: (row: number) => string): Promise<void> {
  return store.writer.urgent(() => {
    for (let row = from; row <= to; row += 1) {
      store.operations.insert(newRow(row, { businessDate: dayOf(row), amountMinor: row }));
    }
  });
}
const countOn = (days: DayStore, date: string, after = 0) =>
  days.tally(date, after).reduce((sum, { count }) => sum + count, 0);

describe('counting a day of a large database', () => {
  it('looks only where it has seen that day, and counts the same as everywhere', async () => {
    const store = openStore(folder.file('till.sqlite'), options);
    // A day now and then reaches back: a POS program that was offline dates its sales itself.
    const dayOf = (row: number) =>
      row % 9_973 === 0 ? '2026-11-01' : `2026-11-${String(10 + Math.floor(row / 8_000))}`;
    await insert(store, 1, 45_000, dayOf);
    const before = countOn(store.days, '2026-11-01');
    let looks = 0;
    while (store.days.learn()) looks += 1;
    expect(looks).toBe(4);
    expect(before).toBe(4);
    const days = new Map<string, number>();
    for (let row = 1; row <= 45_000; row += 1) days.set(dayOf(row), (days.get(dayOf(row)) ?? 0) + 1);
    for (const [day, count] of days) expect([day, countOn(store.days, day)]).toEqual([day, count]);
    expect(countOn(store.days, '2026-11-10', 7_000)).toBe(999);
    expect(countOn(store.days, '2026-12-24')).toBe(0);

    // What comes afterwards is seen too, also on an old day.
    await insert(store, 45_001, 45_003, () => '2026-11-01');
    expect(store.days.learn()).toBe(false);
    expect(countOn(store.days, '2026-11-01')).toBe(before + 3);
    // So is a sale of a part that was looked at, whose day is found to be another.
    await store.writer.urgent(() => store.days.move(7, '2026-12-24'));
    expect(countOn(store.days, '2026-12-24')).toBe(1);
    // And one whose place another request takes, on a later day.
    await store.writer.urgent(() => {
      store.operations.mark([8], { atMs: rowTimeMs, keyFingerprint: 'k1' });
      store.operations.change(newChange(8, 'refuse', { send: 1 }));
      const refused = store.operations.operation(8) ?? expect.fail();
      expect(takeFreedReference(store, refused, newRow(8, { businessDate: '2026-12-25' }))).toBe(true);
    });
    expect(countOn(store.days, '2026-12-25')).toBe(1);
    store.close();
  });

  it('adds one line up from several parts of the table', async () => {
    const store = openStore(folder.file('till.sqlite'), options);
    await insert(store, 9_999, 10_001, () => '2026-11-20');
    expect(dayLines(store.days.tally('2026-11-20'))).toMatchObject([
      { intent: 'earn', currency: 'KWD', waiting: { count: 3, total: 30_000 }, applied: { count: 0, total: 0 } },
    ]);
    store.close();
  });
});

describe('closed days', () => {
  async function closedTill(path: string): Promise<void> {
    const store = openStore(path, options);
    await insert(store, 1, 3, () => '2026-11-20');
    const { lastOperationId } = store.days;
    await store.writer.urgent(() =>
      store.days.insert(
        {
          businessDate: '2026-11-20',
          closedAtMs: 1,
          closedBy: 'Huda',
          lastOperationId,
          lines: [],
          openCount: 3,
          cashiers: null,
        },
        null,
      ),
    );
    store.close();
  }

  it('come along into the database that takes the place of another one', async () => {
    const path = folder.file('till.sqlite');
    await closedTill(path);
    const draft = folder.file('draft.sqlite');
    const other = openStore(draft, options);
    // In the other one the numbers of the rows are taken by other sales.
    await insert(other, 1, 2, () => '2026-11-19');
    await other.writer.urgent(() => other.operations.insert(newRow(3, { operationId: 'x', externalRef: 'X' })));
    other.close();
    replaceDatabase(path, draft, { name: 'before-restore', reason: 'restored', nowMs: options.nowMs });
    const store = openOrRecover(path, options);
    expect(store.days.closeOf('2026-11-20')).toMatchObject({ closedBy: 'Huda', openCount: 3 });
    expect(store.days.carried('2026-11-20', 10)).toHaveLength(3);
    store.close();
  });

  it('are closed once', async () => {
    const path = folder.file('till.sqlite');
    await closedTill(path);
    const store = openStore(path, options);
    const again = {
      businessDate: '2026-11-20',
      closedAtMs: 2,
      closedBy: 'Sami',
      lastOperationId: null,
      lines: [],
      openCount: 0,
      cashiers: null,
    };
    await expect(store.writer.urgent(() => store.days.insert(again, null))).rejects.toThrow('UNIQUE');
    expect(store.days.closeOf('2026-11-20')?.closedBy).toBe('Huda');
    store.close();
  });
});
