import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { systemRandom } from '../../app/machine/random.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import type { Store } from '../../app/store/store.ts';
import { rowTimeMs, temporaryFolder } from './core-rows.ts';
import { bytesOf, kill, sell } from './lying-files.ts';

/** Of the running test. */
export let folder: ReturnType<typeof temporaryFolder>;
/** Where the database of the till stands once it was started, and where that of another one. */
export let own: string;
export let others: string;

export const options = { random: systemRandom(), nowMs: rowTimeMs + 60_000 };

/** Gives each test a folder of its own, in which no till was started yet. */
export function useTwoTills(): void {
  beforeEach(() => {
    folder = temporaryFolder();
    own = folder.file(join('own', 'till.sqlite'));
    others = folder.file(join('others', 'till.sqlite'));
  });
  afterEach(() => folder.remove());
}

export function start(path: string, nowMs = options.nowMs): Store {
  return openOrRecover(path, { ...options, nowMs });
}

/** A till sells and is closed in good order. @returns the log as it was just before the end */
export async function runOn(path: string, word: string, count: number): Promise<Buffer> {
  const store = start(path);
  await sell(store, word, count);
  const log = bytesOf(`${path}-wal`);
  store.close();
  expect(existsSync(`${path}-wal`)).toBe(false);
  return log;
}

/** @param work with the open store, before the kill */
export async function killOn(path: string, work: (store: Store) => Promise<unknown>): Promise<void> {
  const store = start(path);
  await work(store);
  kill(store, path);
}
