import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { backUp } from '../../app/store/copies/backup.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import { newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';
import { cuttableDisk } from '../support/power-cut.ts';
import { isLong } from './scenario.ts';

const disk = cuttableDisk();
if (disk === null)
  console.warn('No power was cut during a restore: that takes root, mkfs.ext4, python3 and a loop mount.');
afterAll(() => disk?.remove());

const options = { random: seededRandom(5), nowMs: rowTimeMs + 60_000 };
const rounds = isLong ? 250 : 8;
const commitCount = 10;
const rowsOfACommit = 9;

/** Ten commits of nine sales, five of them in a backup, and a kill. */
async function prepare(folder: string): Promise<readonly string[]> {
  const path = join(folder, 'sandbox.sqlite');
  const store = openStore(path, options);
  const acknowledged: string[] = [];
  for (let commit = 0; commit < commitCount; commit += 1) {
    const rowIds = Array.from({ length: rowsOfACommit }, () => store.operations.takeRowId());
    await store.writer.urgent(() => {
      for (const rowId of rowIds) store.operations.insert(newRow(rowId));
    });
    acknowledged.push(...rowIds.map((rowId) => `R-${rowId}`));
    if (commit === commitCount / 2) await backUp(path, join(folder, 'till.backup'), { mode: 'sandbox', nowMs: 1 });
  }
  const left = join(folder, 'left');
  mkdirSync(left);
  for (const part of ['', '-wal', '-shm', '-open'].filter((one) => existsSync(path + one)))
    copyFileSync(path + part, join(left, `sandbox.sqlite${part}`));
  store.close();
  return acknowledged;
}

function held(store: Store): ReadonlySet<string> {
  const { operations } = store.activity.look({}, { limit: 5_000 }, store.operations.counts.read());
  return new Set(operations.map(({ externalRef }) => externalRef));
}

describe.runIf(disk !== null)('a power cut during a restore, or after it', () => {
  it('loses no sale that was acknowledged before or after', async () => {
    if (disk === null) return;
    const outside = temporaryFolder();
    const acknowledgedBefore = await prepare(outside.path);
    const random = seededRandom(Number(process.env.CUT_SEED ?? '21'));
    const folder = join(disk.path, 'till');
    for (let round = 0; round < rounds; round += 1) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      for (const name of readdirSync(outside.file('left')))
        copyFileSync(outside.file(`left/${name}`), join(folder, name));
      copyFileSync(outside.file('till.backup'), join(folder, 'till.backup'));
      await once(spawn('sync'), 'close');
      const path = join(folder, 'sandbox.sqlite');
      const child = spawn(
        process.execPath,
        [join(import.meta.dirname, 'restore-process.ts'), path, join(folder, 'till.backup')],
        { stdio: ['ignore', 'pipe', 'ignore'] },
      );
      const ended = once(child, 'close');
      let told = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        told += text;
      });
      while (!told.includes('begins') && child.exitCode === null) await sleep(1);
      await sleep(random.next() * 160);
      disk.cut();
      const toldAtCut = told;
      child.kill('SIGKILL');
      await ended;
      disk.comeBack();
      const store = openOrRecover(path, options);
      const now = held(store);
      const { recovery } = store;
      store.close();
      const acknowledged = [
        ...acknowledgedBefore,
        ...[...toldAtCut.matchAll(/saved (\S+)\n/g)].map(([, reference = '']) => reference),
      ];
      const missing = acknowledged.filter((reference) => !now.has(reference));
      expect(
        { missing, recovery: missing.length > 0 ? recovery : null },
        `round ${round}, cut after: ${toldAtCut.split('\n').at(-2)}`,
      ).toEqual({ missing: [], recovery: null });
      // A cut that tore nothing that was acknowledged is no damage.
      expect(recovery === null || recovery.why === 'restored', `round ${round}: ${recovery?.why}`).toBe(true);
    }
    outside.remove();
  }, 900_000);
});
