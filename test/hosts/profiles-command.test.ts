import { rmSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = newDataDir();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const run = (...args: readonly string[]) => new CommandProcess(['tillbridge', ...args, '--data-dir', dataDir]).ended;
const keptCount = () => {
  const database = new BetterSqlite3(join(dataDir, 'sandbox.sqlite'), { readonly: true });
  try {
    return database.prepare('SELECT count(*) FROM kept_profiles').pluck().get();
  } finally {
    database.close();
  }
};

/** The agent keeps a profile a moment after it has answered. */
async function untilKept(count: number): Promise<void> {
  await expect.poll(keptCount).toBe(count);
}

describe('profiles erase', () => {
  it('forgets everyone, whether the agent runs or not; what is known after a restart is what was seen since', async () => {
    const agent = await startAgentProcess({ dataDir });
    try {
      for (const loyalty_id of ['LC-1001', 'LC-1002']) {
        expect((await agent.call('POST', '/customers/identify', { loyalty_id })).status).toBe(200);
      }
      await untilKept(2);
      const running = await run('profiles', 'erase', '--json');
      expect(running).toMatchObject({ exitCode: 0, stdout: '{"erased":2,"not_reached":[]}\n' });
      expect(keptCount()).toBe(0);
      expect(await run('profiles', 'erase')).toMatchObject({ exitCode: 0, stdout: '0 erased.\n' });
      await agent.call('POST', '/customers/identify', { loyalty_id: 'LC-1001' });
      await untilKept(1);
    } finally {
      await agent.stop('SIGTERM');
    }
    expect(keptCount()).toBe(1);
    expect(await run('profiles', 'erase')).toMatchObject({ exitCode: 0, stdout: '1 erased.\n' });
    expect(keptCount()).toBe(0);
  });

  it('is no order for a POS program’s own token', async () => {
    const agent = await startAgentProcess({ dataDir });
    try {
      const made = await run('tokens', 'create', 'second', '--prefix', 'B-', '--json');
      const { token } = JSON.parse(made.stdout);
      await agent.call('POST', '/customers/identify', { loyalty_id: 'LC-1001' });
      await untilKept(1);
      const refused = await fetch(`${agent.base_url}/agent/office/profiles.erase`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
      });
      expect(refused.status).toBe(403);
      expect(keptCount()).toBe(1);
    } finally {
      await agent.stop('SIGTERM');
    }
  });

  it('says with 3 that no agent ever ran there, and with 2 what is wrong with the command', async () => {
    const nowhere = await run('profiles', 'erase');
    expect(nowhere.exitCode).toBe(3);
    expect(nowhere.stderr).toContain(dataDir);
    expect((await run('profiles', 'forget')).exitCode).toBe(2);
  });
});
