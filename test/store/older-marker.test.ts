import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { checkDatabase } from '../../app/doctor/check-machine.ts';
import { bytesOf, heldIn, sell } from '../support/lying-files.ts';
import { folder, killOn, options, others, own, runOn, start, useTwoTills } from '../support/two-tills.ts';

useTwoTills();

/** The database, and the marker that says what its files have held. */
const pair = ['', '-open'] as const;
const keep = () => {
  for (const part of pair) copyFileSync(own + part, folder.file(`kept${part}`));
};
const putBack = () => {
  for (const part of pair) copyFileSync(folder.file(`kept${part}`), own + part);
};

/** All that is in the log goes into the file: the log begins anew. */
function checkpoint(): void {
  const beside = new BetterSqlite3(own);
  beside.pragma('wal_checkpoint(PASSIVE)');
  beside.close();
}

async function expectBothRead(words: Readonly<Record<string, number>>): Promise<void> {
  const log = bytesOf(`${own}-wal`);
  expect(checkDatabase(own, { isOpen: false })[0]?.says).toContain('an older copy of it, or another one, lies under');
  const store = start(own, options.nowMs + 1);
  const held = Object.entries(words).map(([word, count]) => [word, heldIn(store, word, count)]);
  expect(held).toEqual(Object.entries(words));
  expect(store.recovery).toMatchObject({ why: 'damaged', unreadable: null });
  const { aside, atMs } = { aside: null, ...store.recovery };
  expect(bytesOf(join(own, '..', `${aside}-wal`)).equals(log)).toBe(true);
  await sell(store, 'NEW', 1);
  store.close();
  const again = start(own, options.nowMs + 2);
  expect([again.recovery?.atMs, heldIn(again, 'NEW', 1)]).toEqual([atMs, 1]);
  again.close();
}

describe('an older database that was put back with its marker under the present log', () => {
  it('costs no sale of that log: copied while the agent ran, and put back after a later run was killed', async () => {
    await runOn(own, 'ONE', 200);
    const store = start(own);
    await sell(store, 'TWO', 3);
    keep();
    store.close();
    await killOn(own, (killed) => sell(killed, 'THREE', 40));
    putBack();
    await expectBothRead({ ONE: 200, THREE: 40 });
  });

  it('costs no sale of that log: copied after a clean end, and put back after a log that had begun anew', async () => {
    await runOn(own, 'ONE', 200);
    keep();
    await killOn(own, async (killed) => {
      await sell(killed, 'TWO', 60);
      checkpoint();
      await sell(killed, 'THREE', 40);
    });
    putBack();
    await expectBothRead({ ONE: 200, THREE: 40 });
  });
});

it('the database of another till that was put with its marker under the present log costs no sale of that log', async () => {
  const other = start(others);
  await sell(other, 'OTHER', 30);
  for (const part of pair) copyFileSync(others + part, folder.file(`kept${part}`));
  other.close();
  await runOn(own, 'ONE', 20);
  await killOn(own, (killed) => sell(killed, 'TWO', 40));
  putBack();
  await expectBothRead({ TWO: 40 });
});
