import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

let dataDir: string;
let outDir: string;
beforeEach(() => {
  dataDir = newDataDir();
  outDir = newDataDir();
});
afterEach(() => {
  for (const dir of [dataDir, outDir]) rmSync(dir, { recursive: true, force: true });
});

const run = (...args: readonly string[]) => new CommandProcess(['tillbridge', ...args, '--data-dir', dataDir]).ended;

async function sell(externalRef: string): Promise<void> {
  const agent = await startAgentProcess({ dataDir });
  const body = { identifier: { loyalty_id: 'LC-1001' }, external_ref: externalRef, amount_minor: 1_000 };
  expect((await agent.call('POST', '/transactions/earn', body)).status).toBe(202);
  await agent.stop();
}

function deleteDatabase(): void {
  for (const part of ['', '-wal', '-shm', '-open']) rmSync(join(dataDir, `sandbox.sqlite${part}`), { force: true });
}

describe('a database that was deleted', () => {
  it('is told as gone by each command that needs it, and nobody is told to start the agent', async () => {
    await sell('S-1');
    deleteDatabase();
    const says =
      'sandbox.sqlite is missing; an agent ran here. Put the database back, or restore a backup, before you start the agent.';
    const commands = [
      ['queue', 'list'],
      ['customer', 'show', 'loyalty_id', 'LC-1001'],
      ['backup', join(outDir, 'b')],
    ];
    for (const command of commands) {
      const { exitCode, stderr } = await run(...command);
      expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: expect.stringContaining(says) });
    }
    // Of the other mode none was ever there.
    expect((await run('queue', 'list', '--mode', 'production')).stderr).toContain('No agent ever ran on');
  });

  it('is told as gone by the restore, and by the agent with no file that is not there', async () => {
    await sell('S-1');
    const backup = join(outDir, 'till.backup');
    expect((await run('backup', backup)).exitCode).toBe(0);
    await sell('S-2');
    deleteDatabase();
    const { exitCode, stdout } = await run('restore', backup);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('The database that was here is gone: operations may be missing.');
    const agent = await startAgentProcess({ dataDir });
    expect((await agent.call('GET', '/agent/status')).json).toMatchObject({
      notices: [{ code: 'database_recovered', why: 'restored', aside: null, unreadable: null }],
    });
    await agent.stop();
  });
});
