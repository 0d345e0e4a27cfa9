import { copyFileSync, cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../app/store/store.ts';
import { watchStatements } from '../crash/statement-watch.ts';
import { newRow } from '../support/core-rows.ts';
import { kill } from '../support/lying-files.ts';
import { folder, options, others, own, start, useTwoTills } from '../support/two-tills.ts';

/** Told before each step of the file system. */
const disk = vi.hoisted((): { onStep: () => void } => ({ onStep: () => undefined }));
vi.mock('node:fs', async (importOriginal) => {
  const actual = await importOriginal<typeof import('node:fs')>();
  const step =
    <Parameters extends readonly unknown[], Result>(act: (...parameters: Parameters) => Result) =>
    (...parameters: Parameters): Result => {
      disk.onStep();
      return act(...parameters);
    };
  return {
    ...actual,
    renameSync: step(actual.renameSync),
    rmSync: step(actual.rmSync),
    writeSync: step(actual.writeSync),
    ftruncateSync: step(actual.ftruncateSync),
  };
});

const watch = watchStatements();
afterAll(() => watch.stop());

useTwoTills();
afterEach(() => {
  watch.onStep = null;
  watch.onCommitted = null;
  disk.onStep = () => undefined;
});

async function sell(store: Store, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const rowId = store.operations.takeRowId();
    await store.writer.urgent(() => store.operations.insert(newRow(rowId)));
  }
}

async function runOn(path: string, count: number): Promise<void> {
  const store = start(path);
  await sell(store, count);
  store.close();
}

async function killOn(path: string, count: number): Promise<void> {
  const store = start(path);
  await sell(store, count);
  kill(store, path);
}

const losses = [
  {
    what: 'an older copy of the database',
    why: 'older',
    lose: async () => {
      await runOn(own, 5);
      copyFileSync(own, folder.file('kept'));
      for (let again = 0; again < 2; again += 1) await runOn(own, 3);
      copyFileSync(folder.file('kept'), own);
    },
  },
  {
    what: 'a database that has lost its log',
    why: 'log_missing',
    lose: async () => {
      await runOn(own, 5);
      await killOn(own, 3);
      rmSync(`${own}-wal`);
    },
  },
  {
    what: 'a database that has lost its log and its marker',
    why: 'log_missing',
    lose: async () => {
      await runOn(own, 5);
      await killOn(own, 3);
      for (const part of ['-wal', '-open']) rmSync(own + part);
    },
  },
  {
    what: 'a place whose database is gone',
    why: 'missing',
    lose: async () => {
      await runOn(own, 5);
      rmSync(own);
    },
  },
  {
    what: 'the database of another till',
    why: 'another',
    lose: async () => {
      await runOn(others, 5);
      await runOn(own, 5);
      copyFileSync(others, own);
    },
  },
] as const;

describe.each(losses)('what is missing from $what', ({ why, lose }) => {
  // The first try has made its tables, in which nothing stands.
  const whyLater = why === 'missing' ? 'older' : why;

  it('is told though the start was killed, between whichever two steps', async () => {
    await lose();
    let kills = 0;
    const kill = () => {
      cpSync(join(own, '..'), folder.file(`killed-${kills}`), { recursive: true });
      kills += 1;
    };
    disk.onStep = kill;
    watch.onStep = kill;
    watch.onCommitted = kill;
    const store = start(own, options.nowMs + 1);
    disk.onStep = () => undefined;
    watch.onStep = null;
    watch.onCommitted = null;
    store.close();
    expect(kills).toBeGreaterThan(8);
    for (let number = 0; number < kills; number += 1) {
      const again = start(join(folder.file(`killed-${number}`), 'till.sqlite'), options.nowMs + 2);
      again.close();
      const told = again.recovery;
      expect({ number, isTold: told !== null && told.atMs > options.nowMs, unreadable: told?.unreadable }).toEqual({
        number,
        isTold: true,
        unreadable: null,
      });
    }
  });

  it('is told once the disk takes something again, however often it has not', async () => {
    await lose();
    let failures = 0;
    watch.onStep = ({ parameters }) => {
      if (!JSON.stringify(parameters).includes('"recovery"')) return;
      failures += 1;
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    };
    for (let again = 0; again < 5; again += 1) expect(() => start(own, options.nowMs + 1)).toThrow('disk is full');
    expect(failures).toBe(5);
    watch.onStep = null;
    const store = start(own, options.nowMs + 2);
    expect(store.recovery).toMatchObject({ why: whyLater, atMs: options.nowMs + 2, unreadable: null });
    store.close();
  });
});
