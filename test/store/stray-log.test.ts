import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDatabase } from '../../app/doctor/check-machine.ts';
import { noticeInWords } from '../../app/doctor/notice-words.ts';
import { backUp, restoreBackup } from '../../app/store/copies/backup.ts';
import { eraseProfilesBeside } from '../../app/store/copies/other-databases.ts';
import { openDatabase } from '../../app/store/database/open.ts';
import { examineLog } from '../../app/store/files/database-files.ts';
import { checksumOver, firstChecksum, wordsOf } from '../../app/store/files/log-checksum.ts';
import type { Store } from '../../app/store/store.ts';
import { bytesOf, copyFiles, heldIn, sell } from '../support/lying-files.ts';
import { folder, options, others, own, runOn, start, useTwoTills } from '../support/two-tills.ts';

const asideName = 'till.stray-log-20261120T181410.sqlite-wal';

useTwoTills();

const countIn = (store: Store) => Object.values(store.operations.counts.read()).reduce((sum, count) => sum + count, 0);

describe('a log beside a database that was closed in good order', () => {
  it.each([
    [20, 20, 20],
    [200, 200, 50],
    [200, 60, 3],
  ])('that is an own older one (%s, %s and %s sales) costs no sale, and is kept and told', async (one, two, three) => {
    await runOn(own, 'ONE', one);
    const log = await runOn(own, 'TWO', two);
    await runOn(own, 'THREE', three);
    const closed = bytesOf(own);
    writeFileSync(`${own}-wal`, log);
    expect(checkDatabase(own, { isOpen: false })).toMatchObject([
      { verdict: 'problem', says: 'a log that is not of till.sqlite lies beside it' },
    ]);
    expect(bytesOf(own).equals(closed)).toBe(true);
    const store = start(own, options.nowMs + 10_000);
    expect([heldIn(store, 'ONE', one), heldIn(store, 'TWO', two), heldIn(store, 'THREE', three)]).toEqual([
      one,
      two,
      three,
    ]);
    expect(store.recovery).toMatchObject({ why: 'stray_log', aside: asideName, unreadable: 0 });
    expect(bytesOf(join(own, '..', asideName)).equals(log)).toBe(true);
    // None of them is doubted: nothing is missing.
    expect(store.operations.counts.read().queued).toBe(one + two + three);
    store.close();
    expect(readdirSync(join(own, '..')).filter((name) => name.includes('reading'))).toEqual([]);
    const again = start(own, options.nowMs + 20_000);
    expect(again.recovery?.atMs).toBe(options.nowMs + 10_000);
    again.close();
  });

  it('that is another till’s costs no sale, and the till stays itself', async () => {
    await runOn(own, 'OWN', 40);
    writeFileSync(`${own}-wal`, await runOn(others, 'OTHER', 3));
    const store = start(own);
    expect(store.recovery).toMatchObject({ why: 'stray_log' });
    expect([countIn(store), heldIn(store, 'OWN', 40)]).toEqual([40, 40]);
    store.close();
  });

  it('that came with its own older database is left to it: an older copy was put back', async () => {
    await runOn(own, 'ONE', 5);
    const killed = start(own);
    // How often it was opened stands in the database itself from here on.
    killed.keptProfiles.wipe();
    await sell(killed, 'TWO', 5);
    for (const part of ['', '-wal']) copyFileSync(own + part, folder.file(`older${part}`));
    killed.close();
    await runOn(own, 'THREE', 5);
    for (const part of ['', '-wal']) copyFileSync(folder.file(`older${part}`), own + part);
    const store = start(own);
    expect(store.recovery).toMatchObject({ why: 'older', aside: null });
    expect([heldIn(store, 'ONE', 5), heldIn(store, 'TWO', 5), heldIn(store, 'THREE', 5)]).toEqual([5, 5, 0]);
    store.close();
  });

  it('that a start has left which was killed before it had noted anything is its own', async () => {
    await runOn(own, 'OWN', 5);
    const database = openDatabase(own);
    database.exec("INSERT INTO meta (key, value) VALUES ('written_by_the_start', '1')");
    copyFiles(join(own, '..'), folder.file('left'));
    database.close();
    copyFiles(folder.file('left'), join(own, '..'));
    const store = start(own);
    expect(store.recovery).toBeNull();
    store.close();
    const kept = openDatabase(own);
    expect(kept.prepare("SELECT value FROM meta WHERE key = 'written_by_the_start'").pluck().get()).toBe('1');
    kept.close();
  });

  it('costs no sale where a backup is restored, or the other mode’s agent erases what lies beside it', async () => {
    const path = folder.file(join('data', 'sandbox.sqlite'));
    const log = await runOn(path, 'ONE', 30);
    await backUp(path, folder.file('own.backup'), { mode: 'sandbox', nowMs: options.nowMs });
    await runOn(path, 'TWO', 40);
    const closed = bytesOf(path);
    writeFileSync(`${path}-wal`, log);
    expect(eraseProfilesBeside(join(path, '..', 'production.sqlite')).notReached).toEqual(['sandbox.sqlite']);
    expect(bytesOf(path).equals(closed)).toBe(true);
    const trust = { kind: 'from_elsewhere' } as const;
    const { recovery } = restoreBackup(folder.file('own.backup'), path, { ...options, mode: 'sandbox', trust });
    expect(recovery).toMatchObject({ why: 'restored', carried: 40, unreadable: 0 });
  });
});

it('a log that began so many rounds after the one that is known is not its own', async () => {
  const store = start(own);
  await sell(store, 'ONE', 3);
  const left = folder.file('left');
  copyFiles(join(own, '..'), left);
  store.close();
  const path = join(left, 'till.sqlite');
  const markerOf = (roundsBefore: number) => {
    const marker = bytesOf(`${path}-open`);
    const head = marker.subarray(16, 64);
    head.writeUInt32BE((head.readUInt32BE(32) - roundsBefore) >>> 0, 32);
    const { s1, s2 } = checksumOver(wordsOf(head.subarray(0, 40), { isLittleEndian: true }), firstChecksum);
    head.writeUInt32LE(s1, 40);
    head.writeUInt32LE(s2, 44);
    return marker;
  };
  const marker = bytesOf(`${path}-open`);
  for (const [rounds, isOwn] of [
    [2 ** 16, true],
    [2 ** 16 + 1, false],
  ] as const) {
    writeFileSync(`${path}-open`, marker);
    writeFileSync(`${path}-open`, markerOf(rounds));
    const examine = () => examineLog(path);
    if (isOwn) expect(examine).not.toThrow();
    else expect(examine).toThrow('not its own');
  }
});

it('a log that was put aside is told in words', () => {
  const told = {
    code: 'database_recovered',
    at: '2026-11-20T18:14:00.000Z',
    aside: asideName,
    why: 'stray_log',
    carried: 0,
    unreadable: 0,
    last_backup_at: null,
  } as const;
  expect(noticeInWords(told)).toBe(
    `A log that is not of the database lay beside it at ${told.at} and is now ${asideName}. The database is as it was closed`,
  );
});
