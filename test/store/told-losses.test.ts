import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { noticesOf } from '../../app/core/notices.ts';
import { noticeInWords } from '../../app/doctor/notice-words.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { backUp, restoreBackup } from '../../app/store/copies/backup.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import type { Store } from '../../app/store/store.ts';
import { newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

// What is told as lost stays told for a week, whatever is told of the database after it.

const dayMs = 86_400_000;
const lostAtMs = rowTimeMs + 60_000;
let folder: ReturnType<typeof temporaryFolder>;
let path: string;
let backup: string;
let older: string;
let olderLog: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = folder.file(join('own', 'till.sqlite'));
  backup = folder.file('till.backup');
  older = folder.file('older.sqlite');
  olderLog = folder.file('older.sqlite-wal');
});
afterEach(() => folder.remove());

function start(nowMs = lostAtMs): Store {
  return openOrRecover(path, { random: systemRandom(), nowMs, now: () => nowMs });
}

async function sell(store: Store, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const rowId = store.operations.takeRowId();
    await store.writer.urgent(() => store.operations.insert(newRow(rowId)));
  }
}

/** A backup of the first sales, and an older copy of the database, from before the last ones. */
async function sellThrice(): Promise<void> {
  const first = start();
  await sell(first, 3);
  await backUp(path, backup, { mode: 'sandbox', nowMs: lostAtMs });
  copyFileSync(`${path}-wal`, olderLog);
  first.close();
  copyFileSync(path, older);
  const last = start();
  await sell(last, 5);
  last.close();
}

/** The last sales are gone, which a start tells. */
async function loseSales(): Promise<void> {
  await sellThrice();
  copyFileSync(older, path);
  const store = start();
  expect(store.recovery).toMatchObject({ why: 'older', unreadable: null });
  store.close();
}

const restore = (nowMs: number) =>
  restoreBackup(backup, path, {
    random: systemRandom(),
    nowMs,
    mode: 'sandbox',
    trust: { kind: 'from_elsewhere' },
  }).recovery;

function spoilHeader(): void {
  const bytes = readFileSync(path);
  bytes.fill(0, 0, 100);
  writeFileSync(path, bytes);
}

function recoveryOfStart(nowMs: number) {
  const store = start(nowMs);
  try {
    return store.recovery;
  } finally {
    store.close();
  }
}

function recoveryOfMove(nowMs: number) {
  const store = start(nowMs);
  try {
    rmSync(path);
    store.checkFiles('close');
    return store.recovery;
  } finally {
    store.close();
  }
}

const laterNotes: readonly [string, string, (nowMs: number) => Store['recovery']][] = [
  ['a restore', 'restored', restore],
  [
    'two restores',
    'restored',
    (nowMs) => {
      restore(nowMs);
      return restore(nowMs + 1_000);
    },
  ],
  [
    'a damaged header',
    'damaged',
    (nowMs) => {
      spoilHeader();
      return recoveryOfStart(nowMs);
    },
  ],
  [
    'a strange log',
    'stray_log',
    (nowMs) => {
      copyFileSync(olderLog, `${path}-wal`);
      return recoveryOfStart(nowMs);
    },
  ],
  ['files that are deleted while it runs', 'moved', recoveryOfMove],
];

it.each(laterNotes)('an unknown loss is told after %s, too', async (_, why, note) => {
  await loseSales();
  const recovery = note(lostAtMs + 6 * dayMs);
  expect(recovery).toMatchObject({ why, unreadable: null });
  const nothingElse = { freeBytes: null, waitingCount: 0, maxQueue: 9, notSaving: null, lastBackupAtMs: null };
  const facts = { nowMs: lostAtMs + 6 * dayMs, ...nothingElse, isDamaged: false, hasOtherKey: false };
  const [notice] = noticesOf({ ...facts, recovery });
  if (notice === undefined) throw new Error('Nothing is told');
  expect(noticeInWords(notice)).toContain('the number of lost operations is not known');
});

it.each(laterNotes)('a loss of more than a week ago is not told again after %s', async (_, why, note) => {
  await loseSales();
  expect(note(lostAtMs + 8 * dayMs)).toMatchObject({ why, unreadable: 0 });
});

it.each(laterNotes)('no loss is told after %s where none was told before', async (_, why, note) => {
  await sellThrice();
  expect(restore(lostAtMs)).toMatchObject({ unreadable: 0 });
  expect(note(lostAtMs + dayMs)).toMatchObject({ why, unreadable: 0 });
});
