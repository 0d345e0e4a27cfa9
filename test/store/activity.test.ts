import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import type { ActivityFilter } from '../../app/store/tables/activity.ts';
import { operationView } from '../../app/till/operation-view.ts';
import { foldTries } from '../../renderer/recent/recent-rows.ts';
import { newChange, newRow, temporaryFolder } from '../support/core-rows.ts';

describe('looking through the operations', () => {
  const folder = temporaryFolder();
  let store: Store;
  let name = 0;
  beforeEach(() => {
    name += 1;
    store = openStore(folder.file(`${name}.sqlite`), { random: seededRandom(1) });
  });
  afterEach(() => store.close());

  async function fill(count: number): Promise<void> {
    await store.writer.urgent(() => {
      for (let row = 1; row <= count; row += 1) {
        store.operations.insert(
          newRow(row, {
            businessDate: row % 2 === 0 ? '2026-11-20' : '2026-11-21',
            customerName: row % 10 === 0 ? 'Sara AHMED' : null,
          }),
        );
      }
    });
  }

  /** Every page until there is no more, with how many looks that took. */
  function all(filter: ActivityFilter, limit: number): { readonly rowIds: readonly number[]; readonly looks: number } {
    const rowIds: number[] = [];
    let looks = 0;
    let beforeRowId: number | null = Number.MAX_SAFE_INTEGER;
    while (beforeRowId !== null) {
      const part = store.activity.look(filter, { limit, beforeRowId }, store.operations.counts.read());
      rowIds.push(...part.operations.map(({ rowId }) => rowId));
      beforeRowId = part.beforeRowId;
      looks += 1;
    }
    return { rowIds, looks };
  }

  it('finds each one once, newest first, whatever the size of a page', async () => {
    await fill(25);
    const newestFirst = Array.from({ length: 25 }, (_, index) => 25 - index);
    for (const limit of [1, 7, 25, 100]) expect(all({}, limit).rowIds).toEqual(newestFirst);
  });

  it('shows refused tries of one sale as the last of them, and no wrong codes', async () => {
    const tried = { delivery: 'immediate', intent: 'redeem', points: 40, identifierKind: 'phone' } as const;
    await store.writer.urgent(() => {
      const rows = [
        { ...tried, identifierValue: '+9655' },
        { ...tried, identifierValue: '+9655' },
        { ...tried, identifierValue: '+9656' },
        { ...tried, identifierValue: '+9655' },
        // Much later: another sale.
        { ...tried, identifierValue: '+9655', savedAtMs: 3_600_000 },
        { delivery: 'immediate', intent: 'verify' } as const,
        // Sold, saved and undone: nothing was refused.
        { intent: 'earn', points: 40, identifierKind: 'phone', identifierValue: '+9655' } as const,
      ];
      rows.forEach((row, index) => {
        store.operations.insert(newRow(index + 1, { savedAtMs: 1_000, externalRef: `T-${index}`, ...row }));
        store.operations.change(newChange(index + 1, 'cancel'));
      });
    });
    expect(all({}, 100).rowIds).toEqual([7, 6, 5, 4, 3, 2, 1]);
    for (const limit of [1, 2, 100]) expect(all({ foldsTries: true }, limit).rowIds).toEqual([7, 5, 4, 3]);
    expect([3, 4, 5].map((rowId) => store.activity.triesBefore(rowId))).toEqual([0, 2, 0]);
    expect(all({ kind: 'customer' }, 100).rowIds).toEqual([6]);
    expect(all({ kind: 'spend' }, 100).rowIds).toEqual([5, 4, 3, 2, 1]);
  });

  it('keeps refused enrollments and hold actions apart: nothing tells whose they were', async () => {
    const ofNobody = { delivery: 'immediate', identifierKind: null, identifierValue: null, amountMinor: null } as const;
    await store.writer.urgent(() => {
      (['enroll', 'enroll', 'commit', 'commit', 'release', 'release'] as const).forEach((intent, index) => {
        store.operations.insert(newRow(index + 1, { ...ofNobody, intent }));
        store.operations.change(newChange(index + 1, 'cancel'));
      });
    });
    expect(all({ foldsTries: true }, 100).rowIds).toEqual([6, 5, 4, 3, 2, 1]);
    expect(store.activity.triesBefore(6)).toBe(0);
    const views = [4, 3].flatMap((rowId) => store.operations.operation(rowId) ?? []).map(operationView);
    expect(foldTries(views).map(({ tries }) => tries)).toEqual([1, 1]);
  });

  it('folds a try under a number that was used before by its own time, as Recent does', async () => {
    const minuteMs = 60_000;
    const tried = { delivery: 'immediate', intent: 'redeem', identifierValue: '+9655' } as const;
    await store.writer.urgent(() => {
      store.operations.insert(newRow(1, { ...tried, savedAtMs: minuteMs, tillTimeMs: 20 * minuteMs }));
      store.operations.insert(newRow(2, { ...tried, savedAtMs: 25 * minuteMs }));
      for (const row of [1, 2]) store.operations.change(newChange(row, 'cancel'));
    });
    expect(all({ foldsTries: true }, 100).rowIds).toEqual([2]);
    expect(store.activity.triesBefore(2)).toBe(1);
    const views = [2, 1].flatMap((rowId) => store.operations.operation(rowId) ?? []).map(operationView);
    expect(foldTries(views).map(({ tries }) => tries)).toEqual([2]);
  });

  it('folds the same tries as Recent does, and counts as many', async () => {
    const random = seededRandom(7);
    const below = (count: number) => Math.floor(random.next() * count);
    const people = ['Fatima', 'Yousef'];
    await store.writer.urgent(() => {
      for (let row = 1; row <= 120; row += 1) {
        const person = people[below(2)] ?? '';
        const isEarn = below(4) === 0;
        store.operations.insert(
          newRow(row, {
            savedAtMs: row * 90_000,
            delivery: isEarn ? 'deferred' : 'immediate',
            intent: isEarn ? 'earn' : 'redeem',
            points: 40 + below(2),
            customerName: person,
            identifierKind: 'loyalty_id',
            identifierValue: person,
          }),
        );
        if (below(5) > 0) store.operations.change(newChange(row, 'cancel'));
      }
    });
    const views = all({}, 200).rowIds.flatMap((rowId) => {
      const operation = store.operations.operation(rowId);
      return operation === null ? [] : [operationView(operation)];
    });
    const folded = foldTries(views);
    expect(folded.map(({ operation }) => operation.row_id)).toEqual(all({ foldsTries: true }, 200).rowIds);
    const tries = folded.map(({ operation: { row_id, state } }) =>
      state === 'cancelled' ? store.activity.triesBefore(row_id) + 1 : 1,
    );
    expect(folded.map((row) => row.tries)).toEqual(tries);
    expect(tries.filter((count) => count > 1).length).toBeGreaterThan(5);
  });

  it('finds what one cashier took, and what nobody had signed in for', async () => {
    await store.writer.urgent(() => {
      for (const [index, employeeRef] of ['E-7', null, 'E-8', 'E-7'].entries()) {
        store.operations.insert(newRow(index + 1, { employeeRef }));
      }
    });
    expect(all({ employeeRef: 'E-7' }, 1).rowIds).toEqual([4, 1]);
    expect(all({ employeeRef: '' }, 9).rowIds).toEqual([2]);
  });

  it('is over at once when there is nothing', () => {
    expect(all({}, 10)).toEqual({ rowIds: [], looks: 1 });
  });

  it('narrows by state, by business day and by a part of a name or a reference in any case', async () => {
    await fill(30);
    await store.writer.urgent(() => {
      store.operations.mark([3, 4], { atMs: 1, keyFingerprint: 'k' });
      store.operations.change(newChange(3, 'refuse', { send: 1 }));
      store.operations.change(newChange(4, 'apply', { send: 1 }));
    });
    expect(all({ states: ['refused'] }, 5).rowIds).toEqual([3]);
    expect(all({ states: ['applied', 'refused'] }, 5).rowIds).toEqual([4, 3]);
    expect(all({ businessDate: '2026-11-20' }, 4).rowIds).toEqual(Array.from({ length: 15 }, (_, i) => 30 - 2 * i));
    expect(all({ text: 'sara ahm' }, 2).rowIds).toEqual([30, 20, 10]);
    expect(all({ text: 'r-2' }, 50).rowIds).toEqual([29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 2]);
    expect(all({ customer: 'AHM' }, 2).rowIds).toEqual([30, 20, 10]);
    expect(all({ customer: 'r-2' }, 50).rowIds).toEqual([]);
    expect(all({ customer: 'lc-1', text: 'sara' }, 50).rowIds).toEqual([10]);
    expect(all({ text: 'sara', businessDate: '2026-11-21' }, 50).rowIds).toEqual([]);
  });

  it.each(['Élodie', 'élodie', 'ÉLODIE', 'martin'])('finds a name in whatever case it is typed: %s', async (text) => {
    await fill(1);
    await store.writer.urgent(() => store.operations.insert(newRow(2, { customerName: 'Élodie Martin' })));
    expect(all({ text }, 50).rowIds).toEqual([2]);
    expect(all({ customer: text }, 50).rowIds).toEqual([2]);
  });

  it('reads a bounded part of a large store in one look, and says where to go on', async () => {
    await fill(45_000);
    await store.writer.urgent(() => {
      store.operations.mark([1, 2], { atMs: 1, keyFingerprint: 'k' });
      store.operations.change(newChange(1, 'refuse', { send: 1 }));
      store.operations.change(newChange(2, 'apply', { send: 1 }));
    });
    expect(all({ states: ['applied'] }, 10)).toEqual({ rowIds: [2], looks: 3 });
    // What waits for a person has an index of its own.
    expect(all({ states: ['refused'] }, 10)).toEqual({ rowIds: [1], looks: 1 });
  });
});
