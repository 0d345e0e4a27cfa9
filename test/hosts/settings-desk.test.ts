import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deployedPath } from '../../app/config/deployed-file.ts';
import { loadSettings } from '../../app/config/load-settings.ts';
import { savedSettingsPath } from '../../app/config/saved-settings.ts';
import { SettingsDesk } from '../../app/config/settings-desk.ts';
import { fileSecretStore, readApiKeys } from '../../app/secrets.ts';
import { osSecretStore } from '../../main/os-secrets.ts';
import { newDataDir } from '../support/agent-process.ts';

let dataDir: string;
let waitingCount: number;
beforeEach(() => {
  dataDir = newDataDir();
  waitingCount = 0;
});
afterEach(() => rmSync(dataDir, { recursive: true }));

type Sources = Partial<Parameters<typeof loadSettings>[0]>;

function desk(sources: Sources = {}): SettingsDesk {
  return new SettingsDesk({
    sources: { dataDir, flags: {}, environment: {}, managedFile: null, ...sources },
    secrets: fileSecretStore(dataDir),
    waiting: () => ({ mode: 'sandbox', count: waitingCount }),
  });
}

const now = { isConfirmed: false };
const saved = () => JSON.parse(readFileSync(savedSettingsPath(dataDir), 'utf8'));
const fact = async (name: string, sources: Sources = {}) =>
  (await desk(sources).read()).find((setting) => setting.name === name);

describe('settings at the till', () => {
  it('tell who says each of them, and lock what a stronger source says', async () => {
    const managedFile = join(dataDir, 'managed.json');
    writeFileSync(managedFile, JSON.stringify({ branch_ref: 'b-9', bridge: { port: 7000 } }));
    await desk().change({ device_name: 'Front' }, now);
    const sources: Sources = { managedFile, environment: { TILLBRIDGE_LOCALE: 'ar' }, flags: { currency: 'USD' } };
    expect(await fact('device_name', sources)).toMatchObject({ value: 'Front', source: 'saved', locked: false });
    expect(await fact('branch_ref', sources)).toMatchObject({ value: 'b-9', source: 'managed', locked: true });
    expect(await fact('bridge.port', sources)).toMatchObject({ source: 'managed', locked: true });
    expect(await fact('locale', sources)).toMatchObject({ source: 'environment', locked: true });
    expect(await fact('currency', sources)).toMatchObject({ source: 'flag', locked: true });
    expect(await fact('time_zone', sources)).toMatchObject({ source: 'default', locked: false });
    expect(await desk(sources).change({ branch_ref: 'x', device_name: 'Back' }, now)).toEqual({
      kind: 'refused',
      problems: [{ field: 'branch_ref', problem: 'is locked: the deployed settings file says it' }],
    });
    expect(saved()).toEqual({ device_name: 'Front' });
  });

  it('are saved all or none, and every bad field is named', async () => {
    const outcome = await desk().change(
      { device_name: 'Front', currency: 'nonsense', 'bridge.port': 'x', colour: 1 },
      now,
    );
    expect(outcome).toMatchObject({ kind: 'refused', problems: [{ field: 'colour' }] });
    const two = await desk().change({ device_name: 'Front', currency: 'nonsense', 'bridge.port': 'x' }, now);
    expect(new Set(two.kind === 'refused' ? two.problems.map(({ field }) => field) : [])).toEqual(
      new Set(['bridge.port', 'currency']),
    );
    expect(await fact('device_name')).toMatchObject({ source: 'default' });
  });

  it('go back to what they were without one', async () => {
    await desk().change({ 'limits.max_queue': 5, 'limits.max_amount_minor': 6 }, now);
    await desk().change({ 'limits.max_queue': null }, now);
    expect(saved()).toEqual({ limits: { max_amount_minor: 6 } });
  });

  it('keep the key in the secret store, one for each mode, and never show it', async () => {
    expect(await desk().change({ api_key: 'loyalty_pk_live_abcdefgh1234' }, now)).toMatchObject({
      kind: 'refused',
      problems: [{ field: 'api_key' }],
    });
    expect(await desk().change({ api_key: 'loyalty_pk_test_abcdefgh1234' }, now)).toEqual({ kind: 'saved' });
    expect(readFileSync(savedSettingsPath(dataDir), 'utf8')).not.toContain('abcdefgh');
    expect(await fact('api_key')).toEqual({
      name: 'api_key',
      value: 'loyalty_pk_test_…1234',
      source: 'saved',
      locked: false,
    });
    const toProduction = { mode: 'production', base_url: 'https://loyalty.example/v1' };
    expect(await desk().change(toProduction, now)).toMatchObject({ kind: 'refused', problems: [{ field: 'api_key' }] });
    expect(await desk().change({ ...toProduction, api_key: 'loyalty_pk_live_qqqqqqqq9999' }, now)).toEqual({
      kind: 'saved',
    });
    expect(await readApiKeys(fileSecretStore(dataDir))).toEqual({
      sandbox: 'loyalty_pk_test_abcdefgh1234',
      production: 'loyalty_pk_live_qqqqqqqq9999',
    });
    const sources = { dataDir, flags: {}, environment: {}, managedFile: null };
    const loaded = loadSettings({ ...sources, savedKeys: await readApiKeys(fileSecretStore(dataDir)) });
    expect(loaded).toMatchObject({ settings: { mode: 'production', api_key: 'loyalty_pk_live_qqqqqqqq9999' } });
  });

  it('of a file that holds a key move it to the secret store', async () => {
    writeFileSync(savedSettingsPath(dataDir), JSON.stringify({ api_key: 'loyalty_pk_test_old_key_1', locale: 'ar' }));
    expect(await desk().change({ device_name: 'Front' }, now)).toEqual({ kind: 'saved' });
    expect(saved()).toEqual({ locale: 'ar', device_name: 'Front' });
    expect(await fact('api_key')).toMatchObject({ source: 'saved', value: 'loyalty_pk_test_…ey_1' });
  });

  it('that concern what waits say how many, and want to be confirmed', async () => {
    waitingCount = 7;
    const patch = { api_key: 'loyalty_pk_test_abcdefgh1234' };
    expect(await desk().change(patch, now)).toEqual({
      kind: 'needs_confirmation',
      waiting: { mode: 'sandbox', count: 7 },
    });
    expect(await fact('api_key')).toMatchObject({ value: null });
    expect(await desk().change({ device_name: 'Front' }, now)).toEqual({ kind: 'saved' });
    expect(await desk().change(patch, { isConfirmed: true })).toEqual({ kind: 'saved' });
    // The same again changes nothing for what waits.
    expect(await desk().change(patch, now)).toEqual({ kind: 'saved' });
  });
});

describe('where store IT puts the settings', () => {
  it('is a place of each platform', () => {
    expect(deployedPath({}, 'linux')).toBe('/etc/tillbridge/settings.json');
    expect(deployedPath({}, 'darwin')).toBe('/Library/Application Support/Tillbridge/settings.json');
    expect(deployedPath({ PROGRAMDATA: 'D:\\Data' }, 'win32')).toContain('D:\\Data');
  });
});

describe('keys that the operating system seals', () => {
  const sealer = {
    isEncryptionAvailable: () => true,
    encryptString: (text: string) => Buffer.from(`sealed ${text}`).reverse(),
    decryptString: (sealed: Buffer) => Buffer.from(sealed).reverse().toString().replace('sealed ', ''),
  };

  it('do not stand in the file, and only the app that sealed them reads them', async () => {
    const file = fileSecretStore(dataDir);
    const store = osSecretStore(file, sealer);
    await store.set('api_key.sandbox', 'loyalty_pk_test_abcdefgh1234');
    await store.set('bridge_token', 'tillbridge_token');
    expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).not.toContain('abcdefgh');
    expect(await readApiKeys(store)).toEqual({ sandbox: 'loyalty_pk_test_abcdefgh1234' });
    expect(await readApiKeys(file)).toEqual({});
    expect(await file.get('bridge_token')).toBe('tillbridge_token');
    const stranger = {
      ...sealer,
      decryptString: () => {
        throw new Error('not yours');
      },
    };
    expect(await osSecretStore(file, stranger).get('api_key.sandbox')).toBeNull();
    await store.remove('api_key.sandbox');
    expect(await store.get('api_key.sandbox')).toBeNull();
  });

  it('are kept in the open where the system seals nothing', async () => {
    const store = osSecretStore(fileSecretStore(dataDir), { ...sealer, isEncryptionAvailable: () => false });
    await store.set('api_key.sandbox', 'loyalty_pk_test_abcdefgh1234');
    expect(await fileSecretStore(dataDir).get('api_key.sandbox')).toBe('loyalty_pk_test_abcdefgh1234');
  });
});
