import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentProcess, CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

let dataDir: string;
let outDir: string;
let agent: AgentProcess;

const run = (...args: readonly string[]) => new CommandProcess(['tillbridge', ...args, '--data-dir', dataDir]).ended;

beforeAll(async () => {
  dataDir = newDataDir();
  outDir = newDataDir();
  // No file of the folder names its mode: flags and variables have.
  agent = await startAgentProcess({
    dataDir,
    flags: ['--mode', 'production', '--base-url', 'http://127.0.0.1:9/v1'],
    environment: { TILLBRIDGE_API_KEY: 'loyalty_pk_live_0123456789abcdef' },
  });
  const sale = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', amount_minor: 1_000 };
  expect((await agent.call('POST', '/transactions/earn', sale)).status).toBe(202);
});
afterAll(async () => {
  await agent.stop('SIGKILL');
  for (const dir of [dataDir, outDir]) rmSync(dir, { recursive: true, force: true });
});

describe('the commands on an agent that runs in production mode by its flags', () => {
  it('back up the database of its mode', async () => {
    const ended = await run('backup', join(outDir, 'running.backup'));
    expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 operation of production mode') });
  });

  it('are not led astray by a second start without its flags, which is refused', async () => {
    const second = new CommandProcess(['agent', '--json', '--port', '0', '--data-dir', dataDir]);
    expect((await second.ended).exitCode).toBe(3);
    expect((await run('backup', join(outDir, 'after-refusal.backup'))).stdout).toContain('of production mode');
    expect((await run('queue', 'list', '--mode', 'production')).stdout).toContain('R-1');
  });

  it.each([['status'], ['queue', 'list'], ['queue', 'show', 'R-1'], ['day', 'show'], ['people', 'list']])(
    'take its own mode, and refuse the other one with what to do: %s %s',
    async (...args) => {
      const words = args.filter((word) => word !== undefined);
      expect((await run(...words, '--mode', 'production')).exitCode).toBeLessThanOrEqual(1);
      const other = await run(...words, '--mode', 'sandbox');
      expect(other.exitCode).toBe(3);
      expect(other.stderr).toBe(
        '--mode: the agent runs in production mode. Leave the flag out, or stop the agent to work on sandbox mode.\n',
      );
      const neither = await run(...words, '--mode', 'play');
      expect(neither).toMatchObject({ exitCode: 2, stderr: '--mode: play is neither of sandbox, production\n' });
    },
  );

  it('say why they take none where they work on the whole till', async () => {
    const ended = await run('tokens', 'list', '--mode', 'production');
    expect(ended).toMatchObject({
      exitCode: 2,
      stderr: '--mode: tokens list works on the whole till, whatever its mode. Leave the flag out.\n',
    });
    expect((await run('tokens', 'list', '--help')).stdout).not.toContain('--mode');
  });
});

describe('the commands on that agent after its end', () => {
  beforeAll(async () => {
    await agent.stop();
  });

  it('go on with the mode of its last start', async () => {
    expect((await run('queue', 'list')).stdout).toContain('R-1');
    expect((await run('queue', 'list', '--mode', 'production')).stdout).toContain('R-1');
    const file = join(outDir, 'stopped.backup');
    expect((await run('backup', file)).stdout).toContain('of production mode');
    expect((await run('restore', file)).stdout).toContain('Restored 1 operation of production mode.');
  });

  it('look at the other mode where it is named', async () => {
    const ended = await run('queue', 'list', '--mode', 'sandbox');
    expect(ended.exitCode).toBe(3);
    expect(ended.stderr).toContain('in sandbox mode');
  });

  it('are the doctor and the bundle, which take the flags of its start', async () => {
    const flags = ['--mode', 'production', '--base-url', 'http://127.0.0.1:9/v1'];
    const variables = { TILLBRIDGE_API_KEY: 'loyalty_pk_live_0123456789abcdef' };
    const doctor = new CommandProcess(['tillbridge', 'doctor', ...flags, '--data-dir', dataDir], variables);
    expect((await doctor.ended).stdout).toMatch(/settings +valid; production mode/);
    const zip = join(outDir, 'till.zip');
    const bundle = new CommandProcess(['tillbridge', 'bundle', zip, ...flags, '--data-dir', dataDir], variables);
    expect((await bundle.ended).exitCode).toBe(0);
  });

  it('follow a mode that was saved since', async () => {
    expect((await run('settings', 'set', 'mode', 'sandbox')).exitCode).toBe(0);
    expect((await run('queue', 'list')).stderr).toContain('in sandbox mode');
    const { stdout } = await run('queue', 'list', '--help');
    expect(stdout).toContain(
      'default: the mode of the running agent, else what a file or variable says, else the last start',
    );
  });
});
