// The service over a store of a thousand transactions and over one of very many: what does a call cost in each?
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import type { ServiceData } from '../../../app/service/store/open.ts';
import { answer, contenderInput } from '../contender.ts';
import { type FilledService, type Filling, openFilledService, salesAtOnce } from '../filled-service.ts';
import { inTurns } from '../measure.ts';

const input = contenderInput(
  z.object({
    /** Null for stores in memory. */
    dataDir: z.string().nullable(),
    rounds: z.int(),
    callsPerRound: z.int(),
    transactions: z.int(),
    customers: z.int(),
    /** Those who have transactions have so many; null when all of them are one customer's. */
    transactionsPerBuyer: z.int().nullable(),
  }),
);

const few = 1_000;
const fileOf = (dataDir: string, name: string) => join(dataDir, `${name}.sqlite`);

function open(name: string, transactions: number): FilledService {
  const data: ServiceData =
    input.dataDir === null ? { kind: 'memory' } : { kind: 'file', path: fileOf(input.dataDir, name) };
  const filling: Filling = { customers: input.customers, transactions, buyers: buyersOf(transactions) };
  return openFilledService(data, filling);
}

function buyersOf(transactions: number): number {
  return input.transactionsPerBuyer === null ? 1 : Math.ceil(transactions / input.transactionsPerBuyer);
}

const small = open('small', few);
const large = open('large', input.transactions);
let number = 0;

function next(): number {
  number += 1;
  return number;
}

/** Microseconds of a call. */
async function costUs(calls: number, work: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  for (let done = 0; done < calls; done += 1) await work();
  return ((performance.now() - startMs) / calls) * 1_000;
}

const contendersOf = (service: FilledService, buyers: number) => ({
  identify: () => costUs(input.callsPerRound, () => service.identify(next())),
  /** The customers of the moment: as many in either store. */
  historyPage: () => costUs(input.callsPerRound, () => service.historyPage(next(), buyersOf(few))),
  /** Any customer: what is looked at was not looked at for long. */
  anyHistoryPage: () => costUs(input.callsPerRound, () => service.historyPage(next(), buyers)),
  earn: async () =>
    (await costUs(Math.ceil(input.callsPerRound / salesAtOnce), () => service.earnSixteen())) / salesAtOnce,
});
const ofSmall = contendersOf(small, buyersOf(few));
const ofLarge = contendersOf(large, buyersOf(input.transactions));
const result: Record<string, object> = {};
for (const name of ['identify', 'historyPage', 'anyHistoryPage', 'earn'] as const) {
  const pair = { small: ofSmall[name], large: ofLarge[name] };
  await inTurns(2, pair);
  result[name] = await inTurns(input.rounds, pair);
}
small.close();
large.close();
const { dataDir } = input;
const floors =
  dataDir === null
    ? { rowsReadUs: null, rowsFetchedUs: null }
    : { rowsReadUs: rowsReadUs(fileOf(dataDir, 'large')), rowsFetchedUs: rowsFetchedUs(dataDir) };
await answer({ ...result, ...floors });

/**
 * What a history page of any customer costs at the least: its 25 rows lie on as many pages of
 * the file, which are read here, with nothing else done. Microseconds, of each round.
 */
function rowsReadUs(path: string): readonly number[] {
  const pageBytes = 4_096;
  const file = openSync(path, 'r');
  const pages = Math.floor(fstatSync(file).size / pageBytes);
  const page = Buffer.alloc(pageBytes);
  let at = 0;
  const rounds = Array.from({ length: input.rounds }, () => {
    const startMs = performance.now();
    for (let done = 0; done < input.callsPerRound * 25; done += 1) {
      // A step that ends up everywhere in the file.
      at = (at + 15_485_863) % pages;
      readSync(file, page, 0, pageBytes, at * pageBytes);
    }
    return ((performance.now() - startMs) / input.callsPerRound) * 1_000;
  });
  closeSync(file);
  return rounds;
}

/**
 * The same rows as SQLite finds them: by their key, one far from the other, and nothing of them is looked at. What that
 * costs more in the large store than in the small one, which is in its page cache. Microseconds, of each round.
 */
function rowsFetchedUs(dataDir: string): readonly number[] {
  const [large, small] = [['large', input.transactions] as const, ['small', few] as const].map(([name, rows]) => {
    const database = new BetterSqlite3(fileOf(dataDir, name), { readonly: true });
    const find = database.prepare<[number, number], number>(`
      WITH RECURSIVE page (n, position) AS (
        VALUES (1, ?)
        UNION ALL
        SELECT n + 1, (position + 15485863) % ? + 1 FROM page WHERE n < 25
      )
      SELECT count(*) FROM page CROSS JOIN transactions USING (position)`);
    return () => {
      const startMs = performance.now();
      for (let done = 0; done < input.callsPerRound; done += 1) find.pluck().get(((done * 7919) % rows) + 1, rows);
      return ((performance.now() - startMs) / input.callsPerRound) * 1_000;
    };
  });
  if (large === undefined || small === undefined) throw new Error('Two stores were filled');
  large();
  return Array.from({ length: input.rounds }, () => large() - small());
}
