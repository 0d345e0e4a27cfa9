import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { type AttachFacts, type FoundAttach, findAttach, tellWindows } from '../../app/http/attach-file.ts';
import { isDataFolderLocked, lockDataFolder } from '../../app/machine/lock.ts';
import { version } from '../../app/machine/version.ts';
import { attachAtStart } from '../../main/attach/attach-at-start.ts';
import { attachTill, newWindowName } from '../../main/attach/attached-till.ts';
import { startAgainForUpdate } from '../../main/attach/start-again.ts';
import { windowPlace } from '../../main/attach/window-place.ts';
import type { TillInput } from '../../shared/till/api.ts';
import { type AgentProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';
import { type AttachedWindow, openAttachedWindow } from '../support/attached-window.ts';
import { sendRaw } from '../support/raw-http.ts';

let dataDir: string;
let agents: AgentProcess[];
let windows: AttachedWindow[];
beforeEach(() => {
  dataDir = newDataDir();
  agents = [];
  windows = [];
});
afterEach(async () => {
  for (const window of windows) window.close();
  for (const agent of agents) await agent.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(...flags: readonly string[]): Promise<AgentProcess> {
  const agent = await startAgentProcess({ dataDir, flags });
  agents.push(agent);
  return agent;
}

function attach(login?: string, folder = dataDir, ofVersion = version): AttachedWindow {
  const window = openAttachedWindow(folder, ofVersion, login);
  windows.push(window);
  return window;
}

const earn = (operationId: string): TillInput<'operation.earn'> => ({
  operation_id: operationId,
  identifier: { loyalty_id: 'LC-1001' },
  customer_name: null,
  amount_minor: 12_500,
  currency: 'KWD',
});

function toldFacts(folder = dataDir): AttachFacts {
  const found = findAttach(folder);
  if (found.kind !== 'found') throw new Error(`attach.json is ${found.kind}`);
  return found.facts;
}

describe('a window of another process', () => {
  it('takes a sale, hears of it, and leaves the agent running when it is closed', async () => {
    const agent = await start();
    const window = attach();
    await window.opened();
    const told: object[] = [];
    window.onEvent((event) => told.push(event));
    const { operation } = await window.ask('operation.earn', earn(randomUUID()));
    await expect.poll(() => JSON.stringify(told)).toContain(operation.operation_id);
    window.close();
    expect(await window.handle({ command: 'state.read', input: {} })).toMatchObject({ error: { code: 'agent_gone' } });
    expect(await agent.call('GET', '/agent/status')).toMatchObject({ status: 200 });
    const next = attach();
    await next.opened();
    const { operations } = await next.ask('operations.recent', {});
    expect(operations.map(({ operation_id }) => operation_id)).toEqual([operation.operation_id]);
  });

  it('waits while the agent is away, goes on when it is back, and sells nothing twice', async () => {
    const first = await start();
    const window = attach();
    await window.opened();
    const operationId = randomUUID();
    await window.ask('operation.earn', earn(operationId));
    // Its answer may be lost on the way: the page asks again under the same operation.
    const cut = window.handle({ command: 'operation.earn', input: earn(operationId) });
    await first.stop('SIGKILL');
    await cut;
    await expect.poll(() => window.state.kind).toBe('lost');
    expect(await window.handle({ command: 'operation.earn', input: earn(operationId) })).toMatchObject({
      error: { code: 'agent_gone' },
    });
    await start();
    await window.opened();
    expect(await window.ask('operation.earn', earn(operationId))).toMatchObject({ duplicate: true });
    const { operations } = await window.ask('operations.recent', {});
    expect(operations).toHaveLength(1);
  });

  it('has its own cashier, apart from the window of another login', async () => {
    const agent = await start();
    const cashier = { by: 'test', name: 'Mona', employee_ref: 'emp-1', badge: 'B-100' };
    expect(await agent.office('people.add_cashier', cashier)).toMatchObject({ status: 200 });
    const [one, other] = [attach('mona'), attach('omar')];
    await Promise.all([one.opened(), other.opened()]);
    await one.ask('cashier.sign_in', { badge: 'B-100' });
    expect((await one.ask('state.read', {})).cashier).toMatchObject({ name: 'Mona' });
    expect((await other.ask('state.read', {})).cashier).toBeNull();
    const audit = readFileSync(join(dataDir, 'audit.jsonl'), 'utf8');
    for (const login of ['mona', 'omar']) expect(audit).toMatch(new RegExp(`"session":"window\\.${login}\\.`));
    one.close();
    const again = attach('mona');
    await again.opened();
    expect((await again.ask('state.read', {})).cashier).toBeNull();
  });

  it('is not stopped by a question that the agent would not take', async () => {
    await start();
    const window = attach();
    await window.opened();
    for (const message of [
      null,
      'x',
      { command: 1, input: {} },
      { command: 'operation.earn', input: 'x'.repeat(70_000) },
    ]) {
      expect(await window.handle(message)).toMatchObject({ error: { code: 'invalid' } });
    }
    expect(await window.handle({ command: 'nothing', input: {} })).toMatchObject({ error: { code: 'invalid' } });
    expect(window.state.kind).toBe('open');
  });
});

describe('who may attach', () => {
  it.skipIf(process.platform === 'win32')('is who may read the file of this run, which is gone after it', async () => {
    const shared = join(dataDir, '..', `${dataDir.split('/').at(-1)}-windows`);
    mkdirSync(shared, { mode: 0o750 });
    try {
      const agent = await start('--attach-folder', shared);
      expect(statSync(join(dataDir, 'attach.json')).mode & 0o777).toBe(0o600);
      expect(statSync(join(shared, 'attach.json')).mode & 0o777).toBe(0o640);
      const window = attach('mona', shared);
      await window.opened();
      const { key } = toldFacts(shared);
      const ended = await agent.stop();
      expect(ended.exitCode).toBe(0);
      for (const folder of [dataDir, shared]) expect(existsSync(join(folder, 'attach.json'))).toBe(false);
      expect(ended.stdout + ended.stderr + readFileSync(join(dataDir, 'logs', 'agent.log'), 'utf8')).not.toContain(key);
      await start('--attach-folder', shared);
      expect(toldFacts(shared).key).not.toBe(key);
      await window.opened();
    } finally {
      rmSync(shared, { recursive: true });
    }
  });

  it.skipIf(process.getuid?.() !== 0)('is not a user outside of the group', () => {
    const shared = join(dataDir, 'windows');
    mkdirSync(shared, { mode: 0o750 });
    tellWindows(shared, { port: 1, pid: 1, version, key: 'ab'.repeat(32) }, { isForGroup: true });
    const look = `import('./app/http/attach-file.ts').then(({ findAttach }) => console.log(findAttach(${JSON.stringify(shared)}).kind))`;
    const as = (uid: number) =>
      spawnSync(process.execPath, ['-e', look], {
        uid,
        gid: uid,
        encoding: 'utf8',
        cwd: join(import.meta.dirname, '../..'),
      });
    expect(as(0).stdout).toBe('found\n');
    expect(as(65_534).stdout).toBe('denied\n');
  });

  it('is not who proves another key', async () => {
    await start();
    const elsewhere = join(dataDir, 'support');
    tellWindows(elsewhere, { ...toldFacts(), key: 'ab'.repeat(32) }, { isForGroup: false });
    const window = attach('mallory', elsewhere);
    await expect.poll(() => readFileSync(join(dataDir, 'audit.jsonl'), 'utf8')).toContain('session_refused');
    expect(window.state.kind).toBe('lost');
  });

  it('is no page of a browser, and a program that offers HTTP/2 is answered as ever', async () => {
    const agent = await start();
    const { host, port } = new URL(agent.base_url);
    const upgrade = `Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n`;
    const ask = (path: string, headers: string) =>
      sendRaw(Number(port), `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`);
    expect(await ask('/v1/agent/window', `Upgrade: websocket\r\n${upgrade}Origin: http://${host}\r\n`)).toContain(
      ' 403 ',
    );
    expect(
      await ask('/healthz', `Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings, close\r\nHTTP2-Settings: AA\r\n`),
    ).toContain(' 200 ');
  });
});

describe('what an attached window believes', () => {
  it('is no other program on the port, which learns nothing', async () => {
    const stranger = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(stranger, 'listening');
    let heard = '';
    let met = 0;
    stranger.on('connection', (socket) => {
      met += 1;
      socket.on('message', (data: Buffer) => {
        heard += data.toString();
        socket.send(JSON.stringify({ proof: 'cd'.repeat(32) }));
      });
      socket.send(JSON.stringify({ challenge: 'ab'.repeat(32) }));
    });
    const key = 'ef'.repeat(32);
    const { port } = stranger.address() as AddressInfo;
    tellWindows(dataDir, { port, pid: 1, version, key }, { isForGroup: false });
    const window = attach();
    await expect.poll(() => met).toBeGreaterThan(1);
    expect(window.state.kind).toBe('lost');
    expect(await window.handle({ command: 'operation.earn', input: earn(randomUUID()) })).toMatchObject({ ok: false });
    for (const secret of [key, 'LC-1001']) expect(heard).not.toContain(secret);
    window.close();
    for (const client of stranger.clients) client.terminate();
    stranger.close();
  });

  it('is an agent of its own version alone, and says which one is there', async () => {
    await start();
    const window = attach('mona', dataDir, '9.9.9');
    await expect.poll(() => window.state).toEqual({ kind: 'other_version', version });
    expect(await window.handle({ command: 'state.read', input: {} })).toMatchObject({ error: { code: 'agent_gone' } });
  });
});

describe('an open window after an update', () => {
  it('starts again by itself, once', async () => {
    const agent = await start();
    let isUpdated = false;
    // The next agent is of another version.
    const find = (folder: string): FoundAttach => {
      const found = findAttach(folder);
      return isUpdated && found.kind === 'found' ? { ...found, facts: { ...found.facts, version: '9.9.9' } } : found;
    };
    const till = attachTill({ folder: dataDir, version, name: newWindowName('mona'), find });
    await expect.poll(() => till.state.kind).toBe('open');
    const done: string[] = [];
    startAgainForUpdate(() => void done.push('start_again'), till);
    await agent.stop('SIGKILL');
    await expect.poll(() => till.state.kind).toBe('lost');
    expect(done).toEqual([]);
    isUpdated = true;
    await start();
    await expect.poll(() => done).toEqual(['start_again']);
    till.close();
  });
});

describe('the agent of a window', () => {
  const environment = { XDG_DATA_HOME: '/home/mona/data', TILLBRIDGE_DATA_DIR: '' };
  const service = () => ({ description: join(dataDir, 'unit'), dataDir: '/srv/till', attachFolder: '/run/till' });

  it('is the machine’s where its service is installed, and else the login’s own', () => {
    const own = '/home/mona/data/tillbridge';
    expect(windowPlace(new Map(), environment, service())).toEqual({
      dataDir: own,
      attachFolder: own,
      isOfService: false,
      windowDir: own,
    });
    writeFileSync(join(dataDir, 'unit'), '');
    expect(windowPlace(new Map(), environment, service())).toEqual({
      dataDir: '/srv/till',
      attachFolder: '/run/till',
      isOfService: true,
      windowDir: '/home/mona/data/tillbridge/shared-machine',
    });
  });

  it('is the one that is named', () => {
    writeFileSync(join(dataDir, 'unit'), '');
    expect(windowPlace(new Map([['data-dir', '/elsewhere']]), environment, service())).toMatchObject({
      dataDir: '/elsewhere',
      isOfService: false,
    });
    expect(windowPlace(new Map([['attach-folder', '/run/other']]), environment, service())).toMatchObject({
      attachFolder: '/run/other',
      isOfService: true,
    });
  });
});

describe('the start of a window', () => {
  const place = () => ({ dataDir, attachFolder: dataDir, isOfService: false, windowDir: dataDir });

  it('has an agent of its own where none runs', async () => {
    expect(await attachAtStart(place())).toEqual({ kind: 'host' });
  });

  it('attaches to an agent that runs on its data folder', async () => {
    await start();
    const outcome = await attachAtStart(place());
    if (outcome.kind !== 'attached') throw new Error(outcome.kind);
    expect(outcome.till.state).toEqual({ kind: 'open' });
    outcome.till.close();
  });

  it('waits for a command that has the data folder, and has an agent of its own then', async () => {
    const unlock = lockDataFolder(dataDir);
    setTimeout(unlock, 300);
    expect(await attachAtStart(place())).toEqual({ kind: 'host' });
    expect(isDataFolderLocked(dataDir)).toBe(false);
  });

  it('says what to do about an agent of another version, or an older one that knows no windows', async () => {
    await start();
    const facts = toldFacts();
    writeFileSync(join(dataDir, 'attach.json'), JSON.stringify({ ...facts, version: '0.0.9' }));
    expect(await attachAtStart(place())).toMatchObject({
      kind: 'refused',
      exitCode: 3,
      problems: [expect.stringContaining('is version 0.0.9')],
    });
    rmSync(join(dataDir, 'attach.json'));
    expect(await attachAtStart(place(), 200)).toMatchObject({
      kind: 'refused',
      exitCode: 3,
      problems: [expect.stringContaining('lets no window in')],
    });
  });

  it('waits for a service that is away, and never starts a second agent beside it', async () => {
    const outcome = await attachAtStart({ ...place(), isOfService: true }, 200);
    if (outcome.kind !== 'attached') throw new Error(outcome.kind);
    expect(outcome.till.state).toEqual({ kind: 'lost' });
    await start();
    await expect.poll(() => outcome.till.state.kind).toBe('open');
    outcome.till.close();
  });
});
