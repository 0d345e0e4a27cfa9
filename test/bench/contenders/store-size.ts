// The service over a store of a thousand transactions and over one of very many: what does a call cost in each?
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { openMemory, type ServiceData } from '../../../app/service/store/open.ts';
import { answer, contenderInput } from '../contender.ts';
import { type FilledService, type Filling, openFilledService, salesAtOnce } from '../filled-service.ts';
import { inTurns } from '../measure.ts';

const input = contenderInput(
  z.object({
    dataDir: z.string(),
    /** The stores are in memory; the floor's rows are then filled into a file first, and read into memory from there. */
    isInMemory: z.boolean(),
    rounds: z.int(),
    callsPerRound: z.int(),
    transactions: z.int(),
    customers: z.int(),
    /** Those who have transactions have so many; null when all of them are one customer's. */
    transactionsPerBuyer: z.int().nullable(),
  }),
);

const few = 1_000;
const names = { small: few, large: input.transactions } as const;
type StoreName = keyof typeof names;
const fileOf = (name: StoreName) => join(input.dataDir, `${name}.sqlite`);
const inFile = (name: StoreName): ServiceData => ({ kind: 'file', path: fileOf(name) });

function open(name: StoreName, data: ServiceData): FilledService {
  const transactions = names[name];
  const filling: Filling = { customers: input.customers, transactions, buyers: buyersOf(transactions) };
  return openFilledService(data, filling);
}

function buyersOf(transactions: number): number {
  return input.transactionsPerBuyer === null ? 1 : Math.ceil(transactions / input.transactionsPerBuyer);
}

const shownColumns =
  'transaction_id, intent, status, external_ref, transactions.customer_id, card_id, amount_minor, currency, points, stamps, ' +
  'visits, occurred_at_ms, completed_at_ms, process_at_ms, new_balances, error';
const small = open('small', input.isInMemory ? { kind: 'memory' } : inFile('small'));
const large = open('large', input.isInMemory ? { kind: 'memory' } : inFile('large'));
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
await answer({
  ...result,
  rowsReadUs: input.isInMemory ? null : rowsReadUs(fileOf('large')),
  // All of one customer's: no page of anybody else is looked at.
  rowsFetchedUs: input.transactionsPerBuyer === null ? null : rowsFetchedUs(),
});

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
 * The page as SQLite alone reads it: the customer, their newest 25 rows, what a page shows of each, and nothing is done with
 * that. What it costs more in the large store than in the small one, which is in its page cache. Microseconds, of each round.
 */
function rowsFetchedUs(): readonly number[] {
  const [large, small] = (['large', 'small'] as const).map((name) => {
    const database = floorDatabase(name);
    const customers = database.prepare<[number], string>('SELECT customer_id FROM customers ORDER BY position LIMIT ?');
    const buyers = customers.pluck().all(buyersOf(names[name]));
    const page = database.prepare<[string], unknown[]>(`
      WITH RECURSIVE page (n, position) AS (
        SELECT 1, last_position FROM customers WHERE customer_id = +?
        UNION ALL
        SELECT n + 1, previous_position FROM page CROSS JOIN transactions USING (position) WHERE n < 25
      )
      SELECT ${shownColumns} FROM page CROSS JOIN transactions USING (position)`);
    page.raw();
    return () => {
      const startMs = performance.now();
      for (let done = 0; done < input.callsPerRound; done += 1) page.all(buyers[(done * 7919) % buyers.length] ?? '');
      return ((performance.now() - startMs) / input.callsPerRound) * 1_000;
    };
  });
  if (large === undefined || small === undefined) throw new Error('Two stores were filled');
  large();
  small();
  return Array.from({ length: input.rounds }, () => large() - small());
}

function floorDatabase(name: StoreName): BetterSqlite3.Database {
  if (!input.isInMemory) return new BetterSqlite3(fileOf(name), { readonly: true });
  open(name, inFile(name)).close();
  const file = new BetterSqlite3(fileOf(name));
  // A database in memory has no log.
  file.pragma('journal_mode = DELETE');
  file.close();
  return openMemory(readFileSync(fileOf(name)));
}
