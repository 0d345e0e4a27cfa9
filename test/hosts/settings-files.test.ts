import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { watchSettingsFiles } from '../../app/agent/watch-settings.ts';
import { heldSettings } from '../../app/config/held-settings.ts';
import { keepAsLastGood } from '../../app/config/last-good.ts';
import { fileDoubtAdvice, loadSettings } from '../../app/config/load-settings.ts';
import { settingsSchema } from '../../app/config/settings.ts';
import { lookEveryMs } from '../../app/config/settings-files.ts';
import { examine } from '../../app/doctor/examine.ts';
import { noticeInWords } from '../../app/doctor/notice-words.ts';
import { ManualClock } from '../support/manual-clock.ts';

let dataDir: string;
let managedFile: string;
let clock: ManualClock;
let changes: number;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'watched-'));
  managedFile = join(dataDir, 'managed.json');
  clock = new ManualClock();
  changes = 0;
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function watch({
  areSettingsLost = false,
  managedDoubt = null,
  isAbsent = false,
}: {
  readonly areSettingsLost?: boolean;
  readonly managedDoubt?: string | null;
  readonly isAbsent?: boolean;
} = {}) {
  const deployed = isAbsent ? { managedFile: null, absentManagedFile: managedFile } : { managedFile };
  const sources = { dataDir, flags: {}, environment: {}, ...deployed, managedDoubt };
  const loaded = loadSettings(sources);
  if (loaded.kind === 'refused') throw new Error(loaded.problems.join());
  keepAsLastGood(dataDir, loaded.files);
  const start = {
    dataDir,
    sources,
    settingsFaults: loaded.fileFaults,
    settingsDoubt: loaded.fileDoubt,
    areSettingsLost,
  };
  const running = settingsSchema.parse({});
  return watchSettingsFiles(start, {
    clock,
    held: async () => heldSettings(loadSettings(sources), { running, needsRestart: false }),
    onChanged: () => {
      changes += 1;
    },
  });
}

async function afterALook(): Promise<void> {
  clock.advance(lookEveryMs);
  await new Promise((resolve) => setImmediate(resolve));
}

it('tells a file that was deployed badly to a running till, and that it was corrected', async () => {
  writeFileSync(managedFile, '{"device_name": "Front till"}');
  const files = watch();
  await afterALook();
  expect({ notices: files.notices(), changes }).toEqual({ notices: [], changes: 0 });

  writeFileSync(managedFile, '{"device_name": "Front till", "locale": "klingon"}');
  await afterALook();
  expect(files.notices()).toEqual([
    { code: 'settings_file_wrong', faults: [expect.stringContaining('managed.json: locale: must be')] },
  ]);
  expect(changes).toBe(1);
  await afterALook();
  expect(changes).toBe(1);

  writeFileSync(managedFile, '{"device_name": "Front till", "locale": "ar"}');
  await afterALook();
  expect({ notices: files.notices(), changes }).toEqual({ notices: [], changes: 2 });
  files.close();
});

it('tells a deployed file that is gone at the start until it is back', async () => {
  const text = '{"mode": "production", "base_url": "https://loyalty.example/v1", "api_key": "loyalty_pk_live_1"}';
  writeFileSync(managedFile, text);
  watch().close();
  rmSync(managedFile);
  const files = watch({ isAbsent: true });
  expect(files.notices()).toEqual([{ code: 'settings_file_wrong', faults: [`${managedFile}: does not exist`] }]);
  writeFileSync(managedFile, text);
  await afterALook();
  expect({ notices: files.notices(), changes }).toEqual({ notices: [], changes: 1 });
  files.close();
});

it('leaves lost settings to the notice of their own', async () => {
  writeFileSync(managedFile, '{}');
  const files = watch({ areSettingsLost: true });
  writeFileSync(managedFile, '{');
  await afterALook();
  expect(changes).toBe(1);
  expect(files.notices()).toEqual([]);
  files.close();
});

it('tells a deployed file that is used and could not be checked, in the status and the doctor', async () => {
  writeFileSync(managedFile, '{"device_name": "Front till"}');
  const managedDoubt = 'is used, but could not be checked: Windows does not say who may change it';
  const files = watch({ managedDoubt });
  const [notice, ...more] = files.notices();
  expect({ notice, more }).toEqual({
    notice: { code: 'settings_file_unchecked', doubt: `${managedFile}: ${managedDoubt}` },
    more: [],
  });
  files.close();
  if (notice === undefined) throw new Error('There is no notice');
  expect(noticeInWords(notice)).toBe(`${managedFile}: ${managedDoubt}. ${fileDoubtAdvice}`);

  const loaded = loadSettings({ dataDir, flags: {}, environment: {}, managedFile, managedDoubt });
  const findings = await examine({
    dataDir,
    held: heldSettings(loaded, { running: null, needsRestart: false }),
    service: async () => [],
    version: '1',
    clock,
    status: null,
  });
  expect(findings.filter(({ check }) => check === 'settings')).toEqual([
    { check: 'settings', verdict: 'warning', says: `${managedFile}: ${managedDoubt}`, advice: fileDoubtAdvice },
  ]);
});
