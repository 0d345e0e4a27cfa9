import { rmSync } from 'node:fs';
import { z } from 'zod';
import { runContender } from '../contender.ts';
import { atMost, type GoalLine, ratios, spreadOf } from '../measure.ts';
import type { GoalContext } from './context.ts';

const costs = z.object({ small: z.array(z.number()), large: z.array(z.number()) });
const result = z.object({ identify: costs, historyPage: costs, anyHistoryPage: costs, earn: costs });

const words: Readonly<Record<keyof z.output<typeof result>, string>> = {
  identify: 'identify',
  historyPage: 'a history page, of a customer seen lately',
  anyHistoryPage: 'a history page, of any customer',
  earn: 'earn',
};

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
  const dataDir = inFile ? work.folder('store-size') : null;
  const { customers, transactionsPerBuyer } = shape;
  const callsPerRound = isQuick ? 1_000 : 3_000;
  const input = { dataDir, rounds, callsPerRound, transactions, customers, transactionsPerBuyer };
  const measured = await runContender({ name: 'store-size', input, result });
  if (dataDir !== null) rmSync(dataDir, { recursive: true });
  const microseconds = (values: readonly number[]) => `${spreadOf(values).median.toFixed(0)} µs`;
  // All of one customer's: any customer is that one.
  const names = (Object.keys(words) as (keyof typeof words)[]).filter(
    (name) => name !== 'anyHistoryPage' || transactionsPerBuyer !== null,
  );
  return names.map((name) => ({
    kind: 'measured',
    goal: 14,
    what: `${words[name]}, ${where}: ${count} transactions ${shape.name}, against 1,000`,
    measured: ratios(measured[name].large, measured[name].small),
    target: atMost(1.3),
    figures: `${microseconds(measured[name].large)}, few ${microseconds(measured[name].small)}`,
  }));
}
