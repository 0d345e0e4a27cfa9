import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { formatMoney } from '../shared/money.ts';
import type { AgentReady } from '../test/support/program.ts';
import { dim, printLine } from './print.ts';
import type { Sale } from './sale.ts';

const acceptedSchema = z.object({ transaction_id: z.string(), status: z.literal('pending') });

/** What any POS program does: POST /transactions/earn as the specification has it, to the till's address. */
export async function sell(till: AgentReady, sale: Omit<Sale, 'transactionId'>): Promise<Sale> {
  const startedMs = performance.now();
  const response = await fetch(`${till.base_url}/transactions/earn`, {
    method: 'POST',
    headers: { authorization: `Bearer ${till.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      identifier: { loyalty_id: sale.card },
      external_ref: sale.externalRef,
      amount_minor: sale.amountMinor,
      currency: 'KWD',
    }),
  });
  const body: unknown = await response.json();
  if (response.status !== 202) throw new Error(`The till refused ${sale.externalRef}: ${JSON.stringify(body)}`);
  const { transaction_id: transactionId } = acceptedSchema.parse(body);
  const tookMs = performance.now() - startedMs;
  printLine(
    `${sale.externalRef}  ${sale.card}  ${formatMoney(sale.amountMinor, 'KWD', 'en').padStart(10)}  saved ${dim(`in ${tookMs.toFixed(1)} ms`)}`,
  );
  return { ...sale, transactionId };
}
