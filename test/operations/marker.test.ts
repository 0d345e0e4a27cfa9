import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemRandom } from '../../app/machine/random.ts';
import { Marker } from '../../app/operations/marker.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import { fillBacklog } from '../bench/sample-earns.ts';
import { ManualClock } from '../support/manual-clock.ts';

const clock = new ManualClock();
let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marker-'));
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

/** Marks for a large window, of 1,000 sales that so many customers have made in turn. */
function openMarker(customers: number) {
  const path = fillBacklog(folder, { mode: 'production', rows: 1_000, savedAtMs: clock.now(), customers });
  store = openStore(path, { random: systemRandom() });
  const { operations, immediate, writer } = store;
  const marker = new Marker({
    store: operations,
    immediate,
    writer,
    clock,
    keyFingerprint: 'key',
    correction: { apply: (rows) => rows },
  });
  const looks = vi.spyOn(operations, 'queued');
  return async (taken: readonly string[]) => {
    looks.mockClear();
    const room = 1_024 - taken.length;
    const rows = await marker.mark({ room, taken, isTrial: false, isQuick: true, looksFar: false });
    return { rows, read: looks.mock.results.reduce((sum, { value }) => sum + value.length, 0) };
  };
}

it('reads of one busy customer only the rows that it can take', async () => {
  const mark = openMarker(1);
  const first = await mark([]);
  // Whose the rows are is not known before: a whole page is read.
  expect([first.rows.length, first.read]).toEqual([128, 256]);
  const stillReady = first.rows.slice(64).map(({ lane }) => lane);
  const next = await mark(stillReady);
  expect([next.rows.length, next.read]).toEqual([64, 64]);
});

it('reads on while others have a row that fits', async () => {
  const { rows, read } = await openMarker(8)([]);
  expect([rows.length, read]).toEqual([1_000, 1_000]);
});
