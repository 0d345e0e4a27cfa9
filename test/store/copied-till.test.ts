import { cpSync, existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeOldBackups } from '../../app/backups/backup-files.ts';
import { ownDrafts } from '../../app/backups/left-drafts.ts';
import { madeBackups } from '../../app/backups/made-backups.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { type BackupTrust, backUp, restoreBackup } from '../../app/store/copies/backup.ts';
import { formerDeviceIds, noteCopied } from '../../app/store/files/known-databases.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import { newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

// A till, and what its disk became in another machine: both sell on, with one key, and may share a folder for backups.

const tillKey = Buffer.alloc(32, 5);
const random = systemRandom();
const proven: BackupTrust = { kind: 'proven', tillKey };
const nowMs = rowTimeMs + 3_600_000;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(folder.file('original'));
  mkdirSync(folder.file('share'));
  start('original').store.close();
});
afterEach(() => folder.remove());

type Till = 'original' | 'copy';
const databaseOf = (till: Till) => folder.file(`${till}/sandbox.sqlite`);
const shared = (name: string) => folder.file(`share/${name}`);

const machines: Readonly<Record<Till, string>> = { original: '1'.repeat(32), copy: '2'.repeat(32) };

function start(till: Till) {
  const store = openOrRecover(databaseOf(till), { random, nowMs, machine: machines[till], sealKey: tillKey });
  return { store, deviceId: store.identity.deviceId, recovery: store.recovery };
}

/** Sells one, where there is a number for it. @returns as whom */
async function run(till: Till, rowId: number | null = null): Promise<string> {
  const { store, deviceId, recovery } = start(till);
  expect(recovery).toBeNull();
  if (rowId !== null) await store.writer.urgent(() => store.operations.insert(newRow(rowId)));
  store.close();
  return deviceId;
}

function copyDisk(): void {
  cpSync(folder.file('original'), folder.file('copy'), { recursive: true });
}

const backUpTo = (till: Till, name: string) =>
  backUp(databaseOf(till), shared(name), { mode: 'sandbox', nowMs, tillKey });
const restore = (till: Till, name: string, trust: BackupTrust = proven) =>
  restoreBackup(shared(name), databaseOf(till), { random, nowMs, mode: 'sandbox', trust });

/** Those of some rows that are not sent as they stand. */
function heldRows(till: Till, rowIds: readonly number[]): readonly number[] {
  const { store } = start(till);
  const held = rowIds.filter((rowId) => {
    const row = store.rows.sent(rowId);
    return row === null || !store.operations.seals.isSealIntact(row);
  });
  store.close();
  return held;
}

describe('a till whose disk was copied into another machine', () => {
  it('is another one there, for good, and the original stays who it is', async () => {
    const original = await run('original');
    copyDisk();
    const copy = await run('copy', 5);
    expect(copy).not.toBe(original);
    expect(await run('copy')).toBe(copy);
    expect(await run('original')).toBe(original);
  });

  it('has backups that the original takes only as another till’s', async () => {
    copyDisk();
    await run('copy', 5);
    await backUpTo('copy', 'copy.backup');
    expect(() => restore('original', 'copy.backup')).toThrow('made by another till, or by a copy of this one');
    expect(restore('original', 'copy.backup', { kind: 'from_elsewhere' }).refusedRows).toBe(0);
  });

  it('has waiting sales that the original sends only when a person releases them, though one key has sealed them', async () => {
    await run('original', 3);
    copyDisk();
    await run('copy', 5);
    await run('original', 4);
    await backUpTo('copy', 'copy.backup');
    restore('original', 'copy.backup', { kind: 'from_elsewhere' });
    // Of the rows that both have, the backup's stands.
    expect(heldRows('original', [3, 4, 5])).toEqual([3, 5]);
    restore('copy', 'copy.backup', { kind: 'from_elsewhere' });
    expect(heldRows('copy', [3, 5])).toEqual([]);
  });

  it('stays another one where the original takes its backup on a person’s word', async () => {
    const original = await run('original', 3);
    copyDisk();
    const copy = await run('copy', 5);
    await backUpTo('copy', 'copy.backup');
    restore('original', 'copy.backup', { kind: 'from_elsewhere' });
    const { store, deviceId } = start('original');
    expect(store.operations.operation(5)).not.toBeNull();
    store.close();
    expect([deviceId, ...formerDeviceIds(databaseOf('original'))]).toContain(original);
    expect([deviceId, ...formerDeviceIds(databaseOf('original'))]).not.toContain(copy);
    await backUpTo('copy', 'later.backup');
    expect(() => restore('original', 'later.backup')).toThrow('made by another till, or by a copy of this one');
  });

  it('takes its own backups, and those from before it was another one, and then is not the original', async () => {
    const original = await run('original', 3);
    await backUpTo('original', 'before.backup');
    copyDisk();
    const copy = await run('copy', 5);
    await backUpTo('copy', 'copy.backup');
    expect(restore('copy', 'copy.backup').refusedRows).toBe(0);
    expect(start('copy').deviceId).toBe(copy);
    expect(restore('copy', 'before.backup').refusedRows).toBe(0);
    const { store, deviceId } = start('copy');
    expect(deviceId).not.toBe(original);
    expect(store.operations.operation(5)).not.toBeNull();
    store.close();
    await backUpTo('copy', 'after.backup');
    expect(() => restore('original', 'after.backup')).toThrow('--from-elsewhere');
    expect(restore('copy', 'before.backup').refusedRows).toBe(0);
  });

  it('removes no backup of the original, nor the original one of the copy', async () => {
    const name = (day: number) => `till1-sandbox-202611${day}T000000Z.backup`;
    await backUpTo('original', name(20));
    copyDisk();
    const original = await run('original');
    const copy = await run('copy', 5);
    for (const day of [21, 23, 25]) await backUpTo('original', name(day));
    for (const day of [22, 24, 26]) await backUpTo('copy', name(day));
    const cleanUp = (till: Till, deviceId: string, newest: string) =>
      removeOldBackups(folder.file('share'), {
        deviceRef: 'till1',
        deviceIds: new Set([...formerDeviceIds(databaseOf(till)), deviceId]),
        mode: 'sandbox',
        keep: 2,
        newest,
      });
    expect(cleanUp('copy', copy, name(26))).toEqual([name(22)]);
    expect(cleanUp('original', original, name(25))).toEqual([name(20), name(21)]);
  });

  it('looks for people in the backups from before, and removes no half backup of the original', async () => {
    await backUpTo('original', 'before.backup');
    copyDisk();
    const original = await run('original');
    const copy = await run('copy');
    await backUpTo('copy', 'copy.backup');
    for (const deviceId of [original, copy]) writeFileSync(shared(`next.backup.${deviceId}.999999-1.part`), '');
    const made = madeBackups(folder.file('copy'), folder.file('share'));
    expect(made.files).toEqual([shared('before.backup'), shared('copy.backup')]);
    const drafts = ownDrafts(folder.file('copy'), [folder.file('share')]);
    expect(drafts.map(({ deviceId }) => deviceId)).toEqual([copy]);
  });
});

describe('a till that has lost all but its key, and was started once without the rest', () => {
  it.each([
    ['by its proof', proven],
    ['on a person’s word', { kind: 'from_elsewhere' }],
  ] as const)('takes its own backup %s, and sends what waits in it', async (_how, trust) => {
    await run('original', 3);
    await backUpTo('original', 'own.backup');
    rmSync(folder.file('original'), { recursive: true });
    mkdirSync(folder.file('original'));
    await run('original');
    expect(restore('original', 'own.backup', trust).refusedRows).toBe(0);
    expect(heldRows('original', [3])).toEqual([]);
  });

  it('knows the backup of its copy for another till’s all the same', async () => {
    copyDisk();
    await run('copy', 5);
    await backUpTo('copy', 'copy.backup');
    rmSync(folder.file('original'), { recursive: true });
    mkdirSync(folder.file('original'));
    await run('original');
    expect(() => restore('original', 'copy.backup')).toThrow('made by another till, or by a copy of this one');
  });
});

describe('the first start of a copy', () => {
  it('makes it another till where a backup was restored before it', async () => {
    const original = await run('original', 3);
    await backUpTo('original', 'before.backup');
    copyDisk();
    restore('copy', 'before.backup');
    const { store, deviceId } = start('copy');
    expect(deviceId).not.toBe(original);
    expect(store.operations.operation(3)).not.toBeNull();
    store.close();
    expect(formerDeviceIds(databaseOf('copy'))).not.toContain(original);
    await backUpTo('copy', 'copy.backup');
    expect(() => restore('original', 'copy.backup')).toThrow('made by another till, or by a copy of this one');
  });

  it.each([false, true])('is no loss where it ends before the database knows (list deleted: %s)', async (isDeleted) => {
    const original = await run('original', 4);
    copyDisk();
    if (isDeleted) rmSync(folder.file('copy/databases.json'));
    expect(noteCopied(databaseOf('copy'), { from: original, to: 'till_0123456789abcdef' })).toBe(true);
    expect([original, 'till_0123456789abcdef']).not.toContain(await run('copy', 5));
    const { store } = start('copy');
    expect(store.operations.operation(4)).not.toBeNull();
    store.close();
  });

  it('leaves it who it is while the list of databases cannot be written, and not for longer', async () => {
    const original = await run('original');
    copyDisk();
    const list = folder.file('copy/databases.json');
    expect(existsSync(list)).toBe(true);
    rmSync(list);
    mkdirSync(list);
    expect(await run('copy', 5)).toBe(original);
    expect(await run('copy')).toBe(original);
    rmdirSync(list);
    const copy = await run('copy', 6);
    expect(copy).not.toBe(original);
    expect(await run('copy')).toBe(copy);
  });
});
