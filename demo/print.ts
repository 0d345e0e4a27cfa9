import { styleText } from 'node:util';
import { formatMoney } from '../shared/money.ts';
import type { Sale, WrongSale } from './sale.ts';

export const bold = (text: string): string => styleText('bold', text);
export const dim = (text: string): string => styleText('dim', text);

export function printScene(title: string, what: string): void {
  console.log(`\n${bold(title)}  ${dim(what)}`);
}

export function printLine(text: string): void {
  console.log(`  ${text}`);
}

/** Every sale in a row: what the till promised and how often the service holds it. */
export function printVerdict(verdict: {
  readonly sales: readonly Sale[];
  readonly wrong: readonly WrongSale[];
  readonly isSettled: boolean;
}): void {
  const timesHeld = new Map(verdict.wrong.map(({ sale, timesHeld }) => [sale.externalRef, timesHeld]));
  console.log(`\n  ${bold('reference   card           amount   on the service')}`);
  for (const sale of verdict.sales) {
    const times = timesHeld.get(sale.externalRef);
    const held = times === undefined ? styleText('green', 'once') : styleText('red', `${times} times`);
    printLine(
      `${sale.externalRef}   ${sale.card}  ${formatMoney(sale.amountMinor, 'KWD', 'en').padStart(12)}   ${held}`,
    );
  }
  if (!verdict.isSettled) console.log(styleText('red', '\n  Not every sale was applied in time.'));
}
