import { copyFileSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDatabase } from '../../app/doctor/check-machine.ts';
import { backUp, restoreBackup } from '../../app/store/copies/backup.ts';
import { openDatabase } from '../../app/store/database/open.ts';
import type { Store } from '../../app/store/store.ts';
import { newRow } from '../support/core-rows.ts';
import { bytesOf, kill } from '../support/lying-files.ts';
import { folder, options, others, own, start, useTwoTills } from '../support/two-tills.ts';

useTwoTills();

async function sell(store: Store, ...references: readonly string[]): Promise<void> {
  for (const externalRef of references) {
    const rowId = store.operations.takeRowId();
    const operationId = `00000000-0000-4000-8000-${Buffer.from(externalRef).toString('hex').padStart(12, '0').slice(-12)}`;
    await store.writer.urgent(() => store.operations.insert(newRow(rowId, { externalRef, operationId })));
  }
}

const referencesIn = (store: Store) =>
  store.activity
    .look({}, { limit: 100 }, store.operations.counts.read())
    .operations.map(({ externalRef }) => externalRef)
    .toSorted();

/** @returns the identity of the database */
async function runOn(path: string, ...references: readonly string[]): Promise<string> {
  const store = start(path);
  await sell(store, ...references);
  store.close();
  return store.identity.deviceId;
}

/** What a kill leaves stands in the place of the files from then on. */
async function killOn(path: string, ...references: readonly string[]): Promise<void> {
  const store = start(path);
  await sell(store, ...references);
  kill(store, path);
}

const doctorSays = (path: string) =>
  checkDatabase(path, { isOpen: false })
    .filter(({ verdict }) => verdict === 'problem')
    .map(({ says }) => says)
    .join('\n');

describe('the database of another till', () => {
  it('that was copied in place after a clean end is told before the start and at it, and the till stays itself', async () => {
    const deviceId = await runOn(own, 'OWN-1');
    await runOn(others, 'OTHER-1', 'OTHER-2');
    copyFileSync(others, own);
    expect(doctorSays(own)).toContain('another till');
    const store = start(own);
    expect(store.recovery).toMatchObject({ why: 'another', unreadable: null });
    expect(store.identity.deviceId).toBe(deviceId);
    // Both tills may send them: under their references the service acts once.
    expect(referencesIn(store)).toEqual(['OTHER-1', 'OTHER-2']);
    expect(store.activity.look({}, { limit: 9 }, store.operations.counts.read()).operations[0]?.state).toBe('unknown');
    store.close();
    expect(doctorSays(own)).toBe('');
    const again = start(own);
    expect(again.recovery?.atMs).toBe(store.recovery?.atMs);
    again.close();
  });

  it('is told when its marker came with it, and when its log did after a kill', async () => {
    await runOn(own, 'OWN-1');
    await runOn(others, 'OTHER-1');
    for (const part of ['', '-open']) copyFileSync(others + part, own + part);
    const first = start(own);
    expect(first.recovery).toMatchObject({ why: 'another' });
    first.close();

    const second = folder.file(join('second', 'till.sqlite'));
    await killOn(second, 'SECOND-1');
    await killOn(others, 'OTHER-2');
    for (const part of ['', '-wal']) copyFileSync(others + part, second + part);
    const killed = start(second);
    expect(killed.recovery).toMatchObject({ why: 'another' });
    killed.close();
  });

  it('is told where the list of databases is damaged and only the marker knows', async () => {
    await runOn(own, 'OWN-1');
    await runOn(others, 'OTHER-1');
    writeFileSync(join(own, '..', 'databases.json'), '{');
    copyFileSync(others, own);
    const store = start(own);
    expect(store.recovery).toMatchObject({ why: 'another' });
    store.close();
  });

  it('gives way to the till’s own one, and what was sold meanwhile comes along with a restore', async () => {
    await runOn(own, 'OWN-1');
    copyFileSync(own, folder.file('kept'));
    await runOn(others, 'OTHER-1');
    copyFileSync(others, own);
    await runOn(own, 'MEANWHILE');
    restoreBackup(folder.file('kept'), own, { ...options, mode: 'sandbox', trust: { kind: 'from_elsewhere' } });
    const store = start(own);
    expect(store.recovery).toMatchObject({ why: 'restored' });
    expect(referencesIn(store)).toEqual(['MEANWHILE', 'OTHER-1', 'OWN-1']);
    store.close();
  });

  it('that gave way to the own one by hand is told: what was sold meanwhile is not in it', async () => {
    await runOn(own, 'OWN-1');
    copyFileSync(own, folder.file('kept'));
    await runOn(others, 'OTHER-1');
    copyFileSync(others, own);
    await runOn(own, 'MEANWHILE');
    copyFileSync(folder.file('kept'), own);
    expect(doctorSays(own)).toContain('older copy');
    const store = start(own);
    expect(store.recovery).toMatchObject({ why: 'older' });
    store.close();
  });
});

describe('an older copy of the till’s own database', () => {
  it('is told after a clean end, also one that was made in the same run', async () => {
    const store = start(own);
    await sell(store, 'OWN-1');
    await backUp(own, folder.file('backup'), { mode: 'sandbox', nowMs: options.nowMs });
    await sell(store, 'OWN-2');
    store.close();
    copyFileSync(folder.file('backup'), own);
    expect(doctorSays(own)).toContain('older copy');
    const after = start(own);
    expect(after.recovery).toMatchObject({ why: 'older', unreadable: null });
    after.close();
  });

  it('is told when everything of the database’s name was deleted before', async () => {
    await runOn(own, 'OWN-1');
    copyFileSync(own, folder.file('kept'));
    await runOn(own, 'OWN-2');
    for (const part of ['', '-open']) rmSync(own + part);
    copyFileSync(folder.file('kept'), own);
    const store = start(own);
    expect(store.recovery).toMatchObject({ why: 'older' });
    store.close();
  });

  it.each([
    { what: 'made before a restore', copyOf: (kept: string) => kept },
    { what: 'put aside by a restore', copyOf: (_: string, aside: string) => join(own, '..', aside) },
  ])('that was $what is told after it', async ({ copyOf }) => {
    const backup = folder.file('backup');
    const running = start(own);
    await sell(running, 'OWN-1');
    await backUp(own, backup, { mode: 'sandbox', nowMs: options.nowMs });
    running.close();
    for (let again = 0; again < 4; again += 1) await runOn(own);
    await runOn(own, 'OWN-2');
    copyFileSync(own, folder.file('kept'));
    const trust = { kind: 'from_elsewhere' } as const;
    const { recovery } = restoreBackup(backup, own, { ...options, mode: 'sandbox', trust });
    await runOn(own, 'SINCE');
    const earlier = copyOf(folder.file('kept'), recovery?.aside ?? '');
    copyFileSync(earlier, own);
    expect(doctorSays(own)).toContain('older copy');
    const laterMs = options.nowMs + 1;
    const store = start(own, laterMs);
    expect(store.recovery).toMatchObject({ why: 'older', atMs: laterMs });
    expect(referencesIn(store)).toEqual(['OWN-1', 'OWN-2']);
    store.close();
  });

  it('that is newer than what stands there now is told, too: what was sold meanwhile is not in it', async () => {
    await runOn(own, 'OWN-1');
    copyFileSync(own, folder.file('older'));
    await runOn(own, 'OWN-2');
    copyFileSync(own, folder.file('newer'));
    copyFileSync(folder.file('older'), own);
    await runOn(own, 'MEANWHILE');
    copyFileSync(folder.file('newer'), own);
    const laterMs = options.nowMs + 1;
    const store = start(own, laterMs);
    expect(store.recovery).toMatchObject({ why: 'older', atMs: laterMs });
    expect(referencesIn(store)).toEqual(['OWN-1', 'OWN-2']);
    store.close();
  });

  it('that was made before anything stood in it is told: all of it was in the log still', async () => {
    const store = start(own);
    await sell(store, 'OWN-1');
    copyFileSync(own, folder.file('kept'));
    await sell(store, 'OWN-2');
    store.close();
    copyFileSync(folder.file('kept'), own);
    expect(doctorSays(own)).toContain('has nothing in it');
    const after = start(own);
    expect(after.recovery).toMatchObject({ why: 'missing', unreadable: null });
    after.close();
    expect(doctorSays(own)).toBe('');
    const laterMs = options.nowMs + 1;
    const again = start(own, laterMs);
    expect(again.recovery?.atMs).toBe(options.nowMs);
    again.close();
  });

  it('from before it was begun again is no other till’s', async () => {
    await runOn(own, 'OWN-1');
    copyFileSync(own, folder.file('kept'));
    for (const name of readdirSync(join(own, '..'))) {
      if (name !== 'databases.json') rmSync(join(own, '..', name));
    }
    await runOn(own, 'OWN-2');
    copyFileSync(folder.file('kept'), own);
    expect(doctorSays(own)).toContain('older copy');
    const store = start(own);
    expect(store.recovery).toMatchObject({ why: 'older' });
    store.close();
  });
});

describe('a database of which nothing is wrong', () => {
  it('is not told of when another one was put in place on purpose, or out of need', async () => {
    const told = (store: Store) => {
      store.close();
      return store.recovery?.why ?? null;
    };
    await runOn(others, 'OTHER-1');
    await backUp(others, folder.file('backup'), { mode: 'sandbox', nowMs: options.nowMs });
    await runOn(own, 'OWN-1');
    restoreBackup(folder.file('backup'), own, { ...options, mode: 'sandbox', trust: { kind: 'from_elsewhere' } });
    expect(told(start(own))).toBe('restored');
    expect(told(start(own))).toBe('restored');
    writeFileSync(own, bytesOf(own).fill(0, 0, 100));
    expect(told(start(own))).toBe('damaged');
    expect(doctorSays(own)).toBe('');
    expect(told(start(own))).toBe('damaged');
  });

  it('was begun by a first start that was killed at once', async () => {
    const begun = openDatabase(own);
    // The tables are in the log alone, which was not yet made.
    copyFileSync(own, folder.file('begun'));
    begun.close();
    for (const name of readdirSync(join(own, '..'))) rmSync(join(own, '..', name));
    copyFileSync(folder.file('begun'), own);
    expect(bytesOf(own).length).toBeGreaterThan(0);
    expect(doctorSays(own)).toBe('');
    const store = start(own);
    expect(store.recovery).toBeNull();
    store.close();
  });

  it('was closed by an earlier version, which kept no identity', async () => {
    await runOn(own, 'OWN-1');
    const earlierMarker = bytesOf(`${own}-open`).subarray(0, 64);
    earlierMarker.write('TBopen1\0', 'latin1');
    writeFileSync(`${own}-open`, earlierMarker);
    writeFileSync(join(own, '..', 'databases.json'), '["till.sqlite"]\n');
    const store = start(own);
    expect(store.recovery).toBeNull();
    expect(referencesIn(store)).toEqual(['OWN-1']);
    store.close();
  });

  it('was left by a kill of an earlier version', async () => {
    await killOn(own, 'OWN-1');
    writeFileSync(join(own, '..', 'databases.json'), '["till.sqlite"]\n');
    rmSync(`${own}-open`);
    const store = start(own);
    expect(store.recovery).toBeNull();
    expect(referencesIn(store)).toEqual(['OWN-1']);
    store.close();
  });

  it('was closed, and lost its marker', async () => {
    await runOn(own, 'OWN-1');
    rmSync(`${own}-open`);
    const store = start(own);
    expect(store.recovery).toBeNull();
    store.close();
  });
});

describe('a database that was moved after a clean end, with a link left in its place', () => {
  it('is told by the doctor, and the till goes on selling with everything in it', async () => {
    await runOn(own, 'OWN-1', 'OWN-2');
    renameSync(own, folder.file('moved.sqlite'));
    symlinkSync(folder.file('moved.sqlite'), own);
    expect(doctorSays(own)).toContain('it is a link');
    const store = start(own);
    expect(referencesIn(store)).toEqual(['OWN-1', 'OWN-2']);
    await sell(store, 'OWN-3');
    store.close();
    const again = start(own);
    expect(referencesIn(again)).toEqual(['OWN-1', 'OWN-2', 'OWN-3']);
    again.close();
  });

  it('is refused as long as the disk with the file is not there, and nothing is made in its place', async () => {
    await runOn(own, 'OWN-1');
    renameSync(own, folder.file('moved.sqlite'));
    symlinkSync(folder.file('elsewhere.sqlite'), own);
    expect(() => start(own)).toThrow(/link to a file that is not there/);
    expect(readdirSync(folder.path)).not.toContain('elsewhere.sqlite');
  });
});

describe('after a kill', () => {
  it('a database that was moved, with a link left in its place, costs no sale: its log is where SQLite does not look', async () => {
    await killOn(own, 'OWN-1', 'OWN-2');
    renameSync(own, folder.file('moved.sqlite'));
    symlinkSync(folder.file('moved.sqlite'), own);
    const store = start(own);
    expect(referencesIn(store)).toEqual(['OWN-1', 'OWN-2']);
    expect(store.recovery).toMatchObject({ why: 'log_damaged', carried: 2, unreadable: 0 });
    await sell(store, 'OWN-3');
    store.close();
    const laterMs = options.nowMs + 1;
    const again = start(own, laterMs);
    expect(referencesIn(again)).toEqual(['OWN-1', 'OWN-2', 'OWN-3']);
    expect(again.recovery?.atMs).toBe(options.nowMs);
    again.close();
  });

  it('a log that is gone together with the marker is told', async () => {
    await killOn(own, 'OWN-1');
    for (const part of ['-wal', '-open']) rmSync(own + part);
    expect(doctorSays(own)).toContain('was not closed');
    const store = start(own);
    expect(store.recovery).toMatchObject({ why: 'log_missing', unreadable: null });
    store.close();
  });

  it('a log that is gone beside a marker of garbage is told', async () => {
    await killOn(own, 'OWN-1');
    rmSync(`${own}-wal`);
    writeFileSync(`${own}-open`, 'garbage');
    const store = start(own);
    expect(store.recovery).toMatchObject({ why: 'log_missing', unreadable: null });
    store.close();
  });

  it('a start that was killed before it had made a new marker is no false alarm', async () => {
    await killOn(own, 'OWN-1');
    // Its marker is gone, and the next one is not there yet.
    openDatabase(own).close();
    const store = start(own);
    expect(store.recovery).toBeNull();
    expect(referencesIn(store)).toEqual(['OWN-1']);
    store.close();
  });
});
