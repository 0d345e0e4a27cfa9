import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultDataDir, ownDataDir } from '../../app/config/data-dir.ts';
import { saveSetting } from '../../app/config/last-good.ts';
import { layerFaults, settingNames, valueFromText } from '../../app/config/layers.ts';
import { savedSettingsPath } from '../../app/config/saved-settings.ts';
import type { KeptKeys } from '../../app/machine/secrets.ts';
import { loadedFrom, refusalFrom, type SettingsSources, writeSettings as write } from '../support/settings-sources.ts';

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

describe('a field that nobody knows', () => {
  it('is named in a line that a person can read, however long its name is', () => {
    write(managedFile, { ['x'.repeat(30_000)]: 1 });
    const [line = ''] = refusal({ managedFile });
    expect(line).toContain('xxx...: is not a known field');
    expect(line.length).toBeLessThan(300);
  });
});

describe('which setting holds', () => {
  it('is the default when nobody says anything', () => {
    expect(loaded().settings).toMatchObject({ mode: 'sandbox', currency: 'KWD', bridge: { port: 7425, origins: [] } });
  });

  it('is the strongest source’s: flags, environment, managed file, saved', () => {
    write(savedSettingsPath(dataDir), { device_name: 'saved', locale: 'ar', currency: 'USD', bridge: { port: 1 } });
    write(managedFile, { device_name: 'managed', locale: 'en', bridge: { port: 2 } });
    const environment = { TILLBRIDGE_DEVICE_NAME: 'environment', TILLBRIDGE_BRIDGE__PORT: '3' };
    const flags = { device_name: 'flag' };
    expect(loaded().settings).toMatchObject({ device_name: 'saved', locale: 'ar', bridge: { port: 1 } });
    expect(loaded({ managedFile }).settings).toMatchObject({ device_name: 'managed', locale: 'en', currency: 'USD' });
    expect(loaded({ managedFile, environment }).settings).toMatchObject({
      device_name: 'environment',
      bridge: { port: 3 },
    });
    expect(loaded({ managedFile, environment, flags }).settings).toMatchObject({
      device_name: 'flag',
      locale: 'en',
      currency: 'USD',
      bridge: { port: 3 },
    });
  });

  it('is not the environment’s where a script has not filled its variable', () => {
    write(savedSettingsPath(dataDir), { base_url: 'https://x.example/v1', locale: 'ar', printer: { columns: 32 } });
    const savedKeys = { keys: { sandbox: 'loyalty_pk_test_x' }, sealed: [], origins: {} };
    const without = loaded({ savedKeys });
    for (const name of [...settingNames, 'no.such_setting']) {
      const label = `TILLBRIDGE_${name.replaceAll('.', '__').toUpperCase()}`;
      expect(loaded({ savedKeys, environment: { [label]: '' } })).toEqual(without);
    }
  });

  it('of one nested field leaves its neighbours alone', () => {
    write(managedFile, { limits: { max_amount_minor: 5000 } });
    const { settings } = loaded({ managedFile, environment: { TILLBRIDGE_LIMITS__MAX_QUEUE: '10' } });
    expect(settings.limits).toMatchObject({ max_amount_minor: 5000, max_queue: 10, confirm_above_minor: 1_000_000 });
  });

  it('of the time in which POS programs are answered is 8 seconds, or what is set, within its bounds', () => {
    const set = (text: string) => ({ environment: { TILLBRIDGE_BRIDGE__ANSWER_WITHIN_MS: text } });
    expect(loaded().settings.bridge.answer_within_ms).toBe(8_000);
    expect(loaded(set('5000')).settings.bridge.answer_within_ms).toBe(5_000);
    for (const wrong of ['1999', '60001', 'soon']) {
      expect(refusal(set(wrong))).toEqual([expect.stringContaining('TILLBRIDGE_BRIDGE__ANSWER_WITHIN_MS')]);
    }
  });

  it('is what the app saved last', () => {
    saveSetting(dataDir, 'locale', 'ar');
    saveSetting(dataDir, 'bridge.port', 99);
    expect(loaded().settings).toMatchObject({ locale: 'ar', bridge: { port: 99 } });
    if (hasModes) expect(statSync(savedSettingsPath(dataDir)).mode & 0o777).toBe(0o600);
  });
});

/** The order of the settings. */
function inOrder(one: string, other: string): number {
  return settingNames.indexOf(one) - settingNames.indexOf(other);
}

describe('text from flags and variables', () => {
  it('takes the type of its setting', () => {
    expect(valueFromText('bridge.port', '80')).toBe(80);
    expect(valueFromText('bridge.port', 'eighty')).toBe('eighty');
    expect(valueFromText('device_name', '80')).toBe('80');
    expect(valueFromText('bridge.origins', 'https://a.example, https://b.example')).toEqual([
      'https://a.example',
      'https://b.example',
    ]);
    expect(valueFromText('card_pattern', '')).toBeNull();
    expect(valueFromText('limits.confirm_above_minor', '5')).toBe(5);
  });

  it('covers every setting that the design names', () => {
    expect(settingNames).toEqual(
      expect.arrayContaining(['mode', 'base_url', 'api_key', 'bridge.port', 'bridge.origins', 'limits.max_queue']),
    );
  });
});

describe('a web origin that may call the bridge', () => {
  it.each(['file:///', 'file:///C:/pos/index.html', 'app://pos', 'capacitor://localhost', 'data:text/html,x'])(
    'is never %s: the browser says null for it, as for any other page',
    (origin) => {
      const faults = layerFaults({ bridge: { origins: [origin] } });
      expect(faults).toEqual([expect.stringMatching(/^bridge\.origins\.0: must be an http\(s\) origin .*null/)]);
    },
  );

  it('is an origin of its own', () => {
    expect(layerFaults({ bridge: { origins: ['https://pos.example', 'http://localhost:8080'] } })).toEqual([]);
  });
});

describe('what is wrong', () => {
  it('is named field by field, in flags and variables too, and refuses the start', () => {
    expect(refusal({ flags: { 'bridge.port': 'x', locale: 'fr' } })).toEqual([
      expect.stringMatching(/^--port: /),
      expect.stringMatching(/^--locale: /),
    ]);
    expect(refusal({ environment: { TILLBRIDGE_BRIDGE__PORT: '70000' } })).toEqual([
      expect.stringMatching(/^TILLBRIDGE_BRIDGE__PORT: /),
    ]);
  });

  it('is only said of a variable that no setting has', () => {
    expect(loaded({ environment: { TILLBRIDGE_NONSENSE: '1', TILLBRIDGE_LOCALE: 'ar' } })).toMatchObject({
      settings: { locale: 'ar' },
      warnings: ['TILLBRIDGE_NONSENSE: is not a known setting, and is ignored'],
    });
  });

  it.each([
    'https://till:secret@loyalty.example/v1',
    'https://till@loyalty.example/v1',
    'https://loyalty.example/v1?tenant=7',
    'https://loyalty.example/v1#top',
  ])('is an address with more than an address in it: %s', (base_url) => {
    write(managedFile, { base_url });
    const [line = '', ...others] = refusal({ managedFile });
    expect(others).toEqual([]);
    expect(line).toMatch(/base_url: must be an address alone/);
    expect(line).not.toContain('secret');
  });

  it.each([
    ['https://till@updates.example/till', 'must be an address alone'],
    ['http://169.254.169.254/', 'must not be a link-local or metadata address'],
    ['ftp://updates.example/till', 'must be an http'],
  ])('is refused for the service and for the updates alike: %s', (address, problem) => {
    write(managedFile, { base_url: address, update: { feed: address } });
    const [service, feed, ...others] = refusal({ managedFile });
    expect([service, feed]).toEqual([
      expect.stringContaining(`base_url: ${problem}`),
      expect.stringContaining(`update.feed: ${problem}`),
    ]);
    expect(others).toEqual([]);
  });

  it.each([0, -1, 1.5])('is a limit of %d', (limit) => {
    write(managedFile, { limits: { max_queue: limit, max_points: limit } });
    const problems = refusal({ managedFile });
    expect(problems).toHaveLength(2);
    expect(problems.join('\n')).toMatch(/limits\.max_points: must be [\s\S]*limits\.max_queue: must be /);
  });

  it('in a file names every bad field', () => {
    write(managedFile, { locale: 'fr', bridge: { port: 'x' }, nonsense: 1 });
    const problems = refusal({ managedFile });
    expect(problems).toHaveLength(3);
    expect(problems.join('\n')).toMatch(/locale: [\s\S]*bridge\.port: [\s\S]*nonsense: is not a known field/);
  });

  it('in a file is named however much it is', () => {
    const bad = {
      mode: 1,
      base_url: 1,
      api_key: 1,
      offline_window_hours: 'x',
      time_zone: 1,
      day_starts_at: 1,
      device_name: 1,
      device_ref: '/',
      branch_ref: '/',
      currency: 5,
      locale: 'fr',
      bridge: { port: -1 },
      retention_days: 0,
    };
    write(managedFile, bad);
    const named = refusal({ managedFile }).map((line) => line.slice(managedFile.length + 2).split(':')[0]);
    expect(named).toEqual([...Object.keys(bad).filter((name) => name !== 'bridge'), 'bridge.port'].toSorted(inOrder));
  });

  it.each([
    ['not JSON', '{"a":'],
    ['no object', '[]'],
  ])('is a file that is %s', (_, text) => {
    write(managedFile, text);
    expect(refusal({ managedFile })).toEqual([expect.stringContaining(managedFile)]);
  });

  it('in a file that is not JSON has its line and column; half a file is told as half', () => {
    write(managedFile, '{\n  "device_name": "Front till"\n  "locale": "ar"\n}');
    expect(refusal({ managedFile })).toEqual([
      `${managedFile}: is not JSON: the mistake is in line 3, column 3: a comma or } is missing`,
    ]);
    write(managedFile, '\uFEFF{\n  "device_name": "Front');
    expect(refusal({ managedFile })).toEqual([
      `${managedFile}: ends in the middle (line 2, column 24): half of the file is missing. Copy it again`,
    ]);
  });

  it('is a name that stands twice in one object of a file, each with its lines', () => {
    write(
      managedFile,
      '{\n  "locale": "ar",\n  "bridge": { "port": 1,\n    "port": 7425 },\n  "locale": "en", "locale": "ar"\n}',
    );
    expect(refusal({ managedFile })).toEqual([
      `${managedFile}: has twice: bridge.port (lines 3 and 4), locale (lines 2 and 5), locale (lines 2 and 5). Keep one of each`,
    ]);
    write(managedFile, '\uFEFF{"shop_name": "The 12\\" shop", "mode": "sandbox", "mod\\u0065": "sandbox"}');
    expect(refusal({ managedFile })).toEqual([`${managedFile}: has twice: mode (line 1). Keep one of each`]);
    write(
      managedFile,
      '{"shop_name": "The \\"mode\\" {shop}", "mode": "sandbox", "bridge": {"port": 0}, "card_pattern": "mode"}',
    );
    expect(loaded({ managedFile }).fileFaults).toEqual([]);
  });

  it('is a named file that does not exist', () => {
    expect(refusal({ managedFile })).toEqual([`${managedFile}: does not exist`]);
  });
});

describe('keys and modes', () => {
  const production = { TILLBRIDGE_MODE: 'production', TILLBRIDGE_BASE_URL: 'https://x.example/v1' };

  it.each([
    [{ TILLBRIDGE_API_KEY: 'loyalty_pk_live_x' }, 'api_key: is a production key'],
    [{ ...production, TILLBRIDGE_API_KEY: 'loyalty_pk_test_x' }, 'api_key: is a sandbox key'],
    [{ ...production, TILLBRIDGE_API_KEY: 'something' }, 'api_key: must begin with loyalty_pk_live_'],
    [production, 'api_key: is needed'],
    [{ TILLBRIDGE_MODE: 'production', TILLBRIDGE_API_KEY: 'loyalty_pk_live_x' }, 'base_url: is needed'],
    [{ TILLBRIDGE_BASE_URL: 'https://x.example/v1' }, 'api_key: is needed'],
    [{ TILLBRIDGE_API_KEY: 'loyalty_pk_test_a b' }, 'api_key: has a space'],
    [{ TILLBRIDGE_API_KEY: 'loyalty_pk_test_a\u00e9' }, 'api_key: has a space'],
  ])('%j is refused before any request', (environment, line) => {
    expect(refusal({ environment })).toEqual([expect.stringContaining(line)]);
  });

  it('that are kept sealed for another program do not keep the till from taking sales', () => {
    const savedKeys: KeptKeys = { keys: {}, sealed: ['production'], origins: {} };
    expect(loaded({ environment: production, savedKeys })).toMatchObject({
      settings: { mode: 'production', api_key: null },
      isKeySealed: true,
    });
    expect(refusal({ savedKeys, environment: { TILLBRIDGE_BASE_URL: 'https://x.example/v1' } }).join()).toContain(
      'api_key: is needed',
    );
  });

  it('that go together are taken, and the key is in no line', () => {
    const environment = { ...production, TILLBRIDGE_API_KEY: 'loyalty_pk_live_secret' };
    expect(loaded({ environment }).settings.mode).toBe('production');
    const wrong = refusal({ environment: { ...environment, TILLBRIDGE_API_KEY: 'loyalty_pk_test_secret' } });
    expect(wrong.join()).not.toContain('secret');
  });
});

describe('the data folder', () => {
  // Each system joins paths in its own way.
  it.skipIf(process.platform === 'win32')('is the platform’s own place', () => {
    expect(ownDataDir({}, 'linux', '/home/a')).toBe('/home/a/.local/share/tillbridge');
    expect(ownDataDir({ XDG_DATA_HOME: '/data' }, 'linux', '/home/a')).toBe('/data/tillbridge');
    expect(ownDataDir({ XDG_DATA_HOME: 'relative' }, 'linux', '/home/a')).toBe('/home/a/.local/share/tillbridge');
    expect(ownDataDir({}, 'darwin', '/Users/a')).toBe('/Users/a/Library/Application Support/Tillbridge');
    expect(ownDataDir({ LOCALAPPDATA: 'C:\\L' }, 'win32', 'H')).toBe(join('C:\\L', 'Tillbridge'));
    expect(defaultDataDir({ TILLBRIDGE_DATA_DIR: '/own' })).toBe('/own');
  });
});
