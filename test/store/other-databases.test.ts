import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../app/machine/random.ts';
import { eraseProfilesBeside } from '../../app/store/copies/other-databases.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import { newRow, temporaryFolder } from '../support/core-rows.ts';

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

  it('are erased beside a database that is open, and it goes on as if nothing had been', async () => {
    (await keepIn(own)).close();
    const drained = await keepIn(folder.file('production.sqlite'));
    eraseProfilesBeside(own);
    await drained.writer.urgent(() => drained.operations.insert(newRow(1)));
    expect(drained.recovery).toBeNull();
    // A kill right after the next one finds nothing missing.
    eraseProfilesBeside(own);
    for (const part of ['', '-wal', '-open'])
      copyFileSync(folder.file(`production.sqlite${part}`), folder.file(`left.sqlite${part}`));
    drained.close();
    const left = openOrRecover(folder.file('left.sqlite'), { random: systemRandom(), nowMs: 1 });
    expect(left.recovery).toBeNull();
    expect(left.operations.operation(1)).not.toBeNull();
    left.close();
  });

  it('leave one alone whose log is damaged: its sales are not thrown away for them', async () => {
    (await keepIn(own)).close();
    const other = await keepIn(folder.file('production.sqlite'));
    for (let row = 1; row <= 9; row += 1) await other.writer.urgent(() => other.operations.insert(newRow(row)));
    for (const part of ['', '-wal', '-open'])
      copyFileSync(folder.file(`production.sqlite${part}`), folder.file(`left.sqlite${part}`));
    other.close();
    const log = readFileSync(folder.file('left.sqlite-wal'));
    for (const part of ['', '-open'])
      copyFileSync(folder.file(`left.sqlite${part}`), folder.file(`production.sqlite${part}`));
    writeFileSync(folder.file('production.sqlite-wal'), log.fill(0xee, 5_000, 6_000));
    expect(eraseProfilesBeside(own).notReached).toContain('production.sqlite');
    const store = openOrRecover(folder.file('production.sqlite'), { random: systemRandom(), nowMs: 1 });
    expect(store.recovery).toMatchObject({ why: 'log_damaged' });
    expect(store.operations.counts.read().unknown).toBeGreaterThanOrEqual(8);
    store.close();
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
