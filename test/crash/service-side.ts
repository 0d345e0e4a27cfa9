import { customerProfileSchema } from '../../shared/contract/profile.ts';
import { type Transaction, transactionListSchema, transactionPageSchema } from '../../shared/contract/transaction.ts';
import type { SandboxReady } from '../support/program.ts';

const faults = [
  { type: 'drop_request' },
  { type: 'drop_response' },
  { type: 'partial_response' },
  { type: 'malformed_response' },
  { type: 'error', status: 500, code: 'INTERNAL' },
  { type: 'delay', ms: 80 },
] as const;
const faultProbability = 0.04;

function authorized(service: SandboxReady): { readonly authorization: string } {
  return { authorization: `Bearer ${service.api_key}` };
}

/** Cuts, lost answers, half answers, nonsense and errors, at random, for writes and for reads. */
export async function troubleTheService(service: SandboxReady): Promise<void> {
  for (const effect of faults) {
    const response = await fetch(`${service.control_url}/faults`, {
      method: 'POST',
      headers: { ...authorized(service), 'content-type': 'application/json' },
      body: JSON.stringify({ match: {}, effect, probability: faultProbability }),
    });
    if (!response.ok) throw new Error(`Fault refused: ${await response.text()}`);
  }
}

export async function clearFaults(service: SandboxReady): Promise<void> {
  await fetch(`${service.control_url}/faults`, { method: 'DELETE', headers: authorized(service) });
}

export async function heldTransactions(service: SandboxReady, externalRef: string): Promise<readonly Transaction[]> {
  const query = new URLSearchParams({ external_ref: externalRef });
  const response = await fetch(`${service.base_url}/transactions?${query}`, { headers: authorized(service) });
  return transactionListSchema.parse(await response.json()).data;
}

/** Transactions of these cards' customers by their histories: also those of references that nobody knows. */
export async function totalHeld(service: SandboxReady, cards: readonly string[]): Promise<number> {
  const customerIds = new Set<string>();
  for (const card of cards) {
    const response = await fetch(`${service.base_url}/customers/identify`, {
      method: 'POST',
      headers: { ...authorized(service), 'content-type': 'application/json' },
      body: JSON.stringify({ loyalty_id: card }),
    });
    customerIds.add(customerProfileSchema.parse(await response.json()).customer_id);
  }
  let total = 0;
  for (const customerId of customerIds) {
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? 'limit=100' : `limit=100&cursor=${encodeURIComponent(cursor)}`;
      const response = await fetch(`${service.base_url}/customers/${customerId}/transactions?${query}`, {
        headers: authorized(service),
      });
      const page = transactionPageSchema.parse(await response.json());
      total += page.data.length;
      cursor = page.next_cursor;
    }
  }
  return total;
}
