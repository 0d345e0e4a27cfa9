import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { backUp, restoreBackup } from '../../app/store/copies/backup.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import { newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

/** Steps of the file system that are still done; the one after them and all that follow find no power. */
const power = vi.hoisted(() => ({ steps: Number.POSITIVE_INFINITY, done: 0 }));
/** Another program that has the file of one step open, from that step on. */
const scanner = vi.hoisted(() => ({ atStep: Number.POSITIVE_INFINITY, holds: '' }));

vi.mock('node:fs', async (importOriginal) => {
  const actual = await importOriginal<typeof import('node:fs')>();
  const step =
    <Parameters extends readonly unknown[], Result>(act: (...parameters: Parameters) => Result) =>
    (...parameters: Parameters): Result => {
      if (power.done >= power.steps) throw new Error('The power is cut');
      const isChosen = power.done === scanner.atStep && scanner.holds === '';
      if (isChosen && actual.existsSync(String(parameters[0]))) scanner.holds = String(parameters[0]);
      if (scanner.holds !== '' && parameters.includes(scanner.holds)) {
        throw Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY' });
      }
      power.done += 1;
      return act(...parameters);
    };
  return {
    ...actual,
    renameSync: step(actual.renameSync),
    rmSync: step(actual.rmSync),
    linkSync: step(actual.linkSync),
    copyFileSync: step(actual.copyFileSync),
  };
});

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  power.steps = Number.POSITIVE_INFINITY;
  scanner.atStep = Number.POSITIVE_INFINITY;
  scanner.holds = '';
  folder.remove();
});

// LONG_TESTS=1 cuts after each step; a short run after every sixth one, the others with another seed.
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
const stride = process.env.LONG_TESTS === '1' ? 1 : 6;
const againStride = process.env.LONG_TESTS === '1' ? 1 : 27;

const options = { random: seededRandom(3), nowMs: rowTimeMs + 60_000 };
const saleCount = 27;

async function sell(store: Store, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const rowId = store.operations.takeRowId();
    await store.writer.urgent(() => store.operations.insert(newRow(rowId)));
  }
}

/** A backup of the first sales, and the files of a till that has taken more, as a kill leaves them. */
async function tillAndBackup(): Promise<{ readonly left: string; readonly backup: string }> {
  const made = folder.file('made.sqlite');
  const backup = folder.file('till.backup');
  const store = openStore(made, options);
  await sell(store, 9);
  await backUp(made, backup, { mode: 'sandbox', nowMs: 1 });
  await sell(store, saleCount - 9);
  const left = folder.file('left.sqlite');
  copyTill(made, left);
  store.close();
  return { left, backup };
}

function copyTill(from: string, to: string): void {
  for (const part of ['', '-wal', '-open']) if (existsSync(from + part)) cpSync(from + part, to + part);
}

const restore = (backup: string, path: string) =>
  restoreBackup(backup, path, { ...options, mode: 'sandbox', trust: { kind: 'from_elsewhere' } });

/** What the till is left with by a restore that was cut short or failed, once it is given again. */
function givenAgain(backup: string, path: string) {
  const { carried, unreadable } = restore(backup, path).recovery ?? {};
  const left = readdirSync(dirname(path)).filter((name) => /restoring|replac/.test(name));
  return { told: { carried, unreadable }, ...salesIn(path), left };
}

/** However far the first one came: what is newer than the backup is carried over. */
const allAgain = { told: { carried: saleCount - 9, unreadable: 0 }, held: saleCount, unreadable: 0, left: [] };

function salesIn(path: string) {
  const store = openOrRecover(path, options);
  const held = store.activity.look({}, { limit: 1_000 }, store.operations.counts.read()).operations.length;
  const unreadable = store.recovery?.unreadable ?? 0;
  store.close();
  return { held, unreadable };
}

describe(`a cut after any step of a restore (CRASH_SEED=${seed})`, () => {
  it('loses nothing, also where a reader keeps the newest sales in the log', async () => {
    const { left, backup } = await tillAndBackup();
    for (let steps = seed % stride; ; steps += stride) {
      const till = folder.file(`till-${steps}`);
      mkdirSync(till);
      const path = join(till, 'sandbox.sqlite');
      copyTill(left, path);
      // A program that looks at the database keeps its log from being taken in.
      const reader = new BetterSqlite3(path);
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM operations').get();
      power.done = 0;
      power.steps = steps;
      let isOver = true;
      try {
        restore(backup, path);
      } catch {
        isOver = false;
      }
      power.steps = Number.POSITIVE_INFINITY;
      // What the disk holds at the cut; a reader that ends in good order would still take its log in.
      cpSync(till, `${till}-at-the-cut`, { recursive: true });
      reader.close();
      const after = salesIn(join(`${till}-at-the-cut`, 'sandbox.sqlite'));
      expect(after, `cut after step ${steps}`).toEqual({ held: saleCount, unreadable: 0 });
      if (isOver) {
        expect(steps).toBeGreaterThan(3);
        break;
      }
    }
  });
});

describe(`a restore that is given again after a cut (CRASH_SEED=${seed})`, () => {
  it('carries over what is newer, also where it was cut, too', async () => {
    const { left, backup } = await tillAndBackup();
    /** @returns whether it ended before the cut */
    const cutAfter = (steps: number, path: string): boolean => {
      power.done = 0;
      power.steps = steps;
      try {
        restore(backup, path);
        return true;
      } catch {
        return false;
      } finally {
        power.steps = Number.POSITIVE_INFINITY;
      }
    };
    for (let first = seed % stride; ; first += stride) {
      const till = folder.file(`till-${first}`);
      mkdirSync(till);
      copyTill(left, join(till, 'sandbox.sqlite'));
      const isOver = cutAfter(first, join(till, 'sandbox.sqlite'));
      for (let second = (seed + first) % againStride; !isOver; second += againStride) {
        const again = `${till}-${second}`;
        cpSync(till, again, { recursive: true });
        const path = join(again, 'sandbox.sqlite');
        if (cutAfter(second, path)) break;
        expect(givenAgain(backup, path), `cut after step ${first}, then after step ${second}`).toEqual(allAgain);
        rmSync(again, { recursive: true });
      }
      expect(givenAgain(backup, join(till, 'sandbox.sqlite')), `cut after step ${first}`).toEqual(allAgain);
      rmSync(till, { recursive: true });
      if (isOver) break;
    }
  }, 600_000);
});

describe(`a restore that another program makes fail at any step (CRASH_SEED=${seed})`, () => {
  it('leaves it known that the log of the database is gone', async () => {
    const { left, backup } = await tillAndBackup();
    let failureCount = 0;
    for (let step = seed % stride; ; step += stride) {
      const till = folder.file(`till-${step}`);
      mkdirSync(till);
      const path = join(till, 'sandbox.sqlite');
      copyTill(left, path);
      rmSync(`${path}-wal`);
      power.done = 0;
      scanner.atStep = step;
      let isOver = true;
      try {
        restore(backup, path);
      } catch {
        isOver = false;
      }
      const at = `step ${step}: ${basename(scanner.holds)}`;
      const isHeld = scanner.holds !== '';
      scanner.atStep = Number.POSITIVE_INFINITY;
      scanner.holds = '';
      if (isOver && !isHeld && power.done <= step) break;
      if (isOver) continue;
      failureCount += 1;
      const again = `${till}-again`;
      cpSync(till, again, { recursive: true });
      expect(restore(backup, join(again, 'sandbox.sqlite')).recovery, at).toMatchObject({ unreadable: null });
      const store = openOrRecover(path, options);
      expect(store.recovery, at).toMatchObject({ unreadable: null });
      store.close();
    }
    expect(failureCount).toBeGreaterThan(0);
  }, 60_000);
});

it('a restore whose draft cannot be announced leaves no set of names, however often it is given', async () => {
  const { left, backup } = await tillAndBackup();
  mkdirSync(folder.file('till'));
  const path = folder.file(join('till', 'sandbox.sqlite'));
  copyTill(left, path);
  const inTheWay = `${path}-replacing.${process.pid}.new`;
  mkdirSync(inTheWay);
  const sets = () => readdirSync(dirname(path)).filter((name) => name.includes('before-restore'));
  for (let again = 1; again <= 3; again += 1) {
    expect(() => restore(backup, path)).toThrow();
    expect(sets()).toEqual([]);
  }
  rmSync(inTheWay, { recursive: true });
  expect(givenAgain(backup, path)).toEqual(allAgain);
  expect(sets()).not.toEqual([]);
});

describe(`a file that another program holds, at any step of a restore or of a recovery (CRASH_SEED=${seed})`, () => {
  it('leaves each database with its log, and loses nothing', async () => {
    const { left, backup } = await tillAndBackup();
    const log = readFileSync(`${left}-wal`);
    // So that a recovery finds something to do.
    log.fill(0xff, log.length / 2, log.length / 2 + 64);
    const works: Readonly<Record<string, (path: string) => void>> = {
      restore: (path) => void restore(backup, path),
      recovery: (path) => void salesIn(path),
    };
    for (const [name, work] of Object.entries(works)) {
      for (let step = seed % stride; ; step += stride) {
        const till = folder.file(`${name}-${step}`);
        mkdirSync(till);
        const path = join(till, 'sandbox.sqlite');
        copyTill(left, path);
        if (name === 'recovery') writeFileSync(`${path}-wal`, log);
        // A program that looks at the database keeps its log from being taken in.
        const reader = name === 'restore' ? new BetterSqlite3(path) : null;
        reader?.exec('BEGIN; SELECT count(*) FROM operations');
        power.done = 0;
        scanner.atStep = step;
        let failure: unknown = null;
        try {
          work(path);
        } catch (error) {
          failure = error;
        }
        const { holds } = scanner;
        scanner.atStep = Number.POSITIVE_INFINITY;
        scanner.holds = '';
        const asItIs = `${till}-as-it-is`;
        cpSync(till, asItIs, { recursive: true });
        const again = `${till}-again`;
        cpSync(till, again, { recursive: true });
        reader?.close();
        if (holds === '' && power.done > step) continue;
        if (holds === '') {
          expect(step).toBeGreaterThan(8);
          break;
        }
        const at = `${name}, step ${step}: ${basename(holds)}`;
        const names = readdirSync(asItIs);
        if (failure !== null) {
          expect(failure, at).toMatchObject({ message: expect.stringContaining('EBUSY') });
          for (const file of names.filter((one) => /^sandbox\..+\.sqlite$/.test(one))) {
            expect(names, at).toContain(`${file}-wal`);
          }
          const hasDraft = names.includes('sandbox.sqlite.restoring') || names.includes('sandbox.sqlite.new');
          // Nothing names a set whose database has kept its place.
          const isStill = (file: string) => statSync(join(till, file)).ino === statSync(path).ino;
          const sets = names.filter((one) => /^sandbox\.before-restore-.+\.sqlite$/.test(one));
          if (!names.includes('sandbox.sqlite-replacing')) expect(sets.filter(isStill), at).toEqual([]);
          if (hasDraft) expect(names, at).toEqual(expect.arrayContaining(['sandbox.sqlite', 'sandbox.sqlite-wal']));
        }
        const after = salesIn(join(asItIs, 'sandbox.sqlite'));
        if (name === 'restore') expect(givenAgain(backup, join(again, 'sandbox.sqlite')), at).toEqual(allAgain);
        if (name === 'restore') expect(after, at).toEqual({ held: saleCount, unreadable: 0 });
        else expect(after.held, at).toBeGreaterThan(saleCount / 2);
      }
    }
  });
});
