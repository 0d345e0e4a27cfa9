import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteLastBackup } from '../../app/backups/last-backup.ts';
import { ownDrafts, removeLeftDrafts } from '../../app/backups/left-drafts.ts';
import { madeBackups } from '../../app/backups/made-backups.ts';
import { personInFiles } from '../../app/commands/tillbridge/person-files.ts';
import { ProfileSeal } from '../../app/customers/profile-seal.ts';
import { silentLog } from '../../app/machine/log.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { profileKeyBytes } from '../../app/machine/secrets.ts';
import { backUp } from '../../app/store/copies/backup.ts';
import { draftPath } from '../../app/store/copies/backup-draft.ts';
import { deviceOf } from '../../app/store/copies/file-facts.ts';
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

function erase() {
  const files = {
    dataDir: folder.file('till'),
    backupFolder: folder.file('share'),
    mode: 'sandbox',
    isRunning: false,
    seal: new ProfileSeal(Buffer.alloc(profileKeyBytes), (length) => Buffer.alloc(length)),
    tillKey: null,
    currency: 'KWD',
  } as const;
  return personInFiles(files, [{ kind: 'phone', value: '+96599887766' }], 'erase');
}

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

  it('leave half a copy behind when they are killed, which its name tells apart from one that is still written', async () => {
    await make('a.backup');
    const [own = '', other = ''] = ['till', 'other'].map(
      (till) => deviceOf(folder.file(`${till}/sandbox.sqlite`)) ?? '',
    );
    const left = [
      // Neither can be opened, and the second has lost its own file.
      `a.backup.${own}.${goneProcess}-1.part`,
      `b.backup.${own}.${goneProcess}-1.part-journal`,
      // Of the same number as this process, which began at another time: before a power cut.
      `c.backup.${own}.${process.pid}-1.part`,
    ];
    const written = basename(draftPath('d.backup', own));
    for (const name of [...left, written, `a.backup.${other}.${goneProcess}-1.part`, 'e.backup.part'])
      writeFileSync(folder.file(`share/${name}`), 'half');
    const found = (name: string, isWritten: boolean) => ({
      path: folder.file(`share/${name}`),
      deviceId: own,
      isWritten,
    });
    expect(ownDrafts(folder.file('till'), [folder.file('share')])).toEqual([
      ...left.map((name) => found(name, false)),
      found(written, true),
    ]);
    expect(madeBackups(folder.file('till'), folder.file('share'))).toMatchObject({
      files: [folder.file('share/a.backup')],
    });
  });

  it('are not erased from while they are made: that is told, and the half one stays', async () => {
    const draft = draftPath(folder.file('share/a.backup'), deviceOf(folder.file('till/sandbox.sqlite')));
    writeFileSync(draft, 'half');
    const told = { file: draft, kind: 'backup', problem: 'a backup is being made: erase again when it is done' };
    expect(await erase()).toMatchObject([told]);
    expect(existsSync(draft)).toBe(true);
    renameSync(draft, draft.replace(/\d+-\d*\.part$/, `${goneProcess}-1.part`));
    expect(await erase()).toEqual([]);
    expect(readdirSync(folder.file('share'))).toEqual([]);
  });
});

describe('half a backup that an earlier version has left', () => {
  const problems = async () =>
    (await erase()).flatMap(({ file, problem }) => (problem === null ? [] : [[file, problem]]));
  const half = (till = 'till') => readFileSync(folder.file(`${till}/sandbox.sqlite`)).subarray(0, 65_536);

  it.each([
    [
      'is removed before the next one',
      (): unknown => removeLeftDrafts(folder.file('till'), folder.file('share'), silentLog),
    ],
    ['is removed when a customer is erased', erase],
  ])('%s, where the backup beside it is of this till', async (_, remove) => {
    for (const till of ['till', 'other']) {
      await make(`${till}.backup`, till);
      writeFileSync(folder.file(`share/${till}.backup.${goneProcess}.part`), half(till));
      writeFileSync(folder.file(`share/${till}.backup.${goneProcess}.part-journal`), 'half');
    }
    await remove();
    expect(readdirSync(folder.file('share')).toSorted()).toEqual([
      'other.backup',
      `other.backup.${goneProcess}.part`,
      `other.backup.${goneProcess}.part-journal`,
      'till.backup',
    ]);
  });

  it('stays while the process that its name tells is there', async () => {
    await make('a.backup');
    const draft = folder.file(`share/a.backup.${process.pid}.part`);
    writeFileSync(draft, half());
    expect(await problems()).toEqual([[draft, 'a backup is being made: erase again when it is done']]);
    expect(existsSync(draft)).toBe(true);
  });

  it('is named when a customer is erased, where nobody can tell whose it is and its name is no other till’s', async () => {
    await make('till1-sandbox-20261121T030000Z.backup');
    const [named, free, others] = [
      'till1-sandbox-20261122T030000Z.backup',
      'friday',
      'till2-sandbox-20261122T030000Z.backup',
    ].map((name) => folder.file(`share/${name}.${goneProcess}.part`));
    for (const draft of [named, free, others]) writeFileSync(draft ?? '', half());
    const why = 'nobody can tell whose half backup it is: delete it, if it is not being made';
    expect(await problems()).toEqual([free, named].map((file) => [file, why]));
    // Nothing was opened, which would leave its log there.
    expect(readdirSync(folder.file('share'))).toHaveLength(4);
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
