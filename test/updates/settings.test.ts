import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSettings } from '../../app/config/load-settings.ts';
import { savedSettingsPath } from '../../app/config/saved-settings.ts';
import { SettingsEditor } from '../../app/config/settings-editor.ts';
import { fileSecretStore } from '../../app/machine/secrets.ts';
import { temporaryFolder } from '../support/core-rows.ts';

let folder: ReturnType<typeof temporaryFolder>;
let dataDir: string;
let managedFile: string;
beforeEach(() => {
  folder = temporaryFolder();
  dataDir = folder.file('data');
  mkdirSync(dataDir, { mode: 0o700 });
  managedFile = folder.file('managed.json');
});
afterEach(() => folder.remove());

const down = { update: { allow_downgrade: 'yes' } };
const load = (sources: Partial<Parameters<typeof loadSettings>[0]> = {}) =>
  loadSettings({ dataDir, flags: {}, environment: {}, managedFile: null, ...sources });
const problems = (sources: Parameters<typeof load>[0]) => {
  const loaded = load(sources);
  return loaded.kind === 'refused' ? loaded.problems : [];
};
function managed(value: object): { readonly managedFile: string } {
  writeFileSync(managedFile, JSON.stringify(value));
  return { managedFile };
}

describe('that a till may go down', () => {
  it('is said by the deployed settings file', () => {
    expect(load(managed(down))).toMatchObject({ kind: 'loaded', settings: down });
  });

  it('is refused from everywhere else, by name', () => {
    const words = 'may be only in the settings file that store IT deploys';
    expect(problems({ environment: { TILLBRIDGE_UPDATE__ALLOW_DOWNGRADE: 'yes' } })).toEqual([
      `TILLBRIDGE_UPDATE__ALLOW_DOWNGRADE: ${words}`,
    ]);
    writeFileSync(savedSettingsPath(dataDir), JSON.stringify(down));
    expect(problems({})).toEqual([expect.stringContaining(`update.allow_downgrade: ${words}`)]);
  });

  it('cannot be set at the till', async () => {
    const editor = new SettingsEditor({
      sources: () => ({ dataDir, flags: {}, environment: {}, managedFile: null }),
      secrets: fileSecretStore(dataDir),
      waiting: () => ({ sandbox: 0, production: 0 }),
      running: null,
      isPackaged: false,
    });
    const change = { isConfirmed: false };
    expect(await editor.change({ 'update.allow_downgrade': 'yes' }, change)).toMatchObject({ kind: 'refused' });
    expect(await editor.change({ 'update.hold': 'yes' }, change)).toMatchObject({ kind: 'saved' });
  });
});

describe('the address of the feed', () => {
  const production = { mode: 'production', base_url: 'https://loyalty.example/v1', api_key: 'loyalty_pk_live_x' };
  const feed = (address: string, rest: object = {}) => problems(managed({ ...rest, update: { feed: address } }));

  it('is https in production, on this machine too', () => {
    expect(feed('https://updates.example/till/', production)).toEqual([]);
    for (const address of ['http://updates.example/', 'http://127.0.0.1:8080/']) {
      expect(feed(address, production)).toEqual([expect.stringContaining('update.feed: must begin with https://')]);
    }
  });

  it('may be http on this machine in the sandbox', () => {
    expect(feed('http://127.0.0.1:8080/feed')).toEqual([]);
    expect(feed('http://updates.example/')).toEqual([expect.stringContaining('update.feed: must begin with https://')]);
    expect(feed('https://user:secret@updates.example/')).toEqual([expect.stringContaining('update.feed')]);
  });
});
