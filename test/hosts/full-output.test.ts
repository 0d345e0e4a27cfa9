import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentProcess, CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';
import { builtCli } from '../support/built-cli.ts';
import { cleanEnvironment } from '../support/clean-environment.ts';

const isFull = 'Not all of the answer was written to standard output';

describe.skipIf(process.platform !== 'linux')('an answer that standard output does not take', () => {
  let dataDir: string;
  let outDir: string;
  let agent: AgentProcess;
  beforeAll(async () => {
    dataDir = newDataDir();
    outDir = mkdtempSync(join(tmpdir(), 'output-'));
    agent = await startAgentProcess({ dataDir });
  });
  afterAll(async () => {
    await agent.stop('SIGKILL');
    for (const dir of [dataDir, outDir]) rmSync(dir, { recursive: true, force: true });
  });

  /** @param shape of a shell command, with COMMAND in the place of `tillbridge … --data-dir …` */
  function inShell(words: string, shape: string) {
    const command = `"${process.execPath}" "${builtCli()}" tillbridge ${words} --data-dir "${dataDir}"`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', shape.replace('COMMAND', command)], {
      cwd: outDir,
      encoding: 'utf8',
      env: cleanEnvironment(),
    });
    return { status, stdout, stderr };
  }

  it.each(['queue export', 'queue export --format json', 'settings list', 'doctor', 'tokens create kiosk --prefix K-'])(
    '%s to a full disk ends with 3 and one line that says so',
    async (words) => {
      await agent.call('POST', '/transactions/earn', {
        identifier: { loyalty_id: 'LC-1001' },
        external_ref: 'R-1',
        amount_minor: 1_000,
      });
      const ended = inShell(words, 'COMMAND > /dev/full');
      expect(ended).toMatchObject({ status: 3, stderr: expect.stringContaining(isFull) });
      expect(ended.stderr).toContain('ENOSPC');
      expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    },
  );

  it('ends with 3 also where the disk fills in the middle of the last write', () => {
    // 1,024 bytes fit: the system takes the first part of the answer, and says no more than how long that is.
    const ended = inShell('--help', 'ulimit -f 1; COMMAND > help.txt');
    expect(ended).toMatchObject({ status: 3, stderr: expect.stringContaining(isFull) });
  });

  it('ends with 3 where nobody can be told, either', () => {
    expect(inShell('settings list', 'COMMAND > /dev/full 2>&1')).toMatchObject({ status: 3 });
  });

  it.each(['settings list', 'queue --help', 'queue show NOBODY'])(
    '%s ends as ever where its reader has seen enough',
    (words) => {
      const whole = inShell(words, 'COMMAND');
      const cut = inShell(words, `COMMAND | true; exit "\${PIPESTATUS[0]}"`);
      expect(cut).toEqual({ status: whole.status, stdout: '', stderr: '' });
    },
  );
});

it.skipIf(process.platform !== 'linux')('an agent serves also where its outputs take nothing', async () => {
  const dataDir = newDataDir();
  const full = openSync('/dev/full', 'w');
  const agent = spawn(process.execPath, [builtCli(), 'agent', '--port', '0', '--data-dir', dataDir], {
    stdio: ['ignore', full, full],
    env: cleanEnvironment(),
  });
  try {
    const status = () => new CommandProcess(['tillbridge', 'status', '--data-dir', dataDir]).ended;
    await expect.poll(async () => (await status()).exitCode, { timeout: 20_000 }).toBe(0);
    expect(agent.exitCode).toBe(null);
  } finally {
    agent.kill('SIGKILL');
    closeSync(full);
    rmSync(dataDir, { recursive: true, force: true });
  }
});
