import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { isInTheWay, leftBehindWords, lookForLeftBehind } from '../../app/commands/service/left-behind.ts';
import { waitingCounts } from '../../app/commands/waiting-words.ts';
import { asStartingLogin } from '../../app/machine/starting-login.ts';
import { CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

// A login that sold without a service has its sales in its own folder, where a service never looks.

const nobody = 65_534;
const isAdministrator = process.getuid?.() === 0;
const isInstalled = existsSync('/etc/systemd/system/tillbridge.service');

/** Where a login on Linux keeps its data; below it the folder of its agent. */
let home: string;
let dataDir: string;
beforeEach(() => {
  home = newDataDir();
  dataDir = join(home, 'tillbridge');
  mkdirSync(dataDir);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const look = (environment: Readonly<Record<string, string>> = {}) =>
  lookForLeftBehind({ XDG_DATA_HOME: home, ...environment });
const install = (environment: Readonly<Record<string, string>>, ...flags: readonly string[]) =>
  new CommandProcess(['tillbridge', 'service', 'install', ...flags], { XDG_DATA_HOME: home, ...environment }).ended;

/** Sales that have no connection, of the login's own agent. */
async function sellOffline(mode: 'production' | 'sandbox', ...references: readonly string[]) {
  const settings = { mode, base_url: 'http://127.0.0.1:9/v1' };
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify(settings));
  const kind = mode === 'production' ? 'live' : 'test';
  const environment = { TILLBRIDGE_API_KEY: `loyalty_pk_${kind}_left` };
  const agent = await startAgentProcess({ dataDir, environment });
  for (const external_ref of references) {
    const body = { identifier: { loyalty_id: 'LC-1' }, external_ref, amount_minor: 1_000 };
    expect((await agent.call('POST', '/transactions/earn', body)).status).toBe(202);
  }
  return agent;
}

describe.skipIf(process.platform !== 'linux' || isInstalled)('a login’s own folder', () => {
  it('keeps the service from being installed while its agent has sales to send, and says where and what to do', async () => {
    const agent = await sellOffline('production', 'R-1', 'R-2');
    const line = `Not installed: 2 operations of production mode waiting in ${dataDir}, the folder of this login's own agent. The service does not send them. As this login, open Tillbridge with --port 0 --data-dir "${dataDir}", until npm run --silent tillbridge -- status with this --data-dir shows Waiting 0, then install the service. --yes installs it, and leaves them there.\n`;
    const refused = { exitCode: 3, stdout: '', stderr: line };
    expect(await install({})).toMatchObject(refused);
    await agent.stop();
    expect(await install({}, '--json')).toMatchObject(refused);
    // These two go on to the next hurdle, or would install.
    expect((await install({}, '--print')).exitCode).toBe(0);
    if (!existsSync('/run/systemd/system')) expect((await install({}, '--yes')).stderr).toContain('No systemd runs');
  });

  it('is also the one that the environment names, beside that of the platform', async () => {
    await (await sellOffline('production', 'R-1')).stop();
    const named = { XDG_DATA_HOME: join(home, 'elsewhere'), TILLBRIDGE_DATA_DIR: dataDir };
    const refused = await install(named);
    expect(refused).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining(`waiting in ${dataDir}, the folder`),
    });
    const inNamed = join(home, 'named');
    mkdirSync(inNamed);
    writeFileSync(join(inNamed, 'sandbox.sqlite'), 'no database');
    const both = look({ TILLBRIDGE_DATA_DIR: inNamed });
    expect(both.map((left) => left.dataDir)).toEqual([inNamed, dataDir]);
    expect(both.map((left) => isInTheWay(left, { isFirst: true }))).toEqual([false, true]);
    expect((await install({ TILLBRIDGE_DATA_DIR: inNamed })).stderr).toContain(`waiting in ${dataDir}, the folder`);
    expect(look({ TILLBRIDGE_DATA_DIR: '' })).toHaveLength(1);
    expect(look({ TILLBRIDGE_DATA_DIR: dataDir })).toHaveLength(1);
  });

  it.skipIf(!isAdministrator)('is found behind sudo and pkexec, and left as the login’s', async () => {
    await (await sellOffline('production', 'R-1')).stop();
    for (const file of ['.', ...readdirSync(dataDir)]) chownSync(join(dataDir, file), nobody, nobody);
    chownSync(home, nobody, nobody);
    for (const name of ['SUDO_UID', 'PKEXEC_UID']) {
      const refused = await install({ [name]: String(nobody) });
      expect(refused).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('1 operation of production mode') });
    }
    const owners = readdirSync(dataDir).map((file) => statSync(join(dataDir, file)).uid);
    expect(new Set(owners)).toEqual(new Set([nobody]));
  });

  it('with nothing that waits keeps nobody from anything', async () => {
    expect(look()).toEqual([]);
    await (await sellOffline('production')).stop();
    expect(look()).toEqual([]);
  });

  it('with practice that waits is told of, and no more', async () => {
    await (await sellOffline('sandbox', 'R-1')).stop();
    const [left] = look();
    if (left === undefined) return expect.fail();
    expect(left).toEqual({ dataDir, waiting: { sandbox: 1, production: 0 } });
    expect(isInTheWay(left, { isFirst: true })).toBe(false);
  });
});

test('a database that cannot be read may hold sales', () => {
  writeFileSync(join(dataDir, 'production.sqlite'), 'no database');
  const [left] = look();
  if (left === undefined) return expect.fail();
  expect(left.waiting).toEqual({ sandbox: 0, production: null });
  expect(isInTheWay(left, { isFirst: true })).toBe(true);
  expect(leftBehindWords(left)).toContain('nobody knows how many operations of production mode');
  expect(waitingCounts(left.waiting)).toBe('0 in sandbox mode, unknown in production mode');
});

test('a service that is installed can be repaired, and what was left behind before is told', () => {
  const left = { dataDir: '/home/mona/.local/share/tillbridge', waiting: { sandbox: 0, production: 1 } };
  expect(isInTheWay(left, { isFirst: true })).toBe(true);
  expect(isInTheWay(left, { isFirst: false })).toBe(false);
  expect(leftBehindWords(left)).toMatch(/^Left behind: 1 operation of production mode waiting in \/home\/mona\//);
});

test.skipIf(!isAdministrator || !isMainThread)('whoever became the administrator is looked at as themselves', () => {
  const { uid, homedir } = userInfo();
  const seen = (environment: Readonly<Record<string, string>>) =>
    asStartingLogin(environment, (theirs) => ({ theirs, user: process.geteuid?.() }));
  expect(seen({ SUDO_UID: String(nobody) })).toEqual({ theirs: expect.not.stringMatching(homedir), user: nobody });
  expect(seen({ SUDO_UID: '4000111' })).toEqual({ theirs: null, user: 4_000_111 });
  for (const environment of [{}, { SUDO_UID: '0' }, { PKEXEC_UID: 'mona' }]) {
    expect(seen(environment)).toMatchObject({ user: uid });
  }
  expect(process.geteuid?.()).toBe(uid);
});
