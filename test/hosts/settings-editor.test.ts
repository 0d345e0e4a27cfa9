import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deployedPath, deployedSources } from '../../app/config/deployed-file.ts';
import { loadSettings } from '../../app/config/load-settings.ts';
import { savedSettingsPath } from '../../app/config/saved-settings.ts';
import { settingsSchema } from '../../app/config/settings.ts';
import { SettingsEditor, type SettingsEditorOptions } from '../../app/config/settings-editor.ts';
import { fileSecretStore, readApiKeys, type SecretStore } from '../../app/machine/secrets.ts';
import { electronSealer, osSecretStore, type SafeStorage, sealOpenKeys } from '../../main/os-secrets.ts';
import type { WaitingByMode } from '../../shared/till/settings-views.ts';
import { newDataDir } from '../support/agent-process.ts';

let dataDir: string;
let waiting: WaitingByMode;
beforeEach(() => {
  dataDir = newDataDir();
  waiting = { sandbox: 0, production: 0 };
});
afterEach(() => rmSync(dataDir, { recursive: true }));

type Sources = Partial<Parameters<typeof loadSettings>[0]>;

function editor(sources: Sources = {}, more: Partial<SettingsEditorOptions> = {}): SettingsEditor {
  return new SettingsEditor({
    sources: () => ({ dataDir, flags: {}, environment: {}, managedFile: null, ...sources }),
    secrets: fileSecretStore(dataDir),
    waiting: () => waiting,
    running: null,
    isPackaged: false,
    ...more,
  });
}

const now = { isConfirmed: false };
const saved = () => JSON.parse(readFileSync(savedSettingsPath(dataDir), 'utf8'));
const fact = async (name: string, sources: Sources = {}) =>
  (await editor(sources).read()).settings.find((setting) => setting.name === name);
const done = { kind: 'saved', restart_needed: false };
const testKey = 'loyalty_pk_test_abcdefgh1234';
const liveKey = 'loyalty_pk_live_qqqqqqqq9999';
const toProduction = { mode: 'production', base_url: 'https://loyalty.example/v1' };

describe('settings at the till', () => {
  it('tell who says each of them, and lock what a stronger source says', async () => {
    const managedFile = join(dataDir, 'managed.json');
    writeFileSync(managedFile, JSON.stringify({ branch_ref: 'b-9', bridge: { port: 7000 } }));
    await editor().change({ device_name: 'Front' }, now);
    const sources: Sources = { managedFile, environment: { TILLBRIDGE_LOCALE: 'ar' }, flags: { currency: 'USD' } };
    expect(await fact('device_name', sources)).toMatchObject({ value: 'Front', source: 'saved', locked: false });
    expect(await fact('branch_ref', sources)).toMatchObject({ value: 'b-9', source: 'managed', locked: true });
    expect(await fact('bridge.port', sources)).toMatchObject({ source: 'managed', locked: true });
    expect(await fact('locale', sources)).toMatchObject({ source: 'environment', locked: true });
    expect(await fact('currency', sources)).toMatchObject({ source: 'flag', locked: true });
    expect(await fact('time_zone', sources)).toMatchObject({ source: 'default', locked: false });
    expect(await editor(sources).change({ branch_ref: 'x', device_name: 'Back' }, now)).toEqual({
      kind: 'refused',
      problems: [{ field: 'branch_ref', problem: 'is locked: set by the deployed settings file' }],
    });
    expect(saved()).toEqual({ device_name: 'Front' });
  });

  it('are saved all or none, and every bad field is named', async () => {
    const outcome = await editor().change(
      { device_name: 'Front', currency: 'nonsense', 'bridge.port': 'x', colour: 1 },
      now,
    );
    expect(outcome).toMatchObject({ kind: 'refused', problems: [{ field: 'colour' }] });
    const two = await editor().change({ device_name: 'Front', currency: 'nonsense', 'bridge.port': 'x' }, now);
    expect(new Set(two.kind === 'refused' ? two.problems.map(({ field }) => field) : [])).toEqual(
      new Set(['bridge.port', 'currency']),
    );
    expect(await fact('device_name')).toMatchObject({ source: 'default' });
  });

  it('stand all when several are changed at once, the language with them', async () => {
    const secrets = fileSecretStore(dataDir);
    const get = async (name: string) => {
      await new Promise((resolve) => setImmediate(resolve));
      return secrets.get(name);
    };
    const slow = editor({}, { secrets: { ...secrets, get } });
    await Promise.all([
      slow.change({ device_name: 'Front' }, now),
      slow.change({ colour: 1 }, now),
      slow.change({ branch_ref: 'b-9' }, now),
      slow.saveLocale('ar'),
    ]);
    expect(saved()).toEqual({ device_name: 'Front', branch_ref: 'b-9', locale: 'ar' });
  });

  it('go back to what they were without one', async () => {
    await editor().change({ 'limits.max_queue': 5, 'limits.max_amount_minor': 6 }, now);
    await editor().change({ 'limits.max_queue': null }, now);
    expect(saved()).toEqual({ limits: { max_amount_minor: 6 } });
  });

  it('keep the key in the secret store, one for each mode, and never show it', async () => {
    expect(await editor().change({ api_key: 'loyalty_pk_live_abcdefgh1234' }, now)).toMatchObject({
      kind: 'refused',
      problems: [{ field: 'api_key' }],
    });
    expect(await editor().change({ api_key: 'loyalty_pk_test_abcdefgh1234' }, now)).toEqual(done);
    expect(readFileSync(savedSettingsPath(dataDir), 'utf8')).not.toContain('abcdefgh');
    expect(await fact('api_key')).toEqual({
      name: 'api_key',
      value: 'loyalty_pk_test_…1234',
      source: 'saved',
      locked: false,
    });
    expect(await editor().change(toProduction, now)).toMatchObject({
      kind: 'refused',
      problems: [{ field: 'api_key' }],
    });
    expect(await editor().change({ ...toProduction, api_key: liveKey }, now)).toEqual(done);
    expect(await readApiKeys(fileSecretStore(dataDir))).toEqual({
      keys: { sandbox: testKey, production: liveKey },
      sealed: [],
      origins: { sandbox: 'built-in', production: 'https://loyalty.example' },
    });
    const sources = { dataDir, flags: {}, environment: {}, managedFile: null };
    const loaded = loadSettings({ ...sources, savedKeys: await readApiKeys(fileSecretStore(dataDir)) });
    expect(loaded).toMatchObject({ settings: { mode: 'production', api_key: 'loyalty_pk_live_qqqqqqqq9999' } });
  });

  it('of a file that holds a key move it to the secret store', async () => {
    writeFileSync(savedSettingsPath(dataDir), JSON.stringify({ api_key: 'loyalty_pk_test_old_key_1', locale: 'ar' }));
    expect(await editor().change({ device_name: 'Front' }, now)).toEqual(done);
    expect(saved()).toEqual({ locale: 'ar', device_name: 'Front' });
    expect(await fact('api_key')).toMatchObject({ source: 'saved', value: 'loyalty_pk_test_…ey_1' });
  });

  it('that concern what waits say how many, and want to be confirmed', async () => {
    waiting = { sandbox: 7, production: 2 };
    const patch = { api_key: testKey };
    expect(await editor().change(patch, now)).toEqual({
      kind: 'needs_confirmation',
      waiting: { sandbox: 7, production: 0 },
    });
    expect(await fact('api_key')).toMatchObject({ value: null });
    expect(await editor().change({ device_name: 'Front' }, now)).toEqual(done);
    expect(await editor().change(patch, { isConfirmed: true })).toEqual(done);
    // The same again changes nothing for what waits.
    expect(await editor().change(patch, now)).toEqual(done);
    expect(await editor().change({ ...toProduction, api_key: liveKey }, now)).toEqual({
      kind: 'needs_confirmation',
      waiting: { sandbox: 7, production: 2 },
    });
    expect(await fact('mode')).toMatchObject({ value: 'sandbox' });
    expect((await readApiKeys(fileSecretStore(dataDir))).keys.production).toBeUndefined();
    waiting = { sandbox: 0, production: 0 };
    expect(await editor().change({ ...toProduction, api_key: liveKey }, now)).toEqual(done);
  });

  it('that concern a database that nobody can read want to be confirmed, too', async () => {
    waiting = { sandbox: 0, production: null };
    expect(await editor().change({ api_key: testKey }, now)).toEqual(done);
    const patch = { ...toProduction, api_key: liveKey };
    expect(await editor().change(patch, now)).toEqual({ kind: 'needs_confirmation', waiting });
    expect(await editor().change(patch, { isConfirmed: true })).toEqual(done);
  });

  it.each([5, '', true, ['loyalty_pk_test_x']])('take no %j for a key', async (api_key) => {
    await editor().change({ api_key: testKey }, now);
    expect(await editor().change({ api_key, device_name: 'Front' }, now)).toMatchObject({
      kind: 'refused',
      problems: [{ field: 'api_key' }],
    });
    expect(await fact('api_key')).toMatchObject({ value: 'loyalty_pk_test_…1234' });
    expect(await fact('device_name')).toMatchObject({ source: 'default' });
  });

  it('say that a running agent needs a restart, until it was started with them', async () => {
    const running = settingsSchema.parse({});
    const office = editor({}, { running });
    expect((await office.read()).restart_needed).toBe(false);
    expect(await office.change({ device_name: 'Front' }, now)).toEqual({ kind: 'saved', restart_needed: true });
    expect((await office.read()).restart_needed).toBe(true);
    const later = editor({}, { running: settingsSchema.parse({ device_name: 'Front' }) });
    expect((await later.read()).restart_needed).toBe(false);
  });

  it('need no restart for the language, which is told at once', async () => {
    const told: string[] = [];
    const office = editor({}, { running: settingsSchema.parse({}), onSaved: ({ locale }) => told.push(locale) });
    expect(await office.change({ locale: 'ar' }, now)).toEqual(done);
    expect(told).toEqual(['ar']);
  });

  it('tell how many wait in each mode, and what is wrong with a file that is not used', async () => {
    waiting = { sandbox: 1, production: 2 };
    writeFileSync(savedSettingsPath(dataDir), '{}');
    expect(await editor().change({ device_name: 'Front' }, now)).toEqual(done);
    writeFileSync(savedSettingsPath(dataDir), '{');
    const view = await editor().read();
    expect(view).toMatchObject({ waiting, problems: [] });
    expect(view.warnings[0]).toContain('half of the file is missing');
    // What was saved last is what is used instead.
    expect(view.settings.find(({ name }) => name === 'device_name')).toMatchObject({ value: 'Front' });
    const outcome = await editor().change({ device_name: 'Back' }, now);
    expect(outcome).toMatchObject({ kind: 'refused', problems: [{ field: '' }] });
    expect(readFileSync(savedSettingsPath(dataDir), 'utf8')).toBe('{');
  });

  it('that refuse a start say why instead', async () => {
    const view = await editor({ environment: { TILLBRIDGE_MODE: 'production' } }).read();
    expect(view.settings).toEqual([]);
    expect(view.problems.map(({ field }) => field)).toEqual(['base_url', 'api_key']);
  });

  it('of a file with a name that no setting has can be repaired by taking it back', async () => {
    writeFileSync(savedSettingsPath(dataDir), JSON.stringify({ colour: 'red', locale: 'ar' }));
    expect(await editor().change({ device_name: 'Front' }, now)).toMatchObject({ problems: [{ field: 'colour' }] });
    expect(await editor().change({ colour: null }, now)).toEqual(done);
    expect(saved()).toEqual({ locale: 'ar' });
  });

  it('keep their old key when the file cannot be written', async () => {
    await editor().change({ api_key: testKey }, now);
    rmSync(savedSettingsPath(dataDir));
    // Nobody can put a file where a folder is.
    const secrets = fileSecretStore(dataDir);
    const trapped: SecretStore = {
      ...secrets,
      async change(changes) {
        await secrets.change(changes);
        mkdirSync(savedSettingsPath(dataDir), { recursive: true });
      },
    };
    await expect(editor({}, { secrets: trapped }).change({ api_key: 'loyalty_pk_test_other' }, now)).rejects.toThrow();
    expect((await readApiKeys(secrets)).keys.sandbox).toBe(testKey);
  });

  it('keep a key and the address that it is for in one write: a power cut in between would send it to the old one', async () => {
    await editor().change({ ...toProduction, api_key: liveKey }, now);
    const secrets = fileSecretStore(dataDir);
    const stood: unknown[] = [];
    const watched: SecretStore = {
      ...secrets,
      async change(changes) {
        await secrets.change(changes);
        const { keys, origins } = await readApiKeys(secrets);
        stood.push([keys.production, origins.production]);
      },
    };
    const other = { base_url: 'https://other.example/v1', api_key: 'loyalty_pk_live_other' };
    expect(await editor({}, { secrets: watched }).change(other, now)).toEqual(done);
    expect(stood).toEqual([['loyalty_pk_live_other', 'https://other.example']]);
  });

  it('keep a lost file’s other fields when one is changed', async () => {
    await editor().change({ ...toProduction, api_key: liveKey }, now);
    rmSync(savedSettingsPath(dataDir));
    expect(await editor().change({ device_name: 'Front' }, now)).toEqual(done);
    expect(saved()).toEqual({ ...toProduction, device_name: 'Front' });
  });
});

describe('the question which mode a till is for', () => {
  it('is asked by a packaged app, until it was answered', async () => {
    expect((await editor().read()).asks_mode).toBe(false);
    const packaged = (sources: Sources = {}) => editor(sources, { isPackaged: true });
    expect((await packaged().read()).asks_mode).toBe(true);
    expect((await packaged({ environment: { TILLBRIDGE_MODE: 'sandbox' } }).read()).asks_mode).toBe(false);
    expect((await packaged({ flags: { mode: 'sandbox' } }).read()).asks_mode).toBe(false);
    await packaged().change({ mode: 'sandbox' }, now);
    expect((await packaged().read()).asks_mode).toBe(false);
  });
});

describe('where store IT puts the settings', () => {
  it('holds from the moment on in which a file comes to a running till: it locks, and asks for a new start', async () => {
    const place = join(dataDir, 'deployed.json');
    const sources = () => ({
      dataDir,
      flags: {},
      environment: {},
      ...deployedSources(place, () => ({ kind: 'administrators' })),
    });
    const running = editor({}, { sources, running: settingsSchema.parse({}) });
    expect((await running.read()).restart_needed).toBe(false);
    writeFileSync(place, JSON.stringify({ device_name: 'Front' }));
    expect(await running.change({ device_name: 'Back' }, now)).toEqual({
      kind: 'refused',
      problems: [{ field: 'device_name', problem: 'is locked: set by the deployed settings file' }],
    });
    const view = await running.read();
    expect(view.restart_needed).toBe(true);
    expect(view.settings.find(({ name }) => name === 'device_name')).toMatchObject({ value: 'Front', locked: true });
    rmSync(place);
    expect(await running.change({ device_name: 'Back' }, now)).toMatchObject({ kind: 'saved' });
  });

  it('is a place of each platform', () => {
    expect(deployedPath({}, 'linux')).toBe('/etc/tillbridge/settings.json');
    expect(deployedPath({}, 'darwin')).toBe('/Library/Application Support/Tillbridge/settings.json');
    expect(deployedPath({ PROGRAMDATA: 'D:\\Data' }, 'win32')).toContain('D:\\Data');
  });
});

describe('keys that the operating system seals', () => {
  /** Electron's own, as an older one has it. */
  const storage: SafeStorage = {
    isEncryptionAvailable: () => true,
    encryptString: (text) => Buffer.from(`sealed ${text}`).reverse(),
    decryptString: (sealed) => Buffer.from(sealed).reverse().toString().replace('sealed ', ''),
  };
  /** And as a newer one has it. */
  const asyncStorage: SafeStorage = {
    ...storage,
    isEncryptionAvailable: () => false,
    isAsyncEncryptionAvailable: async () => true,
    encryptStringAsync: async (text) => storage.encryptString(text),
    decryptStringAsync: async (sealed) => ({ result: storage.decryptString(sealed) }),
    encryptString: () => {
      throw new Error('deprecated');
    },
    decryptString: () => {
      throw new Error('deprecated');
    },
  };
  const stranger: SafeStorage = {
    ...storage,
    decryptString: () => {
      throw new Error('not yours');
    },
  };
  const storeWith = async (kind: SafeStorage) => osSecretStore(fileSecretStore(dataDir), await electronSealer(kind));
  const inFile = () => readFileSync(join(dataDir, 'secrets.json'), 'utf8');

  it.each([
    ['at once', storage],
    ['later', asyncStorage],
  ])('(%s) do not stand in the file, and only the app that sealed them reads them', async (_, kind) => {
    const file = fileSecretStore(dataDir);
    const store = await storeWith(kind);
    await store.set('api_key.sandbox', testKey);
    await store.set('bridge_token', 'tillbridge_token');
    expect(inFile()).not.toContain('abcdefgh');
    expect(await readApiKeys(store)).toEqual({ keys: { sandbox: testKey }, sealed: [], origins: {} });
    expect(await readApiKeys(file)).toEqual({ keys: {}, sealed: ['sandbox'], origins: {} });
    expect(await file.get('bridge_token')).toBe('tillbridge_token');
    expect(await readApiKeys(await storeWith(stranger))).toEqual({ keys: {}, sealed: ['sandbox'], origins: {} });
    await store.remove('api_key.sandbox');
    expect(await store.get('api_key.sandbox')).toBeNull();
  });

  it.each<[string, SafeStorage]>([
    ['nothing is sealed', { ...storage, isEncryptionAvailable: () => false }],
    ['everybody knows the password', { ...storage, getSelectedStorageBackend: () => 'basic_text' }],
  ])('are kept in the open where %s, and that is said', async (_, kind) => {
    const sealer = await electronSealer(kind, 'linux');
    expect(sealer.whyNot).toMatch(/key store/);
    await osSecretStore(fileSecretStore(dataDir), sealer).set('api_key.sandbox', testKey);
    expect(await fileSecretStore(dataDir).get('api_key.sandbox')).toBe(testKey);
  });

  it('are sealed at the next start when they stood in the open', async () => {
    const file = fileSecretStore(dataDir);
    await file.set('api_key.sandbox', testKey);
    await file.set('bridge_token', 'tillbridge_token');
    await sealOpenKeys(file, await electronSealer(storage));
    expect(inFile()).not.toContain('abcdefgh');
    expect(await file.get('bridge_token')).toBe('tillbridge_token');
    const once = inFile();
    await sealOpenKeys(file, await electronSealer(storage));
    expect(inFile()).toBe(once);
    expect((await readApiKeys(await storeWith(storage))).keys.sandbox).toBe(testKey);
  });

  it('leave the other settings in the hands of who cannot read them', async () => {
    await editor().change({ ...toProduction, api_key: liveKey }, now);
    await sealOpenKeys(fileSecretStore(dataDir), await electronSealer(storage));
    expect(await fact('api_key')).toEqual({ name: 'api_key', value: 'sealed', source: 'saved', locked: false });
    expect(await editor().change({ device_name: 'Front' }, now)).toEqual(done);
    expect((await readApiKeys(await storeWith(storage))).keys.production).toBe(liveKey);
    expect(await editor().change({ api_key: 'loyalty_pk_live_another' }, now)).toEqual(done);
    expect((await readApiKeys(await storeWith(storage))).keys.production).toBe('loyalty_pk_live_another');
    expect(await editor().change({ api_key: null }, now)).toMatchObject({ problems: [{ field: 'api_key' }] });
  });
});
