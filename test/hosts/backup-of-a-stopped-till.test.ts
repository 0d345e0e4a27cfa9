import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentProcess, CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

let dataDir: string;
let outDir: string;
let out: string;
beforeEach(() => {
  dataDir = newDataDir();
  outDir = newDataDir();
  out = join(outDir, 'till.backup');
});
afterEach(() => {
  for (const dir of [dataDir, outDir]) rmSync(dir, { recursive: true, force: true });
});

const run = (...args: readonly string[]) => new CommandProcess(['tillbridge', ...args, '--data-dir', dataDir]).ended;
const database = (part = '') => join(dataDir, `sandbox.sqlite${part}`);

async function sell(agent: AgentProcess, externalRef: string): Promise<void> {
  const body = { identifier: { loyalty_id: 'LC-1001' }, external_ref: externalRef, amount_minor: 1_000 };
  expect((await agent.call('POST', '/transactions/earn', body)).status).toBe(202);
}

/** A till with one sale in its file, and one in its log alone. */
async function leaveKilled(): Promise<void> {
  const first = await startAgentProcess({ dataDir });
  await sell(first, 'S-1');
  await first.stop();
  const second = await startAgentProcess({ dataDir });
  await sell(second, 'S-2');
  await second.stop('SIGKILL');
}

/** While another program has a file for itself. */
async function whileLocked<Result>(file: string, act: () => Promise<Result>): Promise<Result> {
  const other = new BetterSqlite3(file);
  try {
    other.pragma('locking_mode = EXCLUSIVE');
    other.exec('BEGIN EXCLUSIVE');
    return await act();
  } finally {
    other.close();
  }
}

describe('a backup of a stopped till', () => {
  it('has what stands in its log alone', async () => {
    await leaveKilled();
    const { exitCode, stdout } = await run('backup', out);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining(': 2 operations of') });
  });

  it('is none where its log is gone: it says so, and is made once the agent has said what is missing', async () => {
    await leaveKilled();
    for (const part of ['-wal', '-shm']) rmSync(database(part));
    const { exitCode, stderr } = await run('backup', out);
    expect(exitCode).toBe(3);
    expect(stderr).toContain('operations may be missing');
    expect(stderr).toContain('sandbox.sqlite: its log is gone, and it was not closed. Start the agent');
    expect(readdirSync(outDir)).toEqual([]);
    expect(existsSync(join(dataDir, 'backups.json'))).toBe(false);

    const agent = await startAgentProcess({ dataDir });
    expect((await run('backup', out)).exitCode).toBe(0);
    await agent.stop();
  });

  it('says that another program has the database locked', async () => {
    await leaveKilled();
    const { exitCode, stderr } = await whileLocked(database(), () => run('backup', out));
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`${database()} is locked by another program. Close that program`);
    expect(readdirSync(outDir)).toEqual([]);
  });

  it('that another program has locked is told as that, and not as a file of something else', async () => {
    await leaveKilled();
    expect((await run('backup', out)).exitCode).toBe(0);
    const { exitCode, stderr } = await whileLocked(out, () => run('restore', out));
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`${out} is locked by another program. Close that program`);
  });
});
