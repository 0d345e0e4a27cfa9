import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AgentProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

let dataDir: string;
let agent: AgentProcess | null;
beforeEach(() => {
  dataDir = newDataDir();
  agent = null;
});
afterEach(async () => {
  await agent?.stop('SIGKILL');
  rmSync(dataDir, { recursive: true });
});

async function start(...flags: readonly string[]): Promise<AgentProcess> {
  await agent?.stop();
  agent = await startAgentProcess({ dataDir, flags });
  return agent;
}

const listSchema = z.object({ data: z.array(z.object({ status: z.string(), currency: z.string().nullable() })) });
const identifier = { loyalty_id: 'LC-1002' };

/** The service's own record of what was sent under a reference, once it is applied. */
async function recordOf(till: AgentProcess, externalRef: string) {
  for (;;) {
    const { json } = await till.call('GET', `/transactions?external_ref=${externalRef}`);
    const [record] = listSchema.parse(json).data;
    if (record !== undefined && record.status !== 'pending' && record.status !== 'processing') return record;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a till that sells in dollars', () => {
  it('practises in dollars: a POS program that names no currency earns, spends and holds', async () => {
    const till = await start('--currency', 'USD');
    const { json } = await till.call('POST', '/customers/identify', identifier);
    expect(json).toMatchObject({ cards: [{ balances: { cashback_minor: 1250, currency: 'USD' } }] });

    const earn = await till.call('POST', '/transactions/earn', { identifier, external_ref: 'R-1', amount_minor: 2500 });
    expect(earn.status).toBe(202);
    expect(await recordOf(till, 'R-1')).toEqual({ status: 'success', currency: 'USD' });
    const spend = { identifier, amount_minor: 300 };
    const redeem = await till.call('POST', '/transactions/redeem', { ...spend, external_ref: 'R-2' });
    expect(redeem).toMatchObject({ status: 200, json: { currency: 'USD', new_balances: { currency: 'USD' } } });
    const reserve = await till.call('POST', '/redemptions/reserve', { ...spend, external_ref: 'C-1' });
    expect(reserve).toMatchObject({ status: 201, json: { currency: 'USD' } });
  });

  it('goes on with the practice cards that it had when it sold in dinars', async () => {
    await start();
    const till = await start('--currency', 'USD');
    const { json } = await till.call('POST', '/customers/identify', identifier);
    expect(json).toMatchObject({ cards: [{ balances: { cashback_minor: 1250, currency: 'USD' } }] });
  });
});
