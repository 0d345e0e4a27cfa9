import { describe, expect, it } from 'vitest';
import {
  appended,
  newestRowId,
  noPages,
  type Pages,
  partAt,
  refilled,
  renewed,
  rowAt,
  trimmed,
} from '../../../renderer/activity/pages.ts';
import { operationOf } from '../../support/ui-fake-agent.ts';

const rows = (...ids: readonly number[]) => ids.map((row_id) => operationOf({ row_id, external_ref: `R-${row_id}` }));
const idsOf = (pages: Pages) => Array.from({ length: pages.count }, (_, row) => rowAt(pages, row)?.row_id ?? null);

const three = appended(appended(appended(noPages, { rows: rows(9, 8, 7), next: 7 }), { rows: rows(6, 3), next: 3 }), {
  rows: rows(1),
  next: null,
});

describe('the list of operations, part by part', () => {
  it('has every row in its place, and knows its end', () => {
    expect(idsOf(three)).toEqual([9, 8, 7, 6, 3, 1]);
    expect([three.count, three.isWhole, newestRowId(three)]).toEqual([6, true, 9]);
    expect([0, 2, 3, 4, 5].map((row) => partAt(three, row))).toEqual([0, 0, 1, 1, 2]);
  });

  it('goes on behind parts in which nothing was found', () => {
    const sparse = appended(appended(noPages, { rows: [], next: 5_000 }), { rows: [], next: 100 });
    expect([sparse.count, sparse.isWhole, sparse.parts.length]).toEqual([0, false, 1]);
    const found = appended(sparse, { rows: rows(42), next: null });
    expect([idsOf(found), found.isWhole, newestRowId(sparse), newestRowId(found)]).toEqual([[42], true, null, 99]);
  });

  it('keeps the places of rows that are dropped, and takes them in again', () => {
    const far = trimmed(three, 2, 2);
    expect(idsOf(far)).toEqual([null, null, null, null, null, 1]);
    expect(trimmed(far, 2, 2)).toBe(far);
    expect(newestRowId(far)).toBe(9);
    expect(idsOf(refilled(far, 0, { rows: rows(9, 8, 7), next: 7 }))).toEqual([9, 8, 7, null, null, 1]);
    // One has meanwhile left the filter.
    expect(idsOf(refilled(far, 0, { rows: rows(9, 7), next: 7 }))).toEqual([9, 7, null, null, 1]);
  });

  it('shows the newest view of an operation where its row is held', () => {
    const [moved] = rows(3);
    if (moved === undefined) throw new Error('no row');
    const now = renewed(three, { ...moved, state: 'written_off' });
    expect(rowAt(now, 4)).toMatchObject({ row_id: 3, state: 'written_off' });
    const dropped = trimmed(three, 0, 0);
    expect(renewed(dropped, moved)).toBe(dropped);
    expect(renewed(three, { ...moved, row_id: 5 })).toBe(three);
  });
});
