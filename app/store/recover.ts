import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { startCarrying } from './carrying.ts';
import { openStore, type Store, type StoreOptions } from './store.ts';
import { StoreError } from './store-error.ts';

/** The files of one database. */
const parts = ['', '-wal', '-shm', '-doubt'] as const;

/**
 * Opens the agent's database. A damaged one is put aside, and what can be read of it is carried into a new one: a till
 * whose disk has lost a page goes on selling, and no sale is dropped without a word.
 *
 * @throws StoreError for everything but damage
 */
export function openOrRecover(path: string, options: StoreOptions & { readonly nowMs: number }): Store {
  try {
    return openStore(path, options);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'damaged') throw error;
    const aside = putAside(path, 'damaged', options.nowMs);
    startCarrying(path, { aside, reason: 'carried over from a damaged database' });
    return openStore(path, options);
  }
}

/**
 * Gives the files of a database another name in their folder. Linked first and removed after: at each moment one name
 * has all of them.
 *
 * @param why part of the new name
 * @returns the new name, without the folder
 */
export function putAside(path: string, why: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
  const name = basename(path).replace(/\.sqlite$/, '');
  let aside = `${name}.${why}-${stamp}.sqlite`;
  for (let again = 2; existsSync(join(dirname(path), aside)); again += 1)
    aside = `${name}.${why}-${stamp}-${again}.sqlite`;
  const target = join(dirname(path), aside);
  const there = parts.filter((part) => existsSync(path + part));
  try {
    for (const part of there) linkSync(path + part, target + part);
    for (const part of there) rmSync(path + part);
  } catch {
    // A file system without links.
    for (const part of there) if (existsSync(path + part)) renameSync(path + part, target + part);
  }
  return aside;
}
