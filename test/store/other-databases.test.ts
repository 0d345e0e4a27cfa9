import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../app/random.ts';
import { eraseProfilesBeside } from '../../app/store/other-databases.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import { temporaryFolder } from '../support/core-rows.ts';

let folder: ReturnType<typeof temporaryFolder>;
let own: string;
beforeEach(() => {
  folder = temporaryFolder();
  own = folder.file('sandbox.sqlite');
});
afterEach(() => folder.remove());

const name = Buffer.alloc(32, 2);

async function keepIn(path: string): Promise<Store> {
  const store = openStore(path, { random: systemRandom() });
  const sealed = { customer: Buffer.alloc(32, 1), nonce: Buffer.alloc(12), sealed: Buffer.from('SEALED'), seenAtMs: 1 };
  await store.writer.urgent(() => store.keptProfiles.put(sealed, [name]));
  return store;
}

describe('profiles in the databases beside one', () => {
  it('are erased in the other mode’s, open or not, and in those that were put aside', async () => {
    (await keepIn(own)).close();
    (await keepIn(folder.file('production.sqlite'))).close();
    copyFileSync(own, folder.file('sandbox.before-restore-20261120T181300.sqlite'));
    const drained = await keepIn(folder.file('production.sqlite'));
    expect(eraseProfilesBeside(own)).toEqual({ erased: 2, notReached: [] });
    expect(drained.keptProfiles.find(name)).toBeNull();
    drained.close();
    for (const file of [
      'production.sqlite',
      'production.sqlite-wal',
      'sandbox.before-restore-20261120T181300.sqlite',
    ]) {
      if (existsSync(folder.file(file))) expect(readFileSync(folder.file(file)).includes('SEALED')).toBe(false);
    }
    // Its own is for whoever has it open.
    expect(readFileSync(own).includes('SEALED')).toBe(true);
  });

  it('name a file that is damaged, and leave other programs’ files alone', async () => {
    (await keepIn(own)).close();
    writeFileSync(folder.file('sandbox.damaged-20261120T181300.sqlite'), 'this is no database, and was one');
    writeFileSync(folder.file('notes.sqlite'), 'mine');
    expect(eraseProfilesBeside(own)).toEqual({
      erased: 0,
      notReached: ['sandbox.damaged-20261120T181300.sqlite'],
    });
    expect(readFileSync(folder.file('notes.sqlite'), 'utf8')).toBe('mine');
  });
});
