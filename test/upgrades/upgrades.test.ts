import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { openServiceDatabase } from '../../app/service/store/open.ts';
import { openStore } from '../../app/store/store.ts';
import { type Content, contentOf, damageIn } from '../crash/service-file.ts';
import { watchStatements } from '../crash/statement-watch.ts';
import { type Cut, cutsWhile } from './cuts.ts';
import { deliverAndCompare } from './deliver.ts';
import { type FrozenRow, frozenRows } from './frozen-rows.ts';
import { type FrozenSet, readFrozenSets } from './frozen-set.ts';
import { type Files, Home } from './home.ts';
import { loadProgram, type Program } from './program.ts';
import { serviceFile, tillFile } from './shop.ts';

// LONG_TESTS=1 tries every cut; UPGRADE_SEED repeats a sample.
const isLong = process.env.LONG_TESTS === '1';
const seed = Number(process.env.UPGRADE_SEED ?? Date.now() % 1_000_000);
const sampleSize = 2;

const watch = watchStatements();
let program: Program;
beforeAll(async () => {
  program = await loadProgram(join(import.meta.dirname, '..', '..'));
});
afterAll(() => watch.stop());

let home: Home | null = null;
afterEach(() => {
  home?.remove();
  home = null;
});

function moveIn({ files }: FrozenSet): Home {
  home = new Home(files);
  return home;
}

/** All of them in a long run, else some by the seed. */
function chosen(cuts: readonly Cut[], draw: number): readonly Cut[] {
  if (isLong) return cuts;
  const random = seededRandom(seed + draw);
  return Array.from({ length: sampleSize }, () => cuts[Math.floor(random.next() * cuts.length)]).filter(
    (cut) => cut !== undefined,
  );
}

/** Opened by the newest program, everything is as its own program told it. */
function compareWithTold({ path }: Home, { told }: FrozenSet, where: string): void {
  const store = openStore(join(path, tillFile), { random: seededRandom(1) });
  try {
    expect(store.recovery, where).toBeNull();
    const counts: Record<string, number> = {};
    for (const { operation, history } of told) {
      const rowId = Number(operation.rowId);
      expect(store.operations.operation(rowId), where).toMatchObject(operation);
      expect(store.operations.history(rowId), `${where}: ${String(operation.externalRef)}`).toMatchObject(history);
      counts[String(operation.state)] = (counts[String(operation.state)] ?? 0) + 1;
    }
    expect(store.operations.counts.read(), where).toMatchObject(counts);
  } finally {
    store.close();
  }
}

function openedService(path: string): { readonly content: Content; readonly damage: readonly unknown[] } {
  const database = openServiceDatabase({ kind: 'file', path });
  try {
    return { content: contentOf(database), damage: damageIn(database) };
  } finally {
    database.close();
  }
}

const only = (files: Files, database: string) => [...files].filter(([name]) => name.startsWith(database));

const totals = { cuts: 0, serviceCuts: 0, delivered: 0 };
afterAll(() => console.info(`upgrades: seed ${seed}`, totals));

describe.each(readFrozenSets())(`$name (seed ${seed})`, (set) => {
  const timeout = isLong ? 1_800_000 : 60_000;

  it('is upgraded, killed at any statement of it, and goes on to deliver each row once', { timeout }, async () => {
    const rows: readonly FrozenRow[] = frozenRows(set);
    const at = moveIn(set);
    const tillCuts = cutsWhile(at.path, watch, () => {
      openStore(at.database, { random: seededRandom(1) }).close();
    });
    at.putBack(at.asFrozen);
    const servicePath = join(at.path, serviceFile);
    const serviceCuts = cutsWhile(at.path, watch, () =>
      openServiceDatabase({ kind: 'file', path: servicePath }).close(),
    );
    const upgraded = openedService(servicePath);
    expect(upgraded.damage).toEqual([]);

    for (const cut of chosen(serviceCuts, 1)) {
      totals.serviceCuts += 1;
      at.putBack(cut.files);
      expect(openedService(servicePath), cut.where).toEqual(upgraded);
    }
    const firstDraw = 1_000 * set.schema + set.serviceSchema;
    for (const [index, cut] of chosen(tillCuts, firstDraw).entries()) {
      totals.cuts += 1;
      at.putBack(cut.files);
      compareWithTold(at, set, cut.where);
      if (!isLong && index > 0) continue;
      totals.delivered += 1;
      // The service's own upgrade is cut as well, each time elsewhere.
      const serviceCut = serviceCuts[(index + firstDraw + seed) % serviceCuts.length];
      const files = new Map([...only(cut.files, tillFile), ...only(serviceCut?.files ?? cut.files, serviceFile)]);
      at.putBack(files);
      const where = `till ${cut.where}; service ${serviceCut?.where}`;
      await deliverAndCompare(at, { set, rows, program, where });
    }
  });
});
