import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diedAtOnce } from '../../app/commands/start.ts';
import { parentWatch } from '../../app/commands/stop-signal.ts';
import { isRunning } from '../../app/machine/running-process.ts';
import { CommandProcess } from '../support/agent-process.ts';
import { builtCli } from '../support/built-cli.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'stop-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const runCommand = (name: string) => new CommandProcess(['tillbridge', name, '--data-dir', dataDir]).ended;
const stop = (...flags: readonly string[]) =>
  new CommandProcess(['tillbridge', 'stop', '--data-dir', dataDir, ...flags]).ended;

describe('a folder in the place of a file', () => {
  it.each([
    ['agent.lock', 'status'],
    ['agent.lock', 'stop'],
    ['audit.jsonl', 'audit'],
  ])('of %s is told by `%s` in one line, with what to do', async (name, command) => {
    mkdirSync(join(dataDir, name));
    const { exitCode, stderr } = await runCommand(command);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`${join(dataDir, name)} is a folder, where a file belongs: delete it, and try again`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('stop', () => {
  it('ends a running agent in good order, and says so when it is gone', async () => {
    const agent = new CommandProcess(['agent', '--data-dir', dataDir, '--port', '0', '--json']);
    await agent.firstLine();
    expect(await stop()).toEqual({
      exitCode: 0,
      signal: null,
      stdout: `The agent of ${dataDir} has ended.\n`,
      stderr: '',
    });
    expect(isRunning(agent.child.pid ?? 0)).toBe(false);
    expect(await agent.ended).toMatchObject({ exitCode: 0, signal: null, stderr: '' });
    // A database that was closed has no log.
    expect(readdirSync(dataDir)).not.toContain('sandbox.sqlite-wal');
    expect(readdirSync(dataDir)).not.toContain('agent.json');
    const events = readFileSync(join(dataDir, 'audit.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.slice(-2)).toEqual([
      expect.objectContaining({ event: 'stop_asked', by: expect.stringMatching(/^store IT/) }),
      expect.objectContaining({ event: 'agent_stopped' }),
    ]);
  });

  it('ends with 0 where no agent runs, and makes no folder', async () => {
    expect(await stop()).toEqual({ exitCode: 0, signal: null, stdout: `No agent runs on ${dataDir}.\n`, stderr: '' });
    expect(readdirSync(dataDir)).toEqual([]);
    const answer = await stop('--json');
    expect(JSON.parse(answer.stdout)).toEqual({ stopped: false, data_dir: dataDir });
  });

  it.skipIf(process.getuid?.() !== 0)(
    'ends with 3 in a folder that is closed to this user: an agent may run there',
    () => {
      const nobody = 65_534;
      for (const command of ['stop', 'status']) {
        const ended = spawnSync(process.execPath, [builtCli(), 'tillbridge', command, '--data-dir', dataDir], {
          uid: nobody,
          gid: nobody,
          encoding: 'utf8',
        });
        const line = `This user may not look into ${dataDir}. Work as the user whose agent it is, or as the administrator.\n`;
        expect(ended).toMatchObject({ status: 3, stdout: '', stderr: line });
      }
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'sees that an agent is gone whose parent has not asked how it ended',
    async () => {
      // A shell that starts it, and becomes a program that never asks.
      const script = '"$0" "$@" & exec sleep 60';
      const agent = [process.execPath, builtCli(), 'agent', '--data-dir', dataDir, '--port', '0', '--json'];
      const parent = spawn('sh', ['-c', script, ...agent], { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(parent.stdout, 'data');
      expect(await stop()).toMatchObject({ exitCode: 0, stdout: `The agent of ${dataDir} has ended.\n` });
      parent.kill('SIGKILL');
    },
  );

  it('ends with 3 where the agent has lost its secrets.json, of which it has the last copy', async () => {
    const agent = new CommandProcess(['agent', '--data-dir', dataDir, '--port', '0', '--json']);
    const { token } = JSON.parse(await agent.firstLine());
    rmSync(join(dataDir, 'secrets.json'));
    for (const command of ['stop', 'status']) {
      const { exitCode, stderr } = await runCommand(command);
      expect([exitCode, stderr]).toEqual([
        3,
        expect.stringContaining(`${dataDir} has lost its secrets.json. If an agent runs, do not end it`),
      ]);
    }
    const { exitCode, stdout } = await runCommand('doctor');
    expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/FAIL +secrets +secrets\.json is gone/)]);
    expect(stdout).toMatch(
      /WARN +agent +runs, and could not be asked\. See above what is wrong with secrets\.json\.\n/,
    );
    expect(stdout).not.toContain('start it again');
    await agent.stop();
    expect(readFileSync(join(dataDir, 'logs', 'agent.log'), 'utf8')).toContain('it is written again');
    expect(await runCommand('status')).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('No agent runs') });
    const again = new CommandProcess(['agent', '--data-dir', dataDir, '--port', '0', '--json']);
    expect(JSON.parse(await again.firstLine()).token).toBe(token);
    await again.stop();
  });

  it.skipIf(process.platform === 'win32')(
    'nor does the doctor have an agent ended whose secrets are open',
    async () => {
      const agent = new CommandProcess(['agent', '--data-dir', dataDir, '--port', '0', '--json']);
      await agent.firstLine();
      chmodSync(join(dataDir, 'secrets.json'), 0o644);
      const { stdout } = await runCommand('doctor');
      expect(stdout).toMatch(/FAIL +secrets .*chmod 600/);
      expect(stdout).toMatch(/WARN +agent +runs, and could not be asked/);
      await agent.stop();
    },
  );

  it('ends with 3 and one line where an agent runs that cannot be found', async () => {
    const agent = new CommandProcess(['agent', '--data-dir', dataDir, '--port', '0', '--json']);
    await agent.firstLine();
    rmSync(join(dataDir, 'agent.json'));
    const line = `An agent or another command has ${dataDir}, and does not answer. Try again in a minute: an agent writes a missing agent.json again. Should that not help, end the agent and start it again.\n`;
    expect(await stop()).toEqual({ exitCode: 3, signal: null, stdout: '', stderr: line });
    expect(await runCommand('status')).toMatchObject({ exitCode: 3, stderr: line });
    expect(await runCommand('doctor')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/FAIL +agent +runs and does not answer/),
    });
    await agent.stop();
  });
});

describe('the process that started an agent', () => {
  it('is seen to be gone, also where the system goes on naming it', async () => {
    const parent = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' });
    const isGone = parentWatch(parent.pid ?? 0, 'win32');
    expect(isGone()).toBe(false);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(isGone()).toBe(true);
  });

  it('takes its agent with it under npm', async () => {
    const script = `
      const { spawn } = require('node:child_process');
      const agent = spawn(process.execPath, ${JSON.stringify([builtCli(), 'agent', '--data-dir', dataDir, '--port', '0', '--json'])}, {
        stdio: ['ignore', 'inherit', 'ignore'], env: { ...process.env, npm_lifecycle_event: 'agent' } });
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(parent.stdout, 'data');
    const { pid } = JSON.parse(readFileSync(join(dataDir, 'agent.json'), 'utf8')) as { readonly pid: number };
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

describe('an Electron that has ended', () => {
  const soon = { signal: null, ranMs: 300, isAsked: false } as const;
  it.each([
    ['a library is missing', { ...soon, code: 127 }, 'exit code 127'],
    ['a DLL is missing (Windows)', { ...soon, code: 0xc0000135 }, 'exit code 0xc0000135'],
    ['it crashed (Windows)', { ...soon, code: 0xc0000005 }, 'exit code 0xc0000005'],
    ['it crashed', { ...soon, code: null, signal: 'SIGSEGV' as const }, 'SIGSEGV'],
    ['it reckoned what it must not', { ...soon, code: null, signal: 'SIGFPE' as const }, 'SIGFPE'],
    ['it ended itself', { ...soon, code: null, signal: 'SIGTRAP' as const }, 'SIGTRAP'],
    ['it could not begin', { ...soon, code: 1 }, 'exit code 1'],
  ])('at once gives way to the browser: %s', (_, ended, says) => {
    expect(diedAtOnce(ended)).toBe(says);
  });

  it.each([
    ['the window was closed', { ...soon, code: 0 }],
    ['the start was refused', { ...soon, code: 3 }],
    ['the settings are wrong', { ...soon, code: 2 }],
    ['it ran before', { ...soon, code: 0xc0000005, ranMs: 10_000 }],
    ['somebody ended it', { ...soon, code: 1, isAsked: true }],
    ['it was told to end', { ...soon, code: null, signal: 'SIGTERM' as const }],
  ])('otherwise opens no second screen: %s', (_, ended) => {
    expect(diedAtOnce(ended)).toBeNull();
  });
});
