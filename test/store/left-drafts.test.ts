import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteLastBackup } from '../../app/backups/last-backup.ts';
import { leftDrafts, madeBackups } from '../../app/backups/made-backups.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { backUp } from '../../app/store/copies/backup.ts';
import { changeBackup } from '../../app/store/copies/file-stores.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import { openStore } from '../../app/store/store.ts';
import { rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

const nowMs = rowTimeMs;
/** No process has it. */
const goneProcess = 2 ** 22 + 1;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
  for (const name of ['till', 'other', 'share']) mkdirSync(folder.file(name));
  for (const name of ['till', 'other']) {
    openStore(folder.file(`${name}/sandbox.sqlite`), { random: systemRandom(), nowMs }).close();
  }
});
afterEach(() => folder.remove());

const make = (name: string, till = 'till') =>
  backUp(folder.file(`${till}/sandbox.sqlite`), folder.file(`share/${name}`), { mode: 'sandbox', nowMs });

describe('the backups that a till has made', () => {
  it('are found whatever their names are, beside those of other tills and other files', async () => {
    for (const name of ['a.backup', 'before-upgrade.db', 'friday']) await make(name);
    await make('others.db', 'other');
    writeFileSync(folder.file('share/notes.txt'), 'notes');
    noteLastBackup(folder.file('till'), 'sandbox', {
      made_at_ms: nowMs,
      file: folder.file('share/friday'),
      operations: 0,
    });
    const names = ['a.backup', 'before-upgrade.db', 'friday'].map((name) => folder.file(`share/${name}`));
    expect(madeBackups(folder.file('till'), null)).toEqual({ files: names, leftOut: [] });
  });

  it('leave half a copy behind when they are killed, which is told apart from one that is still written', async () => {
    await make('a.backup');
    await make('others.backup', 'other');
    const drafts = [
      `a.backup.${goneProcess}.part`,
      `others.backup.${goneProcess}.part`,
      `a.backup.${process.pid}.part`,
    ];
    for (const name of drafts) writeFileSync(folder.file(`share/${name}`), 'half');
    await make(`b.backup.${goneProcess}.part`);
    expect(leftDrafts(folder.file('till'), folder.file('share'))).toEqual([
      folder.file(`share/a.backup.${goneProcess}.part`),
      folder.file(`share/b.backup.${goneProcess}.part`),
    ]);
  });
});

describe('what an erase changes', () => {
  const key = Buffer.alloc(32, 7);
  const change = (file: string) => changeBackup(file, { key, change: () => 'changed' });

  it('is a backup that never had a proof, and gets none', async () => {
    await make('a.backup');
    expect(await change(folder.file('share/a.backup'))).toBe('changed');
    expect(existsSync(folder.file('share/a.backup.mac'))).toBe(false);
  });

  it('is no backup whose proof does not fit', async () => {
    await make('a.backup');
    writeFileSync(folder.file('share/a.backup.mac'), '0'.repeat(64));
    await expect(change(folder.file('share/a.backup'))).rejects.toThrow('not as this till made it');
  });
});

describe('a restore that was killed', () => {
  it('leaves no copy of the backup behind the next start', () => {
    const left = ['', '-wal'].flatMap((part) =>
      ['restoring-copy', 'restoring'].map((name) => folder.file(`till/sandbox.sqlite.${name}${part}`)),
    );
    for (const path of left) writeFileSync(path, 'customers');
    openOrRecover(folder.file('till/sandbox.sqlite'), { random: systemRandom(), nowMs }).close();
    for (const path of left) expect(existsSync(path), path).toBe(false);
  });
});
