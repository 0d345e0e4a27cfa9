import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDatabase } from '../../app/doctor/check-machine.ts';
import { noticeInWords } from '../../app/doctor/notice-words.ts';
import { openDatabase } from '../../app/store/database/open.ts';
import type { Store } from '../../app/store/store.ts';
import { newChange, rowTimeMs } from '../support/core-rows.ts';
import { bytesOf, flip, heldIn, sell } from '../support/lying-files.ts';
import { killOn, options, others, own, runOn, start, useTwoTills } from '../support/two-tills.ts';

const asideName = 'till.stray-log-20261120T181410.sqlite-wal';
/** More than go into one log. */
const manySales = 450;

useTwoTills();

async function expectSoundAndSelling(store: Store): Promise<void> {
  const { recovery } = store;
  await sell(store, 'NEW', 1);
  store.close();
  const database = openDatabase(own);
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  database.close();
  const again = start(own, options.nowMs + 20_000);
  expect(again.recovery).toEqual(recovery);
  expect(heldIn(again, 'NEW', 1)).toBe(1);
  again.close();
}

describe('after a kill, a log that is not the one of the database beside it', () => {
  async function expectPutAside(log: Buffer, ...words: readonly (readonly [string, number])[]): Promise<Store> {
    writeFileSync(`${own}-wal`, log);
    expect(checkDatabase(own, { isOpen: false })).toMatchObject([
      { verdict: 'problem', says: 'a log that is not of till.sqlite lies beside it' },
    ]);
    const store = start(own, options.nowMs + 10_000);
    expect(words.map(([word, count]) => heldIn(store, word, count))).toEqual(words.map(([, count]) => count));
    expect(store.recovery).toMatchObject({ why: 'log_missing', aside: asideName, unreadable: null });
    expect(bytesOf(join(own, '..', asideName)).equals(log)).toBe(true);
    return store;
  }

  it('that is an own one of an earlier run takes none of its sales back, and is put aside and told', async () => {
    const log = await runOn(own, 'ONE', 60);
    await runOn(own, 'TWO', 300);
    await killOn(own, (store) => sell(store, 'THREE', 5));
    const store = await expectPutAside(log, ['ONE', 60], ['TWO', 300]);
    const words = noticeInWords({
      code: 'database_recovered',
      at: '2026-11-20T18:14:10Z',
      aside: asideName,
      why: 'log_missing',
      carried: 0,
      unreadable: null,
      last_backup_at: null,
    });
    expect(words).toContain(`beside it and is now ${asideName}`);
    await expectSoundAndSelling(store);
  });

  it('that is an own one of the same run takes none of its sales back', async () => {
    let log: Buffer = Buffer.alloc(0);
    await killOn(own, async (store) => {
      await sell(store, 'ONE', 60);
      log = bytesOf(`${own}-wal`);
      for (const word of ['TWO', 'THREE']) {
        store.keptProfiles.wipe();
        await sell(store, word, 60);
      }
      store.keptProfiles.wipe();
      await sell(store, 'FOUR', 2);
    });
    await expectSoundAndSelling(await expectPutAside(log, ['ONE', 60], ['TWO', 60], ['THREE', 60]));
  });

  it('that is another till’s costs no sale and brings none', async () => {
    const log = await runOn(others, 'OTHERS', 40);
    await runOn(own, 'ONE', 48);
    await killOn(own, (store) => sell(store, 'TWO', 3));
    const store = await expectPutAside(log, ['ONE', 48]);
    expect(heldIn(store, 'OTHERS', 40)).toBe(0);
    await expectSoundAndSelling(store);
  });

  it('brings back to the queue nothing that was sent since', async () => {
    const log = await runOn(own, 'ONE', 3);
    await killOn(own, async (store) => {
      const rowIds = [1, 2, 3];
      await store.writer.lazy(() => {
        store.operations.mark(rowIds, { atMs: rowTimeMs, keyFingerprint: 'k1' });
      });
      await store.writer.lazy(() => {
        for (const rowId of rowIds) store.operations.change(newChange(rowId, 'apply', { send: 1 }));
      });
    });
    await runOn(own, 'TWO', 20);
    await killOn(own, (store) => sell(store, 'THREE', 1));
    const store = await expectPutAside(log, ['ONE', 3], ['TWO', 20]);
    expect(store.operations.counts.read()).toMatchObject({ applied: 3, unknown: 20 });
    store.close();
  });

  it('is not played into it either where nobody has noted what the log began on', async () => {
    const log = await runOn(own, 'ONE', 60);
    await runOn(own, 'TWO', 100);
    await killOn(own, (store) => sell(store, 'THREE', 5));
    const marker = bytesOf(`${own}-open`);
    marker.writeUInt32LE(0, 12);
    writeFileSync(`${own}-open`, marker);
    writeFileSync(`${own}-wal`, log);
    const present = bytesOf(own);
    const store = start(own, options.nowMs + 10_000);
    expect(store.recovery).toMatchObject({ why: 'log_damaged', unreadable: null });
    expect(bytesOf(join(own, '..', store.recovery?.aside ?? '')).equals(present)).toBe(true);
    await expectSoundAndSelling(store);
  });
});

it('takes back nothing that was cancelled since, also where the log is carried over with the file', async () => {
  const log = await runOn(own, 'ONE', 60);
  const store = start(own);
  await store.writer.urgent(() => store.operations.change(newChange(1, 'cancel')));
  await sell(store, 'TWO', 100);
  store.close();
  await killOn(own, (killed) => sell(killed, 'THREE', 5));
  const marker = bytesOf(`${own}-open`);
  marker.writeUInt32LE(0, 12);
  writeFileSync(`${own}-open`, marker);
  writeFileSync(`${own}-wal`, log);
  const again = start(own, options.nowMs + 10_000);
  expect(again.operations.operationsByReference('ONE-1').map(({ state }) => state)).toEqual(['cancelled']);
  expect([heldIn(again, 'ONE', 60), heldIn(again, 'TWO', 100)]).toEqual([60, 100]);
  await expectSoundAndSelling(again);
});

describe('after a kill, an older database with its own log', () => {
  it('is told, and the log stays its own', async () => {
    await runOn(own, 'ONE', 30);
    await killOn(own, (store) => sell(store, 'TWO', 30));
    const [file, log] = [bytesOf(own), bytesOf(`${own}-wal`)];
    await runOn(own, 'THREE', 30);
    await killOn(own, (store) => sell(store, 'FOUR', 3));
    writeFileSync(own, file);
    writeFileSync(`${own}-wal`, log);
    const store = start(own, options.nowMs + 10_000);
    expect([heldIn(store, 'ONE', 30), heldIn(store, 'TWO', 30)]).toEqual([30, 30]);
    expect(store.recovery).toMatchObject({ why: 'log_missing', aside: null, unreadable: null });
    await expectSoundAndSelling(store);
  });
});

describe('after a kill, a log with a damage that can be mended', () => {
  const damage = (path: string) => writeFileSync(`${path}-wal`, flip(bytesOf(`${path}-wal`), 32 + 24 + 1_000, 4));

  it('over an older copy of the database does not say that nothing is missing', async () => {
    await runOn(own, 'ONE', 30);
    const older = bytesOf(own);
    await runOn(own, 'TWO', manySales);
    await killOn(own, (store) => sell(store, 'THREE', 5));
    writeFileSync(own, older);
    damage(own);
    const store = start(own);
    expect(heldIn(store, 'ONE', 30)).toBe(30);
    expect(heldIn(store, 'TWO', manySales)).toBeLessThan(manySales);
    expect(store.recovery).toMatchObject({ why: 'damaged', unreadable: null });
    store.close();
  });

  it('over its own database says that nothing is missing', async () => {
    await runOn(own, 'ONE', 30);
    await killOn(own, (store) => sell(store, 'TWO', 40));
    damage(own);
    const store = start(own);
    expect([heldIn(store, 'ONE', 30), heldIn(store, 'TWO', 40)]).toEqual([30, 40]);
    expect(store.recovery).toMatchObject({ why: 'log_damaged', unreadable: 0 });
    store.close();
  });
});
