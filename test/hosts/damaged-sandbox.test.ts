import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AgentProcess, CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

// The built-in sandbox's own books, changed by another program.

let dataDir: string;
let agent: AgentProcess | null;
beforeEach(() => {
  dataDir = newDataDir();
  agent = null;
});
afterEach(async () => {
  await agent?.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

async function sell(running: AgentProcess, references: readonly string[]): Promise<void> {
  for (const external_ref of references) {
    const body = { identifier: { loyalty_id: 'LC-1001' }, external_ref, amount_minor: 1_000 };
    expect((await running.call('POST', '/transactions/earn', body)).status).toBe(202);
    const record = async () =>
      JSON.stringify((await running.call('GET', `/transactions?external_ref=${external_ref}`)).json);
    await expect.poll(record).toContain('"success"');
  }
}

async function damaged(sql: string): Promise<string> {
  agent = await startAgentProcess({ dataDir });
  await sell(agent, ['R-1', 'R-2', 'R-3']);
  await agent.stop();
  const database = new BetterSqlite3(join(dataDir, 'sandbox-service.sqlite'));
  expect(database.prepare(sql).run().changes).toBe(1);
  const customerId = database.prepare(`SELECT customer_id FROM transactions WHERE external_ref = 'R-3'`).pluck().get();
  database.close();
  return String(customerId);
}

async function doctor() {
  const { stdout } = await new CommandProcess(['tillbridge', 'doctor', '--data-dir', dataDir, '--json']).ended;
  const { findings } = JSON.parse(stdout);
  return findings.filter(({ says }: { says: string }) => says.includes('sandbox-service.sqlite'));
}

it('a broken history is told in the log and by the doctor, with what to do', async () => {
  const customerId = await damaged(`UPDATE transactions SET previous_position = 999 WHERE external_ref = 'R-3'`);
  agent = await startAgentProcess({ dataDir });
  const answer = await agent.call('GET', `/customers/${customerId}/transactions`);
  expect(answer.status).toBe(504);
  expect(JSON.stringify(answer.json)).toContain('The loyalty service has a fault');
  const log = readFileSync(join(dataDir, 'logs', 'agent.log'), 'utf8');
  expect(log).toContain(`The history of ${customerId} is damaged`);
  expect(log).toContain('/_sandbox/reset');
  await agent.stop();
  expect(await doctor()).toEqual([
    expect.objectContaining({ check: 'sandbox', verdict: 'problem', says: expect.stringContaining(customerId) }),
  ]);
});

it.each([
  ['a link in the middle', `UPDATE transactions SET previous_position = NULL WHERE external_ref = 'R-2'`],
  ['the link to the newest', 'UPDATE customers SET last_position = NULL WHERE last_position IS NOT NULL'],
])('the doctor finds a history that ends early without an error: %s', async (_, sql) => {
  const customerId = await damaged(sql);
  expect(await doctor()).toEqual([
    expect.objectContaining({ check: 'sandbox', verdict: 'problem', says: expect.stringContaining(customerId) }),
  ]);
});

it('the doctor says nothing of books that are whole', async () => {
  agent = await startAgentProcess({ dataDir });
  await sell(agent, ['R-1', 'R-2']);
  expect(await doctor()).toEqual([]);
  await agent.stop();
  expect(await doctor()).toEqual([]);
});
