import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { transactionListSchema, transactionSchema } from '../shared/contract/transaction.ts';
import type { AgentReady, SandboxReady } from '../test/support/program.ts';
import type { Sale, WrongSale } from './sale.ts';

/** The next earn is recorded, and its answer never arrives (control API, "Fault effects"). */
export async function askForOneLostAnswer(service: SandboxReady): Promise<void> {
  const response = await fetch(`${service.control_url}/faults`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ match: { path: '/transactions/earn' }, effect: { type: 'drop_response' }, times: 1 }),
  });
  if (!response.ok) throw new Error(`The service did not take the fault: ${await response.text()}`);
}

const statusSchema = z.object({
  connection: z.object({ state: z.string() }),
  operations: z.record(z.string(), z.int()),
});

/** The till's own word: its line, and how many sales it keeps for later. */
export async function whatTheTillSays(till: AgentReady): Promise<string> {
  const response = await fetch(`${till.base_url}/agent/status`, { headers: { authorization: `Bearer ${till.token}` } });
  const { connection, operations } = statusSchema.parse(await response.json());
  const kept = (operations.queued ?? 0) + (operations.sending ?? 0) + (operations.unknown ?? 0);
  return `the till says: ${connection.state}, ${kept} sales kept for later`;
}

/** Asks the till about each sale until all are applied; false when the time is over. */
export async function waitUntilApplied(till: AgentReady, sales: readonly Sale[], timeoutMs: number): Promise<boolean> {
  const waiting = new Set(sales.map(({ transactionId }) => transactionId));
  for (let waitedMs = 0; waitedMs < timeoutMs && waiting.size > 0; waitedMs += 250) {
    await sleep(250);
    for (const transactionId of waiting) {
      const response = await fetch(`${till.base_url}/transactions/${transactionId}`, {
        headers: { authorization: `Bearer ${till.token}` },
      });
      if (transactionSchema.parse(await response.json()).status === 'success') waiting.delete(transactionId);
    }
  }
  return waiting.size === 0;
}

/** Looks into the service's own books, past the till: which sales are not there exactly once. */
export async function deliveredTwiceOrNever(
  service: SandboxReady,
  sales: readonly Sale[],
): Promise<readonly WrongSale[]> {
  const wrong: WrongSale[] = [];
  for (const sale of sales) {
    const query = new URLSearchParams({ external_ref: sale.externalRef });
    const response = await fetch(`${service.base_url}/transactions?${query.toString()}`, {
      headers: { authorization: `Bearer ${service.api_key}` },
    });
    const { data } = transactionListSchema.parse(await response.json());
    const held = data.filter(
      ({ intent, status, amount_minor }) =>
        intent === 'earn' && status === 'success' && amount_minor === sale.amountMinor,
    );
    if (held.length !== 1 || data.length !== 1) wrong.push({ sale, timesHeld: data.length });
  }
  return wrong;
}
