import { copyFileSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { backUp, restoreBackup } from '../../app/store/backup.ts';
import { openOrRecover } from '../../app/store/recover.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import { newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

/** Steps of the file system that are still done; the one after them and all that follow find no power. */
const power = vi.hoisted(() => ({ steps: Number.POSITIVE_INFINITY, done: 0 }));

vi.mock('node:fs', async (importOriginal) => {
  const actual = await importOriginal<typeof import('node:fs')>();
  const step =
    <Parameters extends readonly unknown[], Result>(act: (...parameters: Parameters) => Result) =>
    (...parameters: Parameters): Result => {
      if (power.done >= power.steps) throw new Error('The power is cut');
      power.done += 1;
      return act(...parameters);
    };
  return {
    ...actual,
    renameSync: step(actual.renameSync),
    rmSync: step(actual.rmSync),
    linkSync: step(actual.linkSync),
  };
});

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  power.steps = Number.POSITIVE_INFINITY;
  folder.remove();
});

const options = { random: seededRandom(3), nowMs: rowTimeMs + 60_000 };
const saleCount = 27;

async function sell(store: Store, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const rowId = store.operations.takeRowId();
    await store.writer.urgent(() => store.operations.insert(newRow(rowId)));
  }
}

describe('a cut after any step of a restore', () => {
  it('loses nothing, also where a reader keeps the newest sales in the log', async () => {
    const made = folder.file('made.sqlite');
    const backup = folder.file('till.backup');
    const store = openStore(made, options);
    await sell(store, 9);
    await backUp(made, backup, { mode: 'sandbox', nowMs: 1 });
    await sell(store, saleCount - 9);
    const left = folder.file('left.sqlite');
    for (const part of ['', '-wal', '-open']) if (existsSync(made + part)) copyFileSync(made + part, left + part);
    store.close();

    for (let steps = 0; ; steps += 1) {
      const till = folder.file(`till-${steps}`);
      mkdirSync(till);
      const path = join(till, 'sandbox.sqlite');
      for (const part of ['', '-wal', '-open']) if (existsSync(left + part)) copyFileSync(left + part, path + part);
      // A program that looks at the database keeps its log from being taken in.
      const reader = new BetterSqlite3(path);
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM operations').get();
      power.done = 0;
      power.steps = steps;
      let isOver = true;
      try {
        restoreBackup(backup, path, { ...options, mode: 'sandbox', trust: { kind: 'from_elsewhere' } });
      } catch {
        isOver = false;
      }
      power.steps = Number.POSITIVE_INFINITY;
      // What the disk holds at the cut; a reader that ends in good order would still take its log in.
      cpSync(till, `${till}-at-the-cut`, { recursive: true });
      reader.close();
      const after = openOrRecover(join(`${till}-at-the-cut`, 'sandbox.sqlite'), options);
      const held = after.activity.look({}, { limit: 1_000 }, after.operations.counts.read()).operations.length;
      expect({ held, unreadable: after.recovery?.unreadable ?? 0 }, `cut after step ${steps}`).toEqual({
        held: saleCount,
        unreadable: 0,
      });
      after.close();
      if (isOver) {
        expect(steps).toBeGreaterThan(3);
        break;
      }
    }
  });
});
