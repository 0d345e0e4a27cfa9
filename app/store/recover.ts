import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { startCarrying } from './carrying.ts';
import { openStore, type Store, type StoreOptions } from './store.ts';
import { StoreError } from './store-error.ts';

/** What stands beside a database's own file. */
const companions = ['-wal', '-shm', '-doubt'] as const;

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
    const draft = `${path}.new`;
    removeDatabase(draft);
    replaceDatabase(path, draft, {
      why: 'damaged',
      reason: 'carried over from a damaged database',
      nowMs: options.nowMs,
    });
    return openStore(path, options);
  }
}

/**
 * Puts `draft` in the place of a database whose files get another name. At each moment a crash finds either the old one
 * whole, or the new one with the note that the old one's operations are to be taken in.
 *
 * @param how.why part of the old one's new name
 * @param how.reason stands in the history of each operation that is taken in
 */
export function replaceDatabase(
  path: string,
  draft: string,
  how: { readonly why: string; readonly reason: string; readonly nowMs: number },
): void {
  startCarrying(draft, { aside: keepAside(path, how.why, how.nowMs), reason: how.reason });
  // A log that is left would be played into the new one.
  for (const part of companions) rmSync(path + part, { force: true });
  renameSync(draft, path);
}

/** Gives the files of a database a second name in their folder. @returns that name, without the folder */
function keepAside(path: string, why: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
  const name = basename(path).replace(/\.sqlite$/, '');
  const folder = dirname(path);
  let aside = `${name}.${why}-${stamp}.sqlite`;
  for (let again = 2; existsSync(join(folder, aside)); again += 1) aside = `${name}.${why}-${stamp}-${again}.sqlite`;
  for (const part of ['', ...companions]) {
    if (!existsSync(path + part)) continue;
    try {
      linkSync(path + part, join(folder, aside) + part);
    } catch {
      // A file system without links.
      copyFileSync(path + part, join(folder, aside) + part);
    }
  }
  return aside;
}

export function removeDatabase(path: string): void {
  for (const part of ['', ...companions]) rmSync(path + part, { force: true });
}
