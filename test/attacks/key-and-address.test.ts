import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostAgent } from '../../app/commands/host.ts';
import { layerFaults } from '../../app/config/layers.ts';
import { loadSettings, type SettingsSources } from '../../app/config/load-settings.ts';
import { SettingsEditor } from '../../app/config/settings-editor.ts';
import { unsafeEnvironment } from '../../app/config/unsafe-environment.ts';
import { testConnection } from '../../app/doctor/check-connection.ts';
import { isBarredAddress, lookUpUnbarred } from '../../app/http/barred-addresses.ts';
import { systemClock } from '../../app/machine/clock.ts';
import { fileSecretStore, readApiKeys } from '../../app/machine/secrets.ts';
import { SettingsCommands } from '../../app/till/settings.ts';
import { newDataDir } from '../support/agent-process.ts';
import { FakeCore } from '../support/fake-core.ts';
import { noSettings } from '../support/fake-settings.ts';
import { standardLine } from '../support/standard-line.ts';

const liveKey = 'loyalty_pk_live_qqqqqqqq9999';
const testKey = 'loyalty_pk_test_abcdefgh1234';
const ours = 'https://loyalty.example/v1';
const now = { isConfirmed: false };

let dataDir: string;
let thief: Server;
/** What reached the address that somebody would like the key to go to. */
let stolen: (string | undefined)[];
let thiefAddress: string;
beforeEach(async () => {
  dataDir = newDataDir();
  stolen = [];
  thief = createServer(({ headers }, response) => {
    stolen.push(headers.authorization);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
  }).listen(0, '127.0.0.1');
  await once(thief, 'listening');
  thiefAddress = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/v1`;
});
afterEach(() => {
  thief.close();
  rmSync(dataDir, { recursive: true });
});

type Sources = Partial<SettingsSources>;
const sourcesOf = (more: Sources = {}): SettingsSources => ({
  dataDir,
  flags: {},
  environment: {},
  managedFile: null,
  ...more,
});

function editor(sources: Sources = {}): SettingsEditor {
  return new SettingsEditor({
    sources: () => sourcesOf(sources),
    secrets: fileSecretStore(dataDir),
    waiting: () => ({ sandbox: 0, production: 0 }),
    running: null,
    isPackaged: false,
  });
}

function screen(sources: Sources = {}): SettingsCommands {
  const settings = editor(sources);
  const room = {
    ...noSettings,
    read: () => settings.read(),
    change: settings.change.bind(settings),
    preview: settings.preview.bind(settings),
    testConnection: (service: { readonly baseUrl: string; readonly apiKey: string }) =>
      testConnection({ ...service, tls: standardLine, clock: systemClock() }),
  };
  return new SettingsCommands(new FakeCore(), room, (error) => {
    throw error;
  });
}

const load = async (more: Sources = {}) =>
  loadSettings({ ...sourcesOf(more), savedKeys: await readApiKeys(fileSecretStore(dataDir)) });

const inProduction = { mode: 'production', base_url: ours, api_key: liveKey };

describe('an API key', () => {
  it('is sent to no other address by a test of the connection, nor kept for one, and the field says so', async () => {
    expect(await editor().change(inProduction, now)).toMatchObject({ kind: 'saved' });
    const refused = {
      kind: 'refused',
      problems: [{ field: 'api_key', problem: expect.stringContaining(ours.slice(0, 23)) }],
    };
    for (const base_url of [
      thiefAddress,
      'https://loyalty.example:8443/v1',
      'https://loyalty.example.evil.example/v1',
    ]) {
      expect(await screen().testConnection({ patch: { base_url } })).toEqual({ ok: true, value: refused });
      expect(await screen().change({ patch: { base_url }, confirmed: true })).toEqual({ ok: true, value: refused });
    }
    expect(stolen).toEqual([]);
    expect(await load()).toMatchObject({ settings: { base_url: ours, api_key: liveKey } });
  });

  it('goes to another address when it is entered again with it, and to another path of its own without', async () => {
    await editor().change(inProduction, now);
    const moved = { base_url: thiefAddress, api_key: liveKey };
    expect(await screen().testConnection({ patch: moved })).toMatchObject({ value: { kind: 'tested' } });
    expect(stolen).toEqual([`Bearer ${liveKey}`]);
    expect(await editor().change(moved, now)).toMatchObject({ kind: 'saved' });
    expect(await editor().change({ base_url: thiefAddress.replace('/v1', '/other/v1') }, now)).toMatchObject({
      kind: 'saved',
    });
    expect(await editor().change({ base_url: ours }, now)).toMatchObject({ kind: 'refused' });
  });

  it('comes back with its own address after a time in the sandbox', async () => {
    await editor().change(inProduction, now);
    await editor().change({ mode: 'sandbox', base_url: null }, now);
    expect(await editor().change({ mode: 'production', base_url: thiefAddress }, now)).toMatchObject({
      kind: 'refused',
    });
    expect(await editor().change({ mode: 'production', base_url: ours }, now)).toMatchObject({ kind: 'saved' });
    expect(await load()).toMatchObject({ settings: { api_key: liveKey } });
  });

  it('stays at the till when the address is changed in a file: sales are saved, and the start says why', async () => {
    await editor().change(inProduction, now);
    const managedFile = join(dataDir, 'managed.json');
    writeFileSync(managedFile, JSON.stringify({ base_url: thiefAddress }));
    const loaded = await load({ managedFile });
    expect(loaded).toMatchObject({ settings: { base_url: thiefAddress, api_key: null } });
    expect(loaded).toMatchObject({ keyTrouble: expect.stringContaining('enter the key again') });
    const outcome = await hostAgent({
      values: new Map([
        ['data-dir', dataDir],
        ['port', '0'],
        ['config', managedFile],
      ]),
      environment: {},
      ui: false,
      rendererDir: '',
    });
    if (outcome.kind !== 'running') throw new Error(outcome.problems.join(' '));
    expect(outcome.notes.join('\n')).toContain('enter the key again');
    await outcome.agent.close();
    expect(stolen).toEqual([]);
  });

  it.each([
    ['in production mode', { mode: 'production', base_url: 'ADDRESS' }, null],
    ['while the till is in the sandbox', { mode: 'sandbox' }, { base_url: 'ADDRESS' }],
  ])(
    'that an earlier version has kept belongs to its address from the first start on: %s',
    async (_, saved, remembered) => {
      // As the version before wrote them: a key without its origin.
      const write = (name: string, content: object, address: string) =>
        writeFileSync(join(dataDir, name), JSON.stringify(content).replace('ADDRESS', address), { mode: 0o600 });
      write('secrets.json', { bridge_token: 'tillbridge_old', 'api_key.production': liveKey }, '');
      write('settings.json', saved, thiefAddress);
      if (remembered !== null) write('production.json', remembered, thiefAddress);
      const values = new Map(Object.entries({ 'data-dir': dataDir, port: '0' }));
      const started = await hostAgent({ values, environment: {}, ui: false, rendererDir: '' });
      if (started.kind !== 'running') throw new Error(started.problems.join(' '));
      expect(started.notes).toEqual([]);
      await started.agent.close();
      const { origins } = await readApiKeys(fileSecretStore(dataDir));
      expect(origins.production).toBe(new URL(thiefAddress).origin);
      // Somebody leads it elsewhere in the file: it stays at the till.
      write('settings.json', { mode: 'production', base_url: ours }, '');
      expect(await load()).toMatchObject({
        settings: { api_key: null },
        keyTrouble: expect.stringContaining('enter the key again'),
      });
    },
  );

  it('that store IT deploys is led nowhere else by who sits at the till', async () => {
    const managedFile = join(dataDir, 'managed.json');
    writeFileSync(managedFile, JSON.stringify({ mode: 'production', api_key: liveKey }));
    const given = { managedFile };
    expect(await editor(given).change({ base_url: ours }, now)).toMatchObject({ kind: 'saved' });
    const refused = {
      kind: 'refused',
      problems: [{ field: 'base_url', problem: expect.stringContaining('deployed') }],
    };
    expect(await screen(given).testConnection({ patch: { base_url: thiefAddress } })).toMatchObject({ value: refused });
    expect(stolen).toEqual([]);
  });

  it('for the sandbox that is built in goes to no other', async () => {
    expect(await editor().change({ api_key: testKey }, now)).toMatchObject({ kind: 'saved' });
    expect(await screen().testConnection({ patch: { base_url: thiefAddress } })).toMatchObject({
      value: { kind: 'refused', problems: [{ field: 'api_key' }] },
    });
    expect(stolen).toEqual([]);
  });

  it('follows no redirect', async () => {
    const sly = createServer((_request, response) => {
      response.writeHead(307, { location: `${thiefAddress}/transactions` }).end();
    }).listen(0, '127.0.0.1');
    await once(sly, 'listening');
    const baseUrl = `http://127.0.0.1:${(sly.address() as AddressInfo).port}/v1`;
    const lines = await testConnection({ baseUrl, apiKey: liveKey, tls: standardLine, clock: systemClock() });
    expect(lines[0]).toMatchObject({ verdict: 'something_else_answers' });
    expect(stolen).toEqual([]);
    sly.close();
  });
});

describe('an address', () => {
  it('of production begins with https, but on this machine', async () => {
    for (const base_url of ['http://loyalty.example/v1', 'http://192.168.1.9/v1', 'http://localhost.evil.example/v1']) {
      const refused = [{ field: 'base_url', problem: expect.stringMatching(/https.*Ask the loyalty provider/) }];
      expect(await editor().change({ ...inProduction, base_url }, now)).toEqual({ kind: 'refused', problems: refused });
    }
    for (const base_url of ['http://127.0.0.1:9/v1', 'http://localhost:9/v1', 'http://[::1]:9/v1']) {
      expect(await editor().change({ ...inProduction, base_url }, now)).toMatchObject({ kind: 'saved' });
    }
    const values = new Map([
      ['data-dir', newDataDir()],
      ['mode', 'production'],
      ['base-url', 'http://loyalty.example/v1'],
    ]);
    const started = await hostAgent({
      values,
      environment: { TILLBRIDGE_API_KEY: liveKey },
      ui: false,
      rendererDir: '',
    });
    expect(started).toMatchObject({
      kind: 'refused',
      exitCode: 2,
      problems: [expect.stringContaining('base_url: must begin')],
    });
  });

  it.each([
    'http://169.254.169.254/v1',
    'http://2852039166/v1',
    'http://0xa9.0xfe.0xa9.0xfe/v1',
    'https://[fe80::1]/v1',
    'https://[febf::1]/v1',
    'https://[::ffff:169.254.1.1]/v1',
    'http://[fd00:ec2::254]/v1',
    'http://100.100.100.200/v1',
    'http://metadata.google.internal/v1',
    'http://METADATA.google.internal./v1',
  ])('is never one that tells a machine’s secrets: %s', (base_url) => {
    expect(layerFaults({ base_url })).toEqual([expect.stringContaining('base_url: must not be a link-local')]);
  });

  it('may be one of a shop’s own network', () => {
    for (const base_url of ['http://192.168.1.9/v1', 'https://10.0.0.1/v1', 'https://[fd12::1]/v1', ours]) {
      expect(layerFaults({ base_url })).toEqual([]);
    }
  });

  it('whose name leads to such a one is not connected to', async () => {
    for (const address of ['169.254.169.254', 'fe80::1', '::ffff:169.254.0.1'])
      expect(isBarredAddress(address)).toBe(true);
    const found = await new Promise((resolve) => {
      lookUpUnbarred('169.254.169.254', { all: true }, (error) => resolve(error));
    });
    expect(found).toMatchObject({ code: 'EHOSTUNREACH', message: expect.stringContaining('link-local') });
    const well = await new Promise((resolve) => {
      lookUpUnbarred('127.0.0.1', { all: true }, (error, addresses) => resolve(error ?? addresses));
    });
    expect(well).toEqual([{ address: '127.0.0.1', family: 4 }]);
  });
});

describe('an environment that makes the line unsafe', () => {
  it.each([
    [{ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'NODE_TLS_REJECT_UNAUTHORIZED: is 0'],
    [{ NODE_OPTIONS: '--max-old-space-size=512 --tls-min-v1.0' }, '--tls-min-v1.0'],
    [{ NODE_OPTIONS: '--insecure-http-parser' }, '--insecure-http-parser'],
    [{ NODE_OPTIONS: '--inspect=0.0.0.0:9229' }, '--inspect=0.0.0.0:9229'],
    [{ NODE_OPTIONS: '--tls-keylog=/tmp/keys' }, '--tls-keylog=/tmp/keys'],
    [{ NODE_OPTIONS: '"--inspect=0"' }, '--inspect=0'],
    [{ NODE_OPTIONS: '--"inspect=0"' }, '--inspect=0'],
    [{ NODE_OPTIONS: '"--ins\\pect"' }, '--inspect'],
    [{ NODE_OPTIONS: '--tls_keylog=/tmp/the_keys' }, '--tls_keylog=/tmp/the_keys'],
    [{ NODE_OPTIONS: '--insecure_http_parser' }, '--insecure_http_parser'],
    [{ NODE_OPTIONS: '--tls_min_v1.0' }, '--tls_min_v1.0'],
    [{ NODE_OPTIONS: '--trace-tls' }, '--trace-tls'],
    [{ NODE_OPTIONS: '--tls-cipher-list=ALL:@SECLEVEL=0' }, '--tls-cipher-list'],
    [{ NODE_OPTIONS: '--openssl-legacy-provider' }, '--openssl-legacy-provider'],
    [{ NODE_OPTIONS: '--heapsnapshot-signal=SIGUSR2' }, '--heapsnapshot-signal'],
  ])('does not start in production: %j', async (environment, named) => {
    const values = new Map([
      ['data-dir', dataDir],
      ['mode', 'production'],
      ['base-url', ours],
      ['port', '0'],
    ]);
    const given = { ...environment, TILLBRIDGE_API_KEY: liveKey };
    const outcome = await hostAgent({ values, environment: given, ui: false, rendererDir: '' });
    if (outcome.kind === 'running') await outcome.agent.close();
    expect(outcome).toMatchObject({ kind: 'refused', exitCode: 2, problems: [expect.stringContaining(named)] });
    expect(JSON.stringify(outcome)).toContain('Remove it');
  });

  it.each(['--insecure_http_parser', '--inspect', '--inspect_brk=0', '--tls_min_v1.1'])(
    'is found in the options that Node was started with, too: %s',
    (option) => expect(unsafeEnvironment({}, [option])).toEqual([expect.stringContaining(option)]),
  );

  it('is none with a certificate authority of the shop’s own', () => {
    const environment = {
      NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
      NODE_TLS_REJECT_UNAUTHORIZED: '1',
      NODE_OPTIONS: '--max-old-space-size=512 --tls-min-v1.3 --title="no --inspect here"',
    };
    expect(unsafeEnvironment(environment, ['--disable-warning=ExperimentalWarning'])).toEqual([]);
  });
});
