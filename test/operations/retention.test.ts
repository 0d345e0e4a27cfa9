import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemRandom } from '../../app/machine/random.ts';
import { Retention } from '../../app/operations/personal-data/retention.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import { newChange, newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';
import { eagerSchedule } from '../support/core-shop.ts';
import { ManualClock } from '../support/manual-clock.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let clock: ManualClock;
let retention: Retention;
let isBusy: boolean;
let provenNowMs: () => number;
let counts: number[];
let failures: unknown[];
beforeEach(() => {
  folder = temporaryFolder();
  store = openStore(folder.file('sandbox.sqlite'), { random: systemRandom(), schedule: eagerSchedule });
  clock = new ManualClock(rowTimeMs + 31 * dayMs);
  isBusy = false;
  provenNowMs = () => clock.now();
  counts = [];
  failures = [];
  retention = new Retention({
    store: store.retention,
    writer: store.writer,
    clock,
    provenNowMs: () => provenNowMs(),
    retentionDays: 30,
    sender: {
      get isBusy() {
        return isBusy;
      },
    },
    onErased: (count) => counts.push(count),
    onFailed: (error) => failures.push(error),
  });
});
afterEach(() => {
  retention.close();
  store.close();
  folder.remove();
});

/** Operations that were settled when the rows were saved. */
async function settled(from: number, to: number): Promise<void> {
  await store.writer.urgent(() => {
    for (let rowId = from; rowId <= to; rowId += 1) {
      store.operations.insert(newRow(rowId));
      store.operations.mark([rowId], { atMs: rowTimeMs, keyFingerprint: 'k1' });
      store.operations.change(newChange(rowId, 'apply', { send: 1 }));
    }
  });
}

async function pass(durationMs: number, stepMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < durationMs; passedMs += stepMs) {
    clock.advance(stepMs);
    for (let turns = 0; turns < 4; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

const isErased = (rowId: number) => store.operations.operation(rowId)?.identifier === null;

describe('the retention time', () => {
  it('is worked off in small commits, with room for sales between them', async () => {
    await settled(1, 1_200);
    await pass(60_000, 60_000);
    expect([isErased(1), isErased(499), isErased(500)]).toEqual([true, true, false]);
    await pass(1_000, 50);
    expect(isErased(1_200)).toBe(true);
    expect(counts).toEqual([1_200]);
  });

  it('waits while sales are sent', async () => {
    await settled(1, 1);
    isBusy = true;
    await pass(2 * hourMs, 60_000);
    expect(isErased(1)).toBe(false);
    isBusy = false;
    await pass(1_000, 200);
    expect(isErased(1)).toBe(true);
  });

  it('erases nobody while nobody knows what time it is', async () => {
    await settled(1, 1);
    provenNowMs = () => Number.NEGATIVE_INFINITY;
    await pass(2 * hourMs, 60_000);
    expect(isErased(1)).toBe(false);
    provenNowMs = () => clock.now();
    await pass(hourMs, 60_000);
    expect(isErased(1)).toBe(true);
  });

  it('writes the file again only when no sale came for a quarter of an hour, and once a day', async () => {
    const tidy = vi.spyOn(store.retention, 'tidy');
    await settled(1, 1);
    await store.writer.urgent(() => store.operations.insert(newRow(2, { savedAtMs: clock.now() })));
    await pass(2 * 60_000, 1_000);
    expect(isErased(1)).toBe(true);
    expect(tidy).toHaveBeenCalledTimes(0);
    await pass(hourMs, 60_000);
    expect(tidy).toHaveBeenCalledTimes(1);
    await settled(3, 3);
    await pass(20 * hourMs, 600_000);
    expect(isErased(3)).toBe(true);
    expect(tidy).toHaveBeenCalledTimes(1);
    await pass(5 * hourMs, 600_000);
    expect(tidy).toHaveBeenCalledTimes(2);
    await pass(50 * hourMs, 600_000);
    expect(tidy).toHaveBeenCalledTimes(2);
  });

  it('is tried again an hour later when the database did not take it', async () => {
    await settled(1, 1);
    vi.spyOn(store.retention, 'erase')
      .mockImplementationOnce(() => {
        throw new Error('disk I/O error');
      })
      .mockImplementationOnce(() => {
        throw new Error('disk I/O error');
      });
    await pass(2 * 60_000, 1_000);
    expect(failures).toHaveLength(1);
    expect(isErased(1)).toBe(false);
    await pass(hourMs, 60_000);
    expect(isErased(1)).toBe(true);
  });
});
