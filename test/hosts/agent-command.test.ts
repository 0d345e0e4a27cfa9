import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtRendererDir } from '../../app/commands/renderer-dir.ts';
import { version } from '../../app/machine/version.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { root } from '../../tools/bundles.ts';
import {
  type AgentProcess,
  CommandProcess,
  newDataDir,
  secretsIn,
  startAgentProcess,
} from '../support/agent-process.ts';
import { builtCli } from '../support/built-cli.ts';
import { sendRaw, statusOf } from '../support/raw-http.ts';

let dataDir: string;
let agents: AgentProcess[];
beforeEach(() => {
  dataDir = newDataDir();
  agents = [];
});
afterEach(async () => {
  for (const agent of agents) await agent.stop('SIGKILL');
  rmSync(dataDir, { recursive: true });
});

async function start(more: Omit<Parameters<typeof startAgentProcess>[0], 'dataDir'> = {}): Promise<AgentProcess> {
  const agent = await startAgentProcess({ dataDir, ...more });
  agents.push(agent);
  return agent;
}

const run = (args: readonly string[], environment?: Record<string, string>) =>
  new CommandProcess(args, environment).ended;

const earn = (reference: string) => ({
  identifier: { loyalty_id: 'LC-1001' },
  external_ref: reference,
  amount_minor: 12500,
});

describe('a data folder', () => {
  it.skipIf(process.platform !== 'linux')('that cannot be made ends the start at once, in one line', async () => {
    const startedAt = performance.now();
    const ended = await run(['agent', '--data-dir', '/proc/tillbridge/data', '--port', '0']);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(ended.exitCode).toBe(3);
    expect(ended.stderr.trim().split('\n')).toEqual([expect.stringContaining('/proc/tillbridge')]);
  });
});

describe.skipIf(process.platform === 'win32')('SIGUSR1', () => {
  it('opens no debugger in a running agent, and the agent goes on', async () => {
    const agent = await start();
    agent.process.child.kill('SIGUSR1');
    for (let look = 0; look < 5; look += 1) expect((await agent.call('GET', '/agent/status')).status).toBe(200);
    const ended = await agent.stop();
    expect(ended.exitCode).toBe(0);
    expect(ended.stderr).not.toContain('Debugger');
  });
});

describe('a database that is damaged', () => {
  it('is put aside, and the agent starts on a new one and says so', async () => {
    const text = 'this is no database, but it may hold sales'.repeat(50);
    writeFileSync(join(dataDir, 'sandbox.sqlite'), text);
    const agent = await start();
    const { json } = await agent.call('GET', '/agent/status');
    const [notice] = (json as { notices: { code: string; aside: string }[] }).notices;
    expect(notice?.code).toBe('database_recovered');
    expect(readFileSync(join(dataDir, notice?.aside ?? ''), 'utf8')).toBe(text);
    expect((await agent.call('POST', '/transactions/earn', earn('R-1'))).status).toBe(202);
  });
});

describe('the agent', () => {
  it.each(['TRACE', 'TRACK'])('lives on after a %s of the control API', async (method) => {
    const agent = await start();
    const { port, host } = new URL(agent.base_url);
    const answer = await sendRaw(
      Number(port),
      `${method} /_sandbox HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect([400, 405]).toContain(statusOf(answer));
    expect((await fetch(new URL('/healthz', agent.base_url))).status).toBe(200);
  });

  it.skipIf(process.platform === 'win32')('ends well when the npm that started it is gone', async () => {
    const launcher = spawn(
      'sh',
      ['-c', `"${process.execPath}" "${builtCli()}" agent --data-dir "${dataDir}" --port 0 --json; true`],
      { cwd: root, env: { ...process.env, npm_lifecycle_event: 'agent' }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = await once(launcher.stdout, 'data');
    const { base_url: baseUrl } = JSON.parse(String(line)) as { base_url: string };
    launcher.kill('SIGTERM');
    // The pipe ends with its last writer: the agent itself.
    await once(launcher.stdout, 'close');
    await expect(fetch(new URL('/healthz', baseUrl))).rejects.toThrow();
    expect((await start()).data_dir).toBe(dataDir);
  });

  it('says in one line where it is, takes an earn, and ends with 0 when told to', async () => {
    const agent = await start();
    expect(agent).toMatchObject({ mode: 'sandbox', data_dir: dataDir, ui_url: null });
    expect(agent.base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(agent.control_url).toBe(agent.base_url.replace('/v1', '/_sandbox'));
    expect(await agent.call('POST', '/transactions/earn', earn('R-1'))).toMatchObject({
      status: 202,
      json: { transaction_id: expect.stringMatching(/^txn_local_/), status: 'pending', duplicate: false },
    });
    const ended = await agent.stop();
    expect(ended).toMatchObject({ exitCode: 0, signal: null, stderr: '' });
    expect(ended.stdout.trim().split('\n')).toHaveLength(1);
  });

  it('keeps its token and its operations over a restart, even after kill -9', async () => {
    const first = await start();
    await first.call('POST', '/transactions/earn', earn('R-1'));
    await first.stop('SIGKILL');
    const second = await start();
    expect(second.token).toBe(first.token);
    const again = await second.call('POST', '/transactions/earn', earn('R-1'));
    expect(again.json).toMatchObject({ duplicate: true });
  });

  it('ends soon though a caller holds its connection open, and though it asks for nothing', async () => {
    const agent = await start();
    const idle = connect(Number(new URL(agent.base_url).port), '127.0.0.1');
    idle.on('error', () => undefined);
    await new Promise((resolve) => idle.once('connect', resolve));
    const askedAt = performance.now();
    expect((await agent.stop()).exitCode).toBe(0);
    expect(performance.now() - askedAt).toBeLessThan(20_000);
    idle.destroy();
  });

  it('serves the sandbox’s control API on its own port, with the sandbox’s key and no page', async () => {
    const agent = await start();
    const url = agent.control_url ?? '';
    const authorization = `Bearer ${agent.control_key}`;
    const overview = await fetch(url, { headers: { authorization } });
    expect(overview.status).toBe(200);
    expect(await overview.json()).toMatchObject({ clock: 'real' });
    // The sandbox's API key stands in the source: it moves nothing here, and neither does a POS program's token.
    for (const key of [agent.token, 'loyalty_pk_test_demo_4kq7m2xw9c3t', '']) {
      expect((await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status).toBe(401);
    }
    expect((await fetch(url, { headers: { authorization, origin: 'https://evil.example' } })).status).toBe(403);
    const moved = await fetch(`${url}/clock`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ advance_ms: 3_600_000 }),
    });
    expect(moved.status).toBe(200);
  });

  it('with --ui gives an address that opens the screen once', async () => {
    const agent = await start({ flags: ['--ui'] });
    const first = await fetch(agent.ui_url ?? '', { redirect: 'manual' });
    expect(first.status).toBe(303);
    expect((await fetch(agent.ui_url ?? '', { redirect: 'manual' })).status).toBe(403);
  });

  it('in words tells the same without --json, and of each secret only the command that shows it', async () => {
    const command = new CommandProcess(['agent', '--port', '0', '--data-dir', dataDir]);
    await command.firstLine();
    const shown = await run(['tillbridge', 'tokens', 'show', 'main', '--data-dir', dataDir]);
    const control = await run(['tillbridge', 'tokens', 'show', 'control', '--data-dir', dataDir]);
    const ended = await command.stop('SIGINT');
    expect(ended.exitCode).toBe(0);
    expect(ended.stdout).toMatch(/sandbox mode[\s\S]*http:\/\/127\.0\.0\.1:\d+\/v1[\s\S]*\/_sandbox/);
    expect(ended.stdout).toContain(`npm run --silent tillbridge -- tokens show main --data-dir ${dataDir}`);
    expect(ended.stdout).toContain(`npm run --silent tillbridge -- tokens show control --data-dir ${dataDir}`);
    const { bridge_token, control_key } = secretsIn(dataDir);
    expect([shown.stdout, control.stdout]).toEqual([`${bridge_token}\n`, `${control_key}\n`]);
    expect(ended.stdout).not.toMatch(/tillbridge_[\w-]{20}/);
    const made = await run(['tillbridge', 'tokens', 'show', 'kiosk', '--data-dir', dataDir]);
    expect(made).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

it.each(['status', 'check', 'install'])('an agent without a window refuses update %s with 3', async (command) => {
  await start();
  const ended = await run(['tillbridge', 'update', command, '--data-dir', dataDir]);
  expect(ended).toMatchObject({ exitCode: 3, stdout: '' });
  expect(ended.stderr).toContain('This agent runs without a window.');
});

describe('what the agent does not start with', () => {
  it('a data folder that another one has: 3', async () => {
    await start();
    const second = await run(['agent', '--port', '0', '--data-dir', dataDir]);
    expect(second).toMatchObject({ exitCode: 3, stdout: '' });
    expect(second.stderr.trim().split('\n')).toHaveLength(1);
    expect(second.stderr).toContain(dataDir);
  });

  it('a data folder that cannot be made: 3', async () => {
    const file = join(dataDir, 'file');
    writeFileSync(file, '');
    const ended = await run(['agent', '--port', '0', '--data-dir', join(file, 'x')]);
    expect(ended.exitCode).toBe(3);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('a database of another program: 3, and the file stays as it is', async () => {
    const other = new BetterSqlite3(join(dataDir, 'sandbox.sqlite'));
    other.exec('CREATE TABLE photos (id INTEGER PRIMARY KEY)');
    other.close();
    const ended = await run(['agent', '--port', '0', '--data-dir', dataDir]);
    expect(ended.exitCode).toBe(3);
    expect(ended.stderr).toContain(`${join(dataDir, 'sandbox.sqlite')} is a database of another program`);
  });

  it('a port that is taken: 2, and the data folder is free again', async () => {
    const agent = await start();
    const { port } = new URL(agent.base_url);
    const otherDir = newDataDir();
    const ended = await run(['agent', '--port', port, '--data-dir', otherDir]);
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toContain(port);
    rmSync(otherDir, { recursive: true });
  });

  it.each([
    [['--nonsense'], '--nonsense'],
    [['--port', 'x'], '--port'],
    [['--port', '70000'], '--port'],
    [['--port'], '--port'],
    [['--json', '--json'], '--json'],
    [['--json=yes'], '--json'],
    [['stray'], 'stray'],
    [['--locale', 'fr'], '--locale'],
    [['--config', '/nowhere/settings.json'], '/nowhere/settings.json'],
    [['--api-key', 'loyalty_pk_test_x'], '--api-key'],
  ])('%j: 2, with a line that names it', async (flags, name) => {
    const ended = await run(['agent', '--data-dir', dataDir, ...flags]);
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toContain(name);
  });

  it('a key of the wrong kind: 2, without telling the key', async () => {
    const ended = await run(['agent', '--data-dir', dataDir, '--port', '0'], {
      TILLBRIDGE_MODE: 'production',
      TILLBRIDGE_BASE_URL: 'http://127.0.0.1:9/v1',
      TILLBRIDGE_API_KEY: 'loyalty_pk_test_verysecret',
    });
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toContain('api_key');
    expect(ended.stderr + ended.stdout).not.toContain('verysecret');
  });
});

describe('a bad settings file', () => {
  it('after a good one: it starts with the last good ones, and says which field', async () => {
    const config = join(dataDir, 'managed.json');
    writeFileSync(config, JSON.stringify({ device_name: 'Good', branch_ref: 'b1' }));
    await (await start({ flags: ['--config', config] })).stop();
    writeFileSync(config, JSON.stringify({ device_name: '', branch_ref: 'not good' }));
    const agent = await start({ flags: ['--config', config] });
    expect((await agent.call('POST', '/transactions/earn', earn('R-1'))).status).toBe(202);
    const told = await run(['tillbridge', 'status', '--data-dir', dataDir]);
    expect(told.exitCode).toBe(1);
    expect(told.stdout).toMatch(/Notice {6}A settings file is wrong: .*managed\.json: device_name: .*branch_ref: /);
    const { json } = await agent.call('GET', '/agent/status');
    expect(json).toMatchObject({ notices: [{ code: 'settings_file_wrong' }] });
    const doctor = await run(['tillbridge', 'doctor', '--data-dir', dataDir]);
    expect(doctor.exitCode).toBe(1);
    expect(doctor.stdout).toMatch(/^FAIL {2}settings .*managed\.json: device_name: /m);
    expect(doctor.stdout).not.toContain('notice');
    const ended = await agent.stop();
    expect(ended.stderr).toMatch(/device_name: [\s\S]*branch_ref: [\s\S]*last good/);
  });
});

describe('the other commands', () => {
  it('tell of themselves with --help, and of each other when the name is wrong', async () => {
    for (const name of ['agent', 'start', 'tillbridge']) {
      const ended = await run([name, '--help']);
      expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
      expect(ended.stdout).toContain('--data-dir');
    }
    const queue = await run(['tillbridge', 'queue', '--help']);
    expect(queue).toMatchObject({ exitCode: 0, stderr: '' });
    expect(queue.stdout).toContain('queue write-off REF');
    expect(queue.stdout).not.toContain('day close');
    const wrong = await run(['nonsense']);
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain('agent, start, sandbox, tillbridge');
  });

  it('status tells of a running agent: 0, and 3 when there is none', async () => {
    expect((await run(['tillbridge', 'status', '--data-dir', dataDir])).exitCode).toBe(3);
    const agent = await start();
    const status = await run(['tillbridge', 'status', '--json', '--data-dir', dataDir]);
    expect(status.exitCode).toBe(0);
    expect(JSON.parse(status.stdout)).toMatchObject({ mode: 'sandbox' });
    const inWords = await run(['tillbridge', 'status', '--data-dir', dataDir]);
    expect(inWords.stdout).toContain('Service     the built-in sandbox (');
    await agent.stop('SIGKILL');
    const killed = await run(['tillbridge', 'status', '--data-dir', dataDir]);
    expect(killed.exitCode).toBe(3);
    expect(killed.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('start without a display says so in one line and serves the screen', async () => {
    const command = new CommandProcess(['start', '--port', '0', '--data-dir', dataDir], {
      DISPLAY: '',
      WAYLAND_DISPLAY: '',
    });
    await command.firstLine();
    const ended = await command.stop();
    expect(ended.exitCode).toBe(0);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    expect(ended.stderr).toContain('no display');
    expect(ended.stdout).toMatch(/Cashier screen: http:\/\/127\.0\.0\.1:\d+\/\?token=/);
  });
});

describe('what is said twice', () => {
  it('is the same: the version', () => {
    expect(version).toBe(packageJson.version);
  });

  it('is found from wherever the program runs: the built screen', () => {
    expect(builtRendererDir('/p/dist/app')).toBe('/p/dist/renderer');
    expect(builtRendererDir('/p/dist/app/chunks')).toBe('/p/dist/renderer');
    expect(builtRendererDir('/p/dist/main')).toBe('/p/dist/renderer');
    expect(builtRendererDir('/p/app/commands')).toBe('/p/dist/renderer');
  });
});
