import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { differingFields } from '../../shared/contract/differing-fields.ts';
import { type Transaction, transactionAcceptedSchema, transactionSchema } from '../../shared/contract/transaction.ts';
import { type BenchService, type BenchServiceOptions, startBenchService } from './contender.ts';
import { sampleEarn } from './sample-earns.ts';

// A record that is not of the sale would have the agent send it again, and again: no figure would say so.
describe('the service that the bench sends to', () => {
  let service: BenchService | null = null;
  afterEach(() => service?.stop());
  const request = { ...sampleEarn(1).request, external_ref: 'R-1' };

  async function sendSale(options: BenchServiceOptions): Promise<() => Promise<Transaction>> {
    service = await startBenchService(options);
    const { baseUrl } = service;
    const sent = await fetch(`${baseUrl}/transactions/earn`, { method: 'POST', body: JSON.stringify(request) });
    const { transaction_id: id } = transactionAcceptedSchema.parse(await sent.json());
    return async () => transactionSchema.parse(await (await fetch(`${baseUrl}/transactions/${id}`)).json());
  }

  function expectTheSale(record: Transaction): void {
    expect(differingFields(request, record)).toEqual([]);
    expect(record).toMatchObject({ external_ref: 'R-1', intent: 'earn', occurred_at: request.occurred_at });
  }

  it('shows a sale as it was sent, pending for ever', async () => {
    const read = await sendSale({});
    await sleep(300);
    const record = await read();
    expectTheSale(record);
    expect(record.status).toBe('pending');
  });

  it('applies it after the time that it was told, and not before', async () => {
    const read = await sendSale({ applyAfterMs: 1_000 });
    expect((await read()).status).toBe('pending');
    await sleep(1_050);
    const record = await read();
    expectTheSale(record);
    expect(record.status).toBe('success');
  });
});
