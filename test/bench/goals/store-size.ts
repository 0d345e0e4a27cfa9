import { rmSync } from 'node:fs';
import { z } from 'zod';
import { runContender } from '../contender.ts';
import { microseconds } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { type GoalLine, type Limit, measuredLine, ratios, type Spread } from '../measure.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[14];
const costs = z.object({ small: z.array(z.number()), large: z.array(z.number()) });
const result = z.object({
  identify: costs,
  historyPage: costs,
  anyHistoryPage: costs,
  earn: costs,
  /** Null for stores in memory. */
  rowsReadUs: z.array(z.number()).nullable(),
  /** Null where all transactions are one customer's. */
  rowsFetchedUs: z.array(z.number()).nullable(),
});

/** What is measured, under which limit, and in which words when the limit alone does not say it. */
const measures: readonly {
  readonly name: Exclude<keyof z.output<typeof result>, 'rowsReadUs' | 'rowsFetchedUs'>;
  readonly limit: Limit;
  readonly words: string;
}[] = [
  { name: 'identify', limit: limits.identify, words: '' },
  { name: 'historyPage', limit: limits.page, words: 'of a customer seen lately, ' },
  { name: 'anyHistoryPage', limit: limits.page, words: 'of any customer, ' },
  { name: 'earn', limit: limits.earn, words: '' },
];

interface Shape {
  readonly name: string;
  readonly customers: number;
  /** Null when all transactions are one customer's. */
  readonly transactionsPerBuyer: number | null;
}

const spread: Shape = { name: 'of 20,000 customers', customers: 20_000, transactionsPerBuyer: 50 };
const gathered: Shape = { name: 'of one customer', customers: 20_000, transactionsPerBuyer: null };

/** Goal 14: the sandbox answers as quickly after a year of sales as on its first day. */
export async function measureStoreSize(context: GoalContext): Promise<readonly GoalLine[]> {
  return [
    ...(await linesOf(context, { shape: spread, inFile: false })),
    ...(await linesOf(context, { shape: gathered, inFile: false })),
    ...(await linesOf(context, { shape: spread, inFile: true })),
    ...(await linesOf(context, { shape: gathered, inFile: true })),
  ];
}

async function linesOf(
  { work, rounds, isQuick, say }: GoalContext,
  { shape, inFile }: { readonly shape: Shape; readonly inFile: boolean },
): Promise<readonly GoalLine[]> {
  const transactions = isQuick ? 100_000 : 1_000_000;
  const where = inFile ? 'in a file' : 'in memory';
  const count = transactions.toLocaleString('en');
  say(`  ${where}: a store of ${count} transactions ${shape.name} …`);
  const dataDir = work.folder('store-size');
  const { customers, transactionsPerBuyer } = shape;
  const callsPerRound = isQuick ? 1_000 : 3_000;
  const input = { dataDir, isInMemory: !inFile, rounds, callsPerRound, transactions, customers, transactionsPerBuyer };
  const measured = await runContender({ name: 'store-size', input, result });
  rmSync(dataDir, { recursive: true });
  return (
    measures
      // All of one customer's: any customer is that one.
      .filter(({ name }) => name !== 'anyHistoryPage' || transactionsPerBuyer !== null)
      .map(({ name, limit, words }) => {
        const { large, small } = measured[name];
        const floor = name === 'anyHistoryPage' ? floorOf(measured) : '';
        const figures = `with ${count} ${microseconds(large)}, with few ${microseconds(small)}${floor}`;
        const line = measuredLine(limit, ratios(large, small), figures, floorRatios(name, measured));
        return { ...line, part: `${words}${shape.name}, ${where}` };
      })
  );
}

/** A large store that costs as much as a small one, but for what SQLite takes to find its rows' pages. */
function floorRatios(
  name: (typeof measures)[number]['name'],
  { rowsFetchedUs, anyHistoryPage: { small } }: z.output<typeof result>,
): Spread | undefined {
  if (name !== 'anyHistoryPage' || rowsFetchedUs === null) return undefined;
  return ratios(
    small.map((us, round) => us + (rowsFetchedUs[round] ?? Number.NaN)),
    small,
  );
}

/** What the large store cannot do without: the pages of the rows. */
function floorOf({ rowsReadUs, rowsFetchedUs }: z.output<typeof result>): string {
  if (rowsFetchedUs === null) return '';
  const readBare = rowsReadUs === null ? '' : `read bare, ${microseconds(rowsReadUs)}, `;
  return `; its rows' pages alone, ${readBare}fetched by SQLite ${microseconds(rowsFetchedUs)}`;
}
