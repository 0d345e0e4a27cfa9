import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSettings } from '../../app/agent/open-settings.ts';
import { lookEveryMs } from '../../app/config/settings-files.ts';
import { fileSecretStore } from '../../app/machine/secrets.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { loadedFrom, writeSettings } from '../support/settings-sources.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

it('a file that changes during a long start is followed once there is something to follow it', async () => {
  const dataDir = folder.file('');
  const managedFile = folder.file('deployed.json');
  writeSettings(managedFile, { mode: 'sandbox' });
  const clock = new ManualClock();
  const settings = openSettings(
    {
      dataDir,
      settings: loadedFrom(dataDir, { managedFile }).settings,
      secrets: fileSecretStore(dataDir),
      sources: () => ({ dataDir, flags: {}, environment: {}, managedFile }),
      isPackaged: true,
      asksMode: false,
      areSettingsLost: false,
      settingsFaults: [],
      settingsDoubt: null,
    },
    { clock, audit: { note: () => undefined } },
  );
  writeSettings(managedFile, { mode: 'sandbox', locale: 'ar' });
  clock.advance(lookEveryMs);
  await new Promise(setImmediate);
  const shown: string[] = [];
  settings.connect({
    till: {
      showFiles: (files) => shown.push(files.settings.locale),
      showSaved: () => undefined,
      stateChanged: () => undefined,
    },
    updates: null,
    counts: () => ({}),
  });
  await expect.poll(() => shown).toEqual(['ar']);
  settings.close();
});
