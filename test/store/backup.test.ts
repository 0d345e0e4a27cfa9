import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../app/machine/random.ts';
import { BackupError, backUp, restoreBackup } from '../../app/store/copies/backup.ts';
import { isProven, proofPath, readProof } from '../../app/store/copies/backup-proof.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import { newChange, newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
let backup: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = folder.file('sandbox.sqlite');
  backup = folder.file('backup.sqlite');
});
afterEach(() => folder.remove());

const nowMs = rowTimeMs + 3_600_000;
const options = { random: systemRandom(), nowMs, mode: 'sandbox' as const, trust: { kind: 'from_elsewhere' as const } };
const open = () => openStore(path, { random: systemRandom(), nowMs });

async function save(store: Store, ...rowIds: readonly number[]): Promise<void> {
  await store.writer.urgent(() => {
    for (const rowId of rowIds) store.operations.insert(newRow(rowId));
  });
}

async function apply(store: Store, rowId: number): Promise<void> {
  await store.writer.urgent(() => {
    store.operations.mark([rowId], { atMs: rowTimeMs, keyFingerprint: 'k1' });
    store.operations.change(newChange(rowId, 'apply', { send: 1 }));
  });
}

async function refuse(store: Store, rowId: number): Promise<void> {
  await store.writer.urgent(() => {
    store.operations.mark([rowId], { atMs: rowTimeMs, keyFingerprint: 'k1' });
    store.operations.change(newChange(rowId, 'refuse', { send: 1 }));
  });
}

const statesOf = (store: Store) =>
  Object.fromEntries(
    store.activity
      .look({}, { limit: 1_000 }, store.operations.counts.read())
      .operations.map(({ externalRef, state }) => [externalRef, state]),
  );

describe('a backup', () => {
  it('is one file for its owner alone, made while sales go on', async () => {
    const store = open();
    await save(store, 1, 2, 3);
    const making = backUp(path, backup, options);
    await save(store, 4);
    expect(await making).toMatchObject({ mode: 'sandbox', madeAtMs: nowMs });
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('backup'))).toEqual(['backup.sqlite']);
    store.close();
  });

  it('leaves the backup and the proof of another till that takes the name meanwhile', async () => {
    open().close();
    const [key, otherKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const other = folder.file('other.backup');
    await backUp(path, other, { ...options, tillKey: otherKey });
    const making = backUp(path, backup, { ...options, tillKey: key });
    for (const of of ['', '.mac']) copyFileSync(other + of, backup + of);
    await expect(making).rejects.toThrow('exists; name a new file');
    const proof = readProof(backup) ?? '';
    expect(isProven(backup, { proof, key: otherKey })).toBe(true);
    // A proof whose backup was deleted keeps no new one from its name.
    rmSync(backup);
    await backUp(path, backup, { ...options, tillKey: key });
    expect(isProven(backup, { proof: readProof(backup) ?? '', key })).toBe(true);
  });

  it('that cannot be given its proof is none', async () => {
    open().close();
    mkdirSync(proofPath(backup));
    await expect(backUp(path, backup, { ...options, tillKey: Buffer.alloc(32, 1) })).rejects.toThrow();
    expect(readdirSync(folder.path).filter((name) => name.startsWith('backup'))).toEqual(['backup.sqlite.mac']);
  });

  it('has no profiles of customers in it, and a restore brings none back', async () => {
    const keep = (store: Store) =>
      store.writer.urgent(() =>
        store.keptProfiles.put(
          {
            customer: Buffer.alloc(32, 1),
            nonce: Buffer.alloc(12),
            sealed: Buffer.from('SEALED-PROFILE'),
            seenAtMs: nowMs,
          },
          [Buffer.alloc(32, 2)],
        ),
      );
    const store = open();
    await save(store, 1);
    await keep(store);
    await backUp(path, backup, options);
    expect(readFileSync(backup).includes('SEALED-PROFILE')).toBe(false);
    store.close();
    // As somebody copies it by hand.
    const copy = folder.file('copy.sqlite');
    copyFileSync(path, copy);
    expect(readFileSync(copy).includes('SEALED-PROFILE')).toBe(true);
    restoreBackup(copy, path, options);
    const restored = open();
    expect(restored.keptProfiles.find(Buffer.alloc(32, 2))).toBeNull();
    expect(statesOf(restored)).toHaveProperty('R-1');
    restored.close();
  });

  it('never takes the place of another file', async () => {
    open().close();
    writeFileSync(backup, 'precious');
    await expect(backUp(path, backup, options)).rejects.toThrow('exists');
  });

  it('that cannot be written leaves nothing', async () => {
    open().close();
    writeFileSync(folder.file('file'), '');
    await expect(backUp(path, folder.file('file/backup.sqlite'), options)).rejects.toThrow();
  });
});

describe('a restore', () => {
  it('brings back an earlier state, and loses nothing that happened since', async () => {
    const before = open();
    await save(before, 1, 2, 3);
    await backUp(path, backup, options);
    await apply(before, 1);
    await save(before, 4);
    await save(before, 5);
    await apply(before, 5);
    const epochs = [before.identity.epoch];
    before.close();

    const { recovery } = restoreBackup(backup, path, options);
    expect(recovery).toMatchObject({ carried: 2, renewed: 1, unreadable: 0 });
    const after = open();
    // What the database that was replaced knew better is kept; the rest may have been sent.
    expect(statesOf(after)).toEqual({
      'R-1': 'applied',
      'R-2': 'unknown',
      'R-3': 'unknown',
      'R-4': 'unknown',
      'R-5': 'applied',
    });
    expect(after.operations.counts.read()).toMatchObject({ applied: 2, unknown: 3, queued: 0 });
    expect(epochs).not.toContain(after.identity.epoch);
    expect(after.operations.takeRowId()).toBe(6);
    after.close();
    expect(existsSync(folder.file(recovery?.aside ?? ''))).toBe(true);
  });

  it('leaves to a person what the replaced database knew as refused, also what the backup knew already', async () => {
    const before = open();
    await save(before, 1, 2);
    await refuse(before, 1);
    await backUp(path, backup, options);
    await refuse(before, 2);
    await save(before, 3);
    await refuse(before, 3);
    before.close();
    restoreBackup(backup, path, options);
    const after = open();
    expect(statesOf(after)).toEqual({ 'R-1': 'refused', 'R-2': 'refused', 'R-3': 'refused' });
    expect(after.operations.counts.read()).toMatchObject({ refused: 3, unknown: 0 });
    after.close();
  });

  it('does not know what became of a refused one that the replaced database had not', async () => {
    const before = open();
    await save(before, 1);
    await refuse(before, 1);
    await backUp(path, backup, options);
    before.close();
    const target = folder.file('new/sandbox.sqlite');
    const another = openStore(target, { random: systemRandom(), nowMs });
    await save(another, 2);
    another.close();
    restoreBackup(backup, target, options);
    const after = openStore(target, { random: systemRandom(), nowMs });
    expect(statesOf(after)).toMatchObject({ 'R-1': 'unknown' });
    after.close();
  });

  it('keeps what was decided since about an outcome that was not known', async () => {
    const before = open();
    await before.writer.urgent(() => {
      before.operations.insert(newRow(1, { intent: 'redeem', delivery: 'immediate' }));
      before.operations.mark([1], { atMs: rowTimeMs, keyFingerprint: 'k1' });
      before.operations.change(newChange(1, 'lose', { send: 1, maybeSent: true }));
    });
    await backUp(path, backup, options);
    await before.writer.urgent(() => before.rows.decide(1, 'take_full_payment', nowMs));
    before.close();
    restoreBackup(backup, path, options);
    const after = open();
    expect(after.operations.operation(1)).toMatchObject({ state: 'unknown', decision: 'take_full_payment' });
    after.close();
  });

  it('does not bring back what was taken back since', async () => {
    const before = open();
    await save(before, 1);
    await backUp(path, backup, options);
    await before.writer.urgent(() => before.operations.change(newChange(1, 'cancel')));
    before.close();
    expect(restoreBackup(backup, path, options).recovery).toMatchObject({ carried: 0, renewed: 1 });
    const after = open();
    expect(statesOf(after)).toEqual({ 'R-1': 'cancelled' });
    after.close();
  });

  it('onto a till that has lost its database sends again what waited, as it was', async () => {
    const before = open();
    await save(before, 1, 2);
    await apply(before, 1);
    await backUp(path, backup, options);
    before.close();
    const target = folder.file('new/sandbox.sqlite');
    restoreBackup(backup, target, options);
    const after = openStore(target, { random: systemRandom(), nowMs });
    expect(statesOf(after)).toEqual({ 'R-1': 'applied', 'R-2': 'unknown' });
    const [row] = after.operations.dueUnknown(nowMs, 1_000, 10);
    expect(row).toMatchObject({ externalRef: 'R-2', maybeSent: true });
    after.close();
  });

  it('keeps everything when it is repeated', async () => {
    const store = open();
    await save(store, 1);
    await backUp(path, backup, options);
    await save(store, 2);
    store.close();
    restoreBackup(backup, path, options);
    restoreBackup(backup, path, { ...options, nowMs: nowMs + 1 });
    const after = open();
    expect(statesOf(after)).toEqual({ 'R-1': 'unknown', 'R-2': 'unknown' });
    after.close();
  });

  it.each([
    ['a file that is not there', () => undefined],
    ['a text', (file: string) => writeFileSync(file, 'my backup')],
    ['an empty file', (file: string) => writeFileSync(file, '')],
  ])('refuses %s and changes nothing', async (_, make) => {
    const store = open();
    await save(store, 1);
    store.close();
    make(backup);
    expect(() => restoreBackup(backup, path, options)).toThrow(BackupError);
    const after = open();
    expect(statesOf(after)).toEqual({ 'R-1': 'queued' });
    after.close();
  });

  it('refuses a backup of the other mode: its sales belong to another service', async () => {
    open().close();
    await backUp(path, backup, { mode: 'production', nowMs });
    expect(() => restoreBackup(backup, path, options)).toThrow('backup of production mode');
  });
});
