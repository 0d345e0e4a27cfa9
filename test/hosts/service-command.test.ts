import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { howToStopService } from '../../app/commands/service/manager-of-platform.ts';
import { isServiceWell, runningInWords } from '../../app/commands/service/seen-service.ts';
import { runSteps } from '../../app/commands/service/steps.ts';
import { typed } from '../../app/machine/installed.ts';
import { lockDataFolder } from '../../app/machine/lock.ts';
import { CommandProcess, newDataDir } from '../support/agent-process.ts';
import { builtCli } from '../support/built-cli.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = newDataDir();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const run = (...args: readonly string[]) => new CommandProcess(['tillbridge', 'service', ...args]).ended;
const isInstalled = existsSync('/etc/systemd/system/tillbridge.service');
const hasSystemd = existsSync('/run/systemd/system');

describe.skipIf(process.platform !== 'linux' || isInstalled)(
  'the service commands on a machine without the service',
  () => {
    it('show what would be installed, and change nothing', async () => {
      const shown = await run('install', '--print');
      expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
      expect(shown.stdout).toContain('StateDirectory=tillbridge\n');
      expect(shown.stdout).toContain('# systemctl enable --quiet tillbridge.service\n');
      expect(existsSync('/etc/systemd/system/tillbridge.service')).toBe(false);
    });

    it('say that none is installed', async () => {
      const status = await run('status', '--json');
      expect(status.exitCode).toBe(3);
      expect(JSON.parse(status.stdout)).toMatchObject({
        installed: false,
        running: false,
        data_dir: '/var/lib/tillbridge',
      });
      const removed = await run('remove');
      expect(removed.exitCode).toBe(0);
      expect(removed.stdout).toContain('No service is installed.');
    });

    it.skipIf(hasSystemd)('say in one line that no systemd runs', async () => {
      const refused = await run('install');
      expect(refused).toMatchObject({ exitCode: 3, stdout: '' });
      expect(refused.stderr).toBe('No systemd runs on this machine. --print shows the unit. Nothing was changed.\n');
    });

    it('name a flag that they cannot use', async () => {
      for (const [flag, value] of [
        ['--backup-folder', '/no/such/folder'],
        ['--data-dir', '/elsewhere'],
      ] as const) {
        const refused = await run('install', flag, value);
        expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
        expect(refused.stderr).toMatch(new RegExp(`^${flag}: .+\n$`));
      }
    });
  },
);

it('whoever stops the agent of a service is told how to stop the service, which would start it again', () => {
  const places = { description: join(dataDir, 'unit'), dataDir, attachFolder: dataDir };
  expect(howToStopService(dataDir, places)).toBeNull();
  writeFileSync(places.description, '');
  expect(howToStopService(dataDir, places)).toContain('stop');
  expect(howToStopService(join(dataDir, 'another'), places)).toBeNull();
});

it('steps end with the first that fails, and say which command it was and what it said', () => {
  const file = join(dataDir, 'made', 'file');
  const outcome = runSteps([
    { kind: 'run', command: ['false'], mayFail: true },
    { kind: 'write', path: file, text: 'x' },
    { kind: 'run', command: [process.execPath, '-e', 'console.error("not today"); process.exit(4)'] },
    { kind: 'delete', path: file },
  ]);
  expect(outcome).toMatchObject({ kind: 'failed', problem: expect.stringMatching(/-e.*: not today$/) });
  expect(existsSync(file)).toBe(true);
});

describe.skipIf(process.getuid?.() !== 0)('the administrator, on the folder of another user', () => {
  const nobody = 65_534;
  const command = (...args: readonly string[]) =>
    spawnSync(process.execPath, [builtCli(), ...args, '--data-dir', dataDir], { encoding: 'utf8' });

  it('leaves nothing there that its user cannot read', () => {
    chownSync(dataDir, nobody, nobody);
    expect(command('tillbridge', 'settings', 'set', 'device_name', 'Till 7')).toMatchObject({ status: 0 });
    expect(statSync(join(dataDir, 'settings.json')).uid).toBe(nobody);
  });

  it('writes as its user, and through no door of the administrator’s', () => {
    chownSync(dataDir, nobody, nobody);
    const closed = join(dataDir, '..', `${dataDir.split('/').at(-1)}-root`);
    mkdirSync(closed, { mode: 0o700 });
    try {
      const line = `OUT: ${closed} is closed to the user nobody, as whom this command works. Name a file in a folder of that user, such as /var/tmp.\n`;
      expect(command('tillbridge', 'bundle', join(closed, 'support.zip'))).toMatchObject({ status: 3, stderr: line });
      expect(existsSync(join(closed, 'support.zip'))).toBe(false);
    } finally {
      rmSync(closed, { recursive: true });
    }
  });
});

describe('a service', () => {
  const seen = { isRunning: true, isEnabled: true, since: null, version: '1.0.0', mayAsk: true };
  it.each([
    ['its agent answers', seen, 'yes', true],
    ['its agent answers, and it says since when', { ...seen, since: 'NOON' }, 'yes, since NOON', true],
    ['this user may not ask', { ...seen, version: null, mayAsk: false }, 'yes', true],
    ['no agent answers', { ...seen, version: null }, `yes, and no agent answers: see "${typed('doctor')}"`, false],
    ['the machine will not start it', { ...seen, isEnabled: false }, 'yes', false],
    ['it does not run', { ...seen, isRunning: false, version: null }, 'no', false],
  ] as const)('is told as well or not: %s', (_, facts, words, isWell) => {
    expect([runningInWords(facts), isServiceWell(facts)]).toEqual([words, isWell]);
  });
});

describe('an agent that runs as a service', () => {
  it('ends well when the service is stopped while a command has its folder', async () => {
    const unlock = lockDataFolder(dataDir);
    const agent = new CommandProcess(['agent', '--service', '--port', '0', '--data-dir', dataDir]);
    let said = '';
    agent.child.stderr?.on('data', (text: string) => {
      said += text;
    });
    await expect.poll(() => said).toContain('Waiting until it is free');
    expect(await agent.stop()).toMatchObject({ exitCode: 0, signal: null });
    unlock();
  });

  it('prints no token, and waits while a command works on its folder', async () => {
    const unlock = lockDataFolder(dataDir);
    const agent = new CommandProcess(['agent', '--service', '--port', '0', '--data-dir', dataDir]);
    const wait = async (condition: () => boolean) => expect.poll(condition, { timeout: 20_000 }).toBe(true);
    let said = '';
    agent.child.stderr?.on('data', (text: string) => {
      said += text;
    });
    await wait(() => said.includes('Waiting until it is free'));
    unlock();
    await wait(() => existsSync(join(dataDir, 'agent.json')));
    const ended = await agent.stop();
    expect(ended).toMatchObject({ exitCode: 0, stdout: '' });
  });

  describe('while another program has its port', () => {
    const stranger = createServer();
    let port = 0;
    beforeEach(async () => {
      stranger.listen(0, '127.0.0.1');
      await once(stranger, 'listening');
      port = portOf(stranger);
    });
    afterEach(() => stranger.close());
    const settings = (next: number) =>
      writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ bridge: { port: next } }));

    async function waiting(): Promise<CommandProcess> {
      settings(port);
      const agent = new CommandProcess(['agent', '--service', '--data-dir', dataDir]);
      let said = '';
      agent.child.stderr?.on('data', (text: string) => {
        said += text;
      });
      await Promise.race([expect.poll(() => said).toContain('Waiting until it is free'), agent.ended]);
      return agent;
    }

    it('tells it once, and starts when the port is free', async () => {
      const agent = await waiting();
      await pause(5_000);
      stranger.close();
      await expect.poll(() => existsSync(join(dataDir, 'agent.json'))).toBe(true);
      expect(readFileSync(join(dataDir, 'agent.json'), 'utf8')).toContain(String(port));
      const { exitCode, stderr } = await agent.stop();
      expect(exitCode).toBe(0);
      expect(stderr).toBe(
        `Port ${port} is not available: another program is using it. Name another with --port, or set another bridge.port. Waiting until it is free.\n`,
      );
      // What a try opens and notes is opened and noted by the first and the last one alone.
      const audit = readFileSync(join(dataDir, 'audit.jsonl'), 'utf8');
      expect(audit.match(/agent_started/g)).toHaveLength(2);
    });

    it('ends well when the service is stopped meanwhile, and has told its log what it waits for', async () => {
      const agent = await waiting();
      expect(await agent.stop()).toMatchObject({ exitCode: 0, signal: null });
      const log = readFileSync(join(dataDir, 'logs', 'agent.log'), 'utf8');
      expect(log.match(new RegExp(`Port ${port} is not available`, 'g'))).toHaveLength(1);
    });

    it('starts on the port that somebody sets meanwhile', async () => {
      const agent = await waiting();
      settings(0);
      await expect.poll(() => existsSync(join(dataDir, 'agent.json'))).toBe(true);
      expect(await agent.stop()).toMatchObject({ exitCode: 0 });
    });

    it('an agent that a person has started ends at once, and says what to do', async () => {
      settings(port);
      const ended = await new CommandProcess(['agent', '--data-dir', dataDir]).ended;
      expect(ended).toMatchObject({
        exitCode: 2,
        stderr: `Port ${port} is not available: another program is using it. Name another with --port, or set another bridge.port.\n`,
      });
    });
  });
});

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
