import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = newDataDir();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** What the doctor says of the port. */
async function portFindings(port: number): Promise<unknown> {
  const args = ['tillbridge', 'doctor', '--data-dir', dataDir, '--port', String(port), '--json'];
  const { stdout } = await new CommandProcess(args).ended;
  return JSON.parse(stdout).findings.filter(({ check }: { check: string }) => check === 'port');
}

it('the doctor says of a stopped till whether another program has its port', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect(await portFindings(port)).toEqual([
    {
      check: 'port',
      verdict: 'warning',
      says: `the agent would not start: Port ${port} is not available: another program is using it`,
      advice: 'End what uses it, or set another bridge.port',
    },
  ]);
  other.close();
  await once(other, 'close');
  expect(await portFindings(port)).toMatchObject([{ verdict: 'well', says: `${port} is free for the bridge` }]);
});

it('the doctor says nothing of the port of a till that runs: the agent itself has it', async () => {
  const agent = await startAgentProcess({ dataDir });
  try {
    expect(await portFindings(Number(new URL(agent.base_url).port))).toEqual([]);
  } finally {
    await agent.stop('SIGKILL');
  }
});
