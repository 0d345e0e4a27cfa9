import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FileLayers, saveSetting } from '../../app/config/last-good.ts';
import { keepLastStart } from '../../app/config/last-start.ts';
import { lastGoodSettingsPath, savedSettingsPath } from '../../app/config/saved-settings.ts';
import { settingsSchema } from '../../app/config/settings.ts';
import { SettingsEditor } from '../../app/config/settings-editor.ts';
import { databasePath } from '../../app/machine/data-files.ts';
import { fileSecretStore } from '../../app/machine/secrets.ts';
import {
  loadedFrom,
  loadFrom,
  refusalFrom,
  type SettingsSources,
  writeSettings as write,
} from '../support/settings-sources.ts';

const hasModes = process.platform !== 'win32';

let dataDir: string;
let managedFile: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'settings-'));
  managedFile = join(dataDir, 'managed.json');
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const loaded = (sources?: SettingsSources) => loadedFrom(dataDir, sources);
const refusal = (sources: SettingsSources) => refusalFrom(dataDir, sources);

const editor = (sources: object) =>
  new SettingsEditor({
    sources: () => ({ dataDir, flags: {}, environment: {}, managedFile: null, ...sources }),
    secrets: fileSecretStore(dataDir),
    waiting: () => ({ sandbox: 0, production: 0 }),
    running: null,
    isPackaged: false,
  });

describe('a deployed file that others may change', () => {
  const managedFault = 'is not used: Users may write it';
  const sources = () => ({ managedFile, managedStanding: { kind: 'not_used', line: managedFault } as const });

  it('is not used: the last good settings are, and a first start is refused', () => {
    write(managedFile, { base_url: 'https://elsewhere.example/v1' });
    expect(refusal(sources())).toEqual([`${managedFile}: ${managedFault}`]);
    loaded();
    const later = loaded(sources());
    expect(later.settings.base_url).toBeNull();
    expect(later.fileFaults).toEqual([`${managedFile}: ${managedFault}`]);
  });

  it('gives a till whose settings are lost nothing either', () => {
    write(managedFile, { base_url: 'https://elsewhere.example/v1' });
    keepLastStart(dataDir, loaded().settings);
    rmSync(lastGoodSettingsPath(dataDir), { force: true });
    expect(loaded(sources())).toMatchObject({ areLost: true, settings: { base_url: null } });
  });
});

describe('a deployed file that is gone', () => {
  const absent = () => ({ deployedPlace: managedFile });

  it('turns no production into the sandbox: the last good settings are used, and it is told at each start', () => {
    const api_key = 'loyalty_pk_live_0123456789abcdef';
    write(managedFile, { mode: 'production', base_url: 'https://loyalty.example/v1', api_key });
    loaded({ managedFile });
    rmSync(managedFile);
    for (const _ of ['first', 'second']) {
      const { settings, fileFaults } = loaded(absent());
      expect(settings).toMatchObject({ mode: 'production', base_url: 'https://loyalty.example/v1', api_key });
      expect(fileFaults).toEqual([`${managedFile}: does not exist`]);
    }
    write(managedFile, {});
    expect(loaded({ managedFile }).settings.mode).toBe('sandbox');
    rmSync(managedFile);
    expect(loaded(absent())).toMatchObject({ settings: { mode: 'sandbox' }, fileFaults: [] });
  });

  const production = { mode: 'production', base_url: 'https://loyalty.example/v1', api_key: 'loyalty_pk_live_1' };
  const rename = (sources: object) => editor(sources).change({ device_name: 'Front' }, { isConfirmed: false });

  it.each([
    ['is there', () => undefined],
    ['is lost before', () => rmSync(lastGoodSettingsPath(dataDir))],
  ])('is missed also after a setting was changed at the till, where its last good content %s', async (_, lose) => {
    write(managedFile, production);
    loaded({ managedFile });
    lose();
    expect(await rename({ managedFile })).toMatchObject({ kind: 'saved' });
    rmSync(managedFile);
    expect(loaded(absent())).toMatchObject({
      settings: { mode: 'production', base_url: 'https://loyalty.example/v1', device_name: 'Front' },
      fileFaults: [`${managedFile}: does not exist`],
    });
  });

  it('turns no production into the sandbox where only a file is left that says nothing of it', async () => {
    write(managedFile, production);
    write(savedSettingsPath(dataDir), { device_name: 'Front' });
    keepLastStart(dataDir, loaded({ managedFile }).settings);
    rmSync(managedFile);
    rmSync(lastGoodSettingsPath(dataDir));
    expect(loadFrom(dataDir, absent())).toMatchObject({
      areLost: true,
      settings: { mode: 'production', base_url: 'https://loyalty.example/v1', device_name: 'Front' },
      fileFaults: ['mode: no file says it any more; set it again'],
    });
    expect(await rename(absent())).toMatchObject({ kind: 'refused', problems: [{ field: 'mode' }] });
    expect(await editor(absent()).change({ mode: 'sandbox' }, { isConfirmed: true })).toMatchObject({ kind: 'saved' });
    expect(loaded(absent())).toMatchObject({ areLost: false, settings: { mode: 'sandbox' } });
  });

  it('keeps the address of a production that was set at the till', () => {
    write(savedSettingsPath(dataDir), { mode: 'production' });
    write(managedFile, { base_url: 'https://loyalty.example/v1', api_key: 'loyalty_pk_live_0123456789abcdef' });
    loaded({ managedFile });
    rmSync(managedFile);
    expect(loaded(absent()).settings.base_url).toBe('https://loyalty.example/v1');
  });

  it('is not missed where another file was in its place', () => {
    const other = join(dataDir, 'other.json');
    write(other, { mode: 'production', base_url: 'https://loyalty.example/v1', api_key: 'loyalty_pk_live_1' });
    loaded({ managedFile: other });
    expect(loaded(absent())).toMatchObject({ settings: { mode: 'sandbox' }, fileFaults: [] });
  });
});

describe('a deployed file that is bad', () => {
  const production = { mode: 'production', base_url: 'https://loyalty.example/v1', api_key: 'loyalty_pk_live_1' };

  it.each([
    ['that an older version kept without the name of their file', (): Partial<FileLayers> => ({})],
    // The till goes on as it was: else it would miss its address and its key.
    ['of the file that was named before it', () => ({ managed_file: join(dataDir, 'before.json') })],
  ])('has the till go on with the last good settings %s', (_, fileOf) => {
    write(lastGoodSettingsPath(dataDir), { ...fileOf(), managed: production, saved: {} });
    write(managedFile, { ...production, locale: 'klingon' });
    const { settings, fileFaults, areLost } = loaded({ managedFile });
    expect({ settings, areLost }).toMatchObject({ settings: production, areLost: false });
    expect(fileFaults).toEqual([expect.stringContaining('locale: must be')]);
  });
});

describe('a file that begins with a byte order mark', () => {
  it('is read as UTF-16 without it, too', () => {
    const text = Buffer.from('{"locale":"ar","shop_name":"متجر"}', 'utf16le');
    for (const bytes of [text, Buffer.from(text).swap16()]) {
      writeFileSync(managedFile, bytes);
      expect(loaded({ managedFile }).settings).toMatchObject({ locale: 'ar', shop_name: 'متجر' });
    }
  });

  it('is read as the UTF-16 that Windows PowerShell writes', () => {
    const text = `\uFEFF${JSON.stringify({ device_name: 'Kasse 1 é' })}`;
    for (const bytes of [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()]) {
      writeFileSync(managedFile, bytes);
      expect(loaded({ managedFile }).settings.device_name).toBe('Kasse 1 é');
    }
    writeFileSync(managedFile, Buffer.from('\uFEFF{\n "locale" "ar" }', 'utf16le'));
    expect(loaded({ managedFile }).fileFaults.join()).toMatch(/line 2, column 11/);
  });

  it('is read like any other, the managed one and what the app saved', () => {
    writeFileSync(managedFile, `\uFEFF${JSON.stringify({ device_name: 'managed' })}`);
    writeFileSync(savedSettingsPath(dataDir), `\uFEFF${JSON.stringify({ branch_ref: 'B-7' })}`);
    expect(loaded({ managedFile }).settings).toMatchObject({ device_name: 'managed', branch_ref: 'B-7' });
  });
});

describe('a bad file after a good one', () => {
  it('keeps the last good settings, says so and stays on them for ever after', () => {
    write(managedFile, { device_name: 'good', mode: 'production', base_url: 'https://x.example/v1' });
    const environment = { TILLBRIDGE_API_KEY: 'loyalty_pk_live_abc' };
    loaded({ managedFile, environment });
    write(managedFile, { device_name: '', locale: 'fr' });
    for (let start = 0; start < 2; start += 1) {
      const { settings, warnings } = loaded({ managedFile, environment });
      expect(settings).toMatchObject({ device_name: 'good', mode: 'production' });
      expect(warnings).toEqual([
        expect.stringContaining('device_name: '),
        expect.stringContaining('locale: '),
        expect.stringContaining('last good'),
      ]);
    }
  });

  it('that is what the app saved falls back too', () => {
    saveSetting(dataDir, 'locale', 'ar');
    loaded();
    write(savedSettingsPath(dataDir), '{');
    expect(loaded()).toMatchObject({ settings: { locale: 'ar' }, warnings: expect.arrayContaining([]) });
    expect(loaded().warnings.length).toBeGreaterThan(0);
    expect(() => saveSetting(dataDir, 'locale', 'en')).toThrow();
    expect(readFileSync(savedSettingsPath(dataDir), 'utf8')).toBe('{');
  });

  it.each([
    ['a mode that needs more', { mode: 'production' }, 'base_url: is needed'],
    ['a key of the wrong kind', { device_name: 'new', api_key: 'loyalty_pk_live_x' }, 'api_key: is a production key'],
    ['an address without a key', { base_url: 'https://x.example/v1' }, 'api_key: is needed'],
  ])('is one whose fields do not go together: %s', (_, bad, line) => {
    for (const path of [managedFile, savedSettingsPath(dataDir)]) {
      write(managedFile, { device_name: 'good' });
      write(savedSettingsPath(dataDir), { locale: 'ar' });
      loaded({ managedFile });
      write(path, bad);
      for (let start = 0; start < 2; start += 1) {
        const { settings, warnings } = loaded({ managedFile });
        expect(settings).toMatchObject({ mode: 'sandbox', device_name: 'good', locale: 'ar', api_key: null });
        expect(warnings[0]).toContain(`${path}: ${line}`);
        expect(warnings.at(-1)).toBe(`${path}: the last good settings are used instead.`);
        expect(warnings.filter((warning) => !warning.startsWith(path))).toEqual([]);
      }
    }
  });

  it('whose fields do not go together refuses the start when there was no good one, or a flag is to blame', () => {
    write(managedFile, { mode: 'production' });
    expect(refusal({ managedFile }).join()).toContain('base_url: is needed');
    write(managedFile, { device_name: 'good' });
    loaded({ managedFile });
    write(managedFile, { device_name: 'new' });
    expect(refusal({ managedFile, flags: { mode: 'production' } }).join()).toContain('base_url: is needed');
  });

  it('is not forgotten by somebody who only looks, without the file', () => {
    write(managedFile, { device_name: 'good', mode: 'production', base_url: 'https://x.example/v1' });
    const environment = { TILLBRIDGE_API_KEY: 'loyalty_pk_live_abc' };
    loaded({ managedFile, environment });
    loadFrom(dataDir);
    write(managedFile, '{');
    expect(loaded({ managedFile, environment }).settings).toMatchObject({ mode: 'production', device_name: 'good' });
  });

  it('that was lost does not turn production into the sandbox', () => {
    const environment = { TILLBRIDGE_API_KEY: 'loyalty_pk_live_abc' };
    write(savedSettingsPath(dataDir), { mode: 'production', base_url: 'https://x.example/v1' });
    loaded({ environment });
    rmSync(savedSettingsPath(dataDir));
    const { settings, warnings } = loaded({ environment });
    expect(settings.mode).toBe('production');
    expect(warnings[0]).toBe(`${savedSettingsPath(dataDir)}: does not exist`);
  });

  it('that was lost does not go on with another service, in sandbox mode either', () => {
    const environment = { TILLBRIDGE_API_KEY: 'loyalty_pk_test_abc' };
    write(savedSettingsPath(dataDir), { base_url: 'https://x.example/v1' });
    loaded({ environment });
    rmSync(savedSettingsPath(dataDir));
    const { settings, warnings } = loaded({ environment });
    expect(settings.base_url).toBe('https://x.example/v1');
    expect(warnings[0]).toBe(`${savedSettingsPath(dataDir)}: does not exist`);
  });

  it('that was lost takes nothing of what it said away, also where the service stands in the deployed file', async () => {
    write(managedFile, { mode: 'production', base_url: 'https://x.example/v1', api_key: 'loyalty_pk_live_abc' });
    const said = { device_ref: 'till7', reference_prefix: 'T7-', cashiers: { sign_in: 'on' } };
    write(savedSettingsPath(dataDir), said);
    loaded({ managedFile });
    rmSync(savedSettingsPath(dataDir));
    for (const _ of ['first', 'second']) {
      const { settings, fileFaults } = loaded({ managedFile });
      expect(settings).toMatchObject(said);
      expect(fileFaults).toEqual([`${savedSettingsPath(dataDir)}: does not exist`]);
    }
    const back = { device_ref: null, reference_prefix: null, 'cashiers.sign_in': null };
    expect(await editor({ managedFile }).change(back, { isConfirmed: true })).toMatchObject({ kind: 'saved' });
    expect(loaded({ managedFile })).toMatchObject({ settings: { reference_prefix: null }, fileFaults: [] });
    // Nothing stood in it any more: nothing is missed.
    rmSync(savedSettingsPath(dataDir));
    expect(loaded({ managedFile }).fileFaults).toEqual([]);
  });

  it.each([
    ['gone', null],
    ['damaged', '{"managed":{},"sa'],
  ])('that was lost with what it said before (%s) leaves production in production, and says so', (_, lastGood) => {
    keepLastStart(dataDir, settingsSchema.parse({ mode: 'production', base_url: 'https://x.example/v1' }));
    if (lastGood !== null) write(lastGoodSettingsPath(dataDir), lastGood);
    const lost = loadFrom(dataDir);
    expect(lost).toMatchObject({ areLost: true, settings: { mode: 'production', base_url: 'https://x.example/v1' } });
    expect(lost).toMatchObject({ fileFaults: [`${savedSettingsPath(dataDir)}: does not exist`] });
    // Who names the mode at each start had no file to lose.
    expect(loaded({ flags: { mode: 'sandbox' } })).toMatchObject({ areLost: false, settings: { mode: 'sandbox' } });
  });

  it('that was lost with what it said before costs no start where a variable names the mode: the address was there', () => {
    keepLastStart(dataDir, settingsSchema.parse({ mode: 'production', base_url: 'https://x.example/v1' }));
    const environment = { TILLBRIDGE_MODE: 'production', TILLBRIDGE_API_KEY: 'loyalty_pk_live_abc' };
    expect(loadFrom(dataDir, { environment })).toMatchObject({
      areLost: true,
      settings: { mode: 'production', base_url: 'https://x.example/v1' },
      fileFaults: [`${savedSettingsPath(dataDir)}: does not exist`, 'base_url: is needed in production mode'],
    });
    // Where no agent ran in production there was nothing to lose.
    keepLastStart(dataDir, settingsSchema.parse({}));
    expect(loadFrom(dataDir, { environment })).toMatchObject({ kind: 'refused' });
  });

  it('that was lost with what it said before leaves a sandbox with the address that it had', () => {
    keepLastStart(dataDir, settingsSchema.parse({ base_url: 'https://x.example/v1' }));
    expect(loadFrom(dataDir)).toMatchObject({ areLost: true, settings: { base_url: 'https://x.example/v1' } });
  });

  it('that was lost with all that was noted leaves a till with a database of production in production', () => {
    write(databasePath(dataDir, 'sandbox'), '');
    expect(loadFrom(dataDir)).toMatchObject({ areLost: false, settings: { mode: 'sandbox' } });
    write(databasePath(dataDir, 'production'), '');
    expect(loadFrom(dataDir)).toMatchObject({
      areLost: true,
      settings: { mode: 'production', base_url: 'https://address-unknown.invalid/v1' },
      fileFaults: [`${savedSettingsPath(dataDir)}: does not exist`],
    });
    // A person who says it has the last word.
    write(savedSettingsPath(dataDir), { mode: 'sandbox' });
    expect(loadFrom(dataDir)).toMatchObject({ areLost: false, settings: { mode: 'sandbox' } });
  });

  it('that was lost is not made anew by the language of the screen alone', () => {
    const environment = { TILLBRIDGE_API_KEY: 'loyalty_pk_live_abc' };
    write(savedSettingsPath(dataDir), { mode: 'production', base_url: 'https://x.example/v1' });
    keepLastStart(dataDir, loaded({ environment }).settings);
    rmSync(savedSettingsPath(dataDir));
    saveSetting(dataDir, 'locale', 'ar');
    expect(loaded({ environment }).settings).toMatchObject({ mode: 'production', locale: 'ar' });
    rmSync(savedSettingsPath(dataDir));
    rmSync(lastGoodSettingsPath(dataDir));
    expect(() => saveSetting(dataDir, 'locale', 'en')).toThrow('does not exist');
  });

  it('is kept, with a key that it has, in a file that this user alone can read', () => {
    const path = lastGoodSettingsPath(dataDir);
    const leftOver = `${path}.${process.pid}.new`;
    writeFileSync(leftOver, '', { mode: 0o644 });
    write(managedFile, { api_key: 'loyalty_pk_test_x' });
    loaded({ managedFile });
    expect(readFileSync(path, 'utf8')).toContain('loyalty_pk_test_x');
    if (hasModes) expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe('lost settings', () => {
  it('are told with the place that each of them really comes from', () => {
    keepLastStart(
      dataDir,
      settingsSchema.parse({ mode: 'production', base_url: 'https://loyalty.example/v1', currency: 'USD' }),
    );
    write(managedFile, '{"device_name": "Front till", "mode": "sandbox", "locale": "klingon"}');
    write(savedSettingsPath(dataDir), '{"branch_ref": "b-9", "mode": "sandbox", "currency": 5}');
    const { sources, settings, areLost } = loaded({
      managedFile,
      flags: { 'bridge.port': '7000' },
      environment: { TILLBRIDGE_DEVICE_REF: 'till-9' },
    });
    expect({ areLost, ...settings }).toMatchObject({
      areLost: true,
      mode: 'production',
      base_url: 'https://loyalty.example/v1',
      currency: 'USD',
    });
    expect(sources).toMatchObject({
      mode: 'last_start',
      base_url: 'last_start',
      currency: 'last_start',
      device_name: 'managed',
      branch_ref: 'saved',
      device_ref: 'environment',
      'bridge.port': 'flag',
      locale: 'default',
    });
  });

  it('of before let a person take the service away on purpose, where the file still says it', async () => {
    write(savedSettingsPath(dataDir), { base_url: 'https://x.example/v1', device_name: 'Front' });
    const environment = { TILLBRIDGE_API_KEY: 'loyalty_pk_test_abc' };
    keepLastStart(dataDir, loaded({ environment }).settings);
    rmSync(lastGoodSettingsPath(dataDir));
    const unset = await editor({ environment }).change({ base_url: null }, { isConfirmed: true });
    expect(unset).toMatchObject({ kind: 'saved' });
    expect(loaded()).toMatchObject({ areLost: false, settings: { mode: 'sandbox', base_url: null } });
  });

  it('take the mode from a flag or a variable that says one', () => {
    keepLastStart(dataDir, settingsSchema.parse({ mode: 'production' }));
    write(savedSettingsPath(dataDir), '{"mode": "prod');
    expect(loaded({ environment: { TILLBRIDGE_MODE: 'sandbox' } })).toMatchObject({
      settings: { mode: 'sandbox' },
      sources: { mode: 'environment' },
    });
  });
});
