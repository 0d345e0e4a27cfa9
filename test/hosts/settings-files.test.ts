import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchSettingsFiles } from '../../app/agent/watch-settings.ts';
import { openSources } from '../../app/commands/agent-flags.ts';
import { deployedPath, deployedSources } from '../../app/config/deployed-file.ts';
import { heldSettings } from '../../app/config/held-settings.ts';
import { keepAsLastGood } from '../../app/config/last-good.ts';
import { keepLastStart, lastStartPath, readLastStart } from '../../app/config/last-start.ts';
import { fileDoubtAdvice, loadSettings, type SettingsSources } from '../../app/config/load-settings.ts';
import { lastGoodSettingsPath, savedSettingsPath } from '../../app/config/saved-settings.ts';
import type { Settings } from '../../app/config/settings.ts';
import { lookEveryMs } from '../../app/config/settings-files.ts';
import { examine } from '../../app/doctor/examine.ts';
import { noticeInWords } from '../../app/doctor/notice-words.ts';
import type { Writers } from '../../app/machine/folder-access.ts';
import { posixWriters } from '../../app/machine/posix-access.ts';
import { ManualClock } from '../support/manual-clock.ts';

let dataDir: string;
let managedFile: string;
let clock: ManualClock;
let changes: number;
let inOrder: Settings[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'watched-'));
  mkdirSync(join(dataDir, 'etc'), { mode: 0o755 });
  managedFile = join(dataDir, 'etc', 'managed.json');
  clock = new ManualClock();
  changes = 0;
  inOrder = [];
});
afterEach(() => rmSync(dataDir, { recursive: true }));

/** @param writersOf who can change the file; missing where it is named with `--config`, and nobody asks */
function sourcesOf(writersOf?: (path: string) => Writers): () => SettingsSources {
  const others = { dataDir, flags: {}, environment: {} };
  return () => ({
    ...others,
    ...(writersOf === undefined ? { managedFile } : deployedSources(managedFile, writersOf)),
  });
}

const byAdministrators = (): Writers => ({ kind: 'administrators' });

function watch({
  areSettingsLost = false,
  sources = sourcesOf(),
}: {
  readonly areSettingsLost?: boolean;
  readonly sources?: () => SettingsSources;
} = {}) {
  const loaded = loadSettings(sources());
  if (loaded.kind === 'refused') throw new Error(loaded.problems.join());
  keepAsLastGood(dataDir, loaded.files);
  keepLastStart(dataDir, loaded.settings);
  const start = {
    dataDir,
    settings: loaded.settings,
    sources,
    settingsFaults: loaded.fileFaults,
    settingsDoubt: loaded.fileDoubt,
    areSettingsLost,
  };
  return watchSettingsFiles(start, {
    clock,
    load: async () => loadSettings(sources()),
    onInOrder: ({ settings }) => inOrder.push(settings),
    onChanged: () => {
      changes += 1;
    },
  });
}

/** The time of a file's change has a grain of up to 10 ms. */
async function changed(change: () => void): Promise<void> {
  await setTimeout(20);
  change();
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

it('hands on what changed files say where they are in order, and nothing of a bad one', async () => {
  writeFileSync(managedFile, '{}');
  const files = watch();
  await afterALook();
  expect(inOrder).toEqual([]);
  writeFileSync(managedFile, '{"update": {"hold": "yes"}}');
  await afterALook();
  expect(inOrder.map(({ update }) => update.hold)).toEqual(['yes']);
  writeFileSync(managedFile, '{"update": {"hold": "maybe"}}');
  await afterALook();
  expect(inOrder).toHaveLength(1);
  files.close();
});

it('notes again what the agent was started with where all that was noted is gone, and tells that it is', async () => {
  const saved = { mode: 'production', base_url: 'https://x.example/v1', api_key: 'loyalty_pk_live_1' };
  writeFileSync(savedSettingsPath(dataDir), JSON.stringify(saved));
  const files = watch({ sources: sourcesOf(byAdministrators) });
  const kept = [savedSettingsPath(dataDir), lastGoodSettingsPath(dataDir), lastStartPath(dataDir)];
  for (const path of kept) rmSync(path);
  await afterALook();
  expect(readLastStart(dataDir)).toMatchObject({ mode: 'production', base_url: 'https://x.example/v1' });
  expect(files.notices()).toEqual([
    { code: 'settings_file_wrong', faults: [`${savedSettingsPath(dataDir)}: does not exist`] },
  ]);
  // A folder that was moved away is not made by this.
  renameSync(dataDir, `${dataDir}.moved`);
  await afterALook();
  expect(existsSync(dataDir)).toBe(false);
  mkdirSync(dataDir);
  files.close();
  expect(readLastStart(dataDir)).toMatchObject({ mode: 'production' });
  rmSync(`${dataDir}.moved`, { recursive: true });
});

describe('a deployed file in its usual place', () => {
  const production = '{"mode": "production", "base_url": "https://loyalty.example/v1", "api_key": "loyalty_pk_live_1"}';
  const wrong = (fault: string) => [{ code: 'settings_file_wrong', faults: [`${managedFile}: ${fault}`] }];

  it('is looked for there where the variable for another place is empty', () => {
    const { managedFile, deployedPlace } = openSources(new Map(), { TILLBRIDGE_CONFIG: '' });
    expect(deployedPlace).toBe(deployedPath({}, process.platform));
    expect([null, deployedPlace]).toContain(managedFile);
    expect(openSources(new Map(), { TILLBRIDGE_CONFIG: 'other.json' }).managedFile).toBe(resolve('other.json'));
  });

  it('is told when it is the first one, and bad, and comes to a running till', async () => {
    const files = watch({ sources: sourcesOf(byAdministrators) });
    writeFileSync(managedFile, '{"locale": "klingon"}');
    await afterALook();
    expect(files.notices()).toEqual(wrong('locale: must be "en" or "ar"'));
    writeFileSync(managedFile, '{"locale": "ar"}');
    await afterALook();
    expect({ notices: files.notices(), changes }).toEqual({ notices: [], changes: 2 });
    files.close();
  });

  it('is told as gone at the start until it is back', async () => {
    const sources = sourcesOf(byAdministrators);
    writeFileSync(managedFile, production);
    watch({ sources }).close();
    rmSync(managedFile);
    const files = watch({ sources });
    expect(files.notices()).toEqual(wrong('does not exist'));
    writeFileSync(managedFile, production);
    await afterALook();
    expect({ notices: files.notices(), changes }).toEqual({ notices: [], changes: 1 });
    files.close();
  });

  it('is missed when it is removed from a running till, unless it said neither production nor an address', async () => {
    for (const [text, told] of [
      [production, wrong('does not exist')],
      ['{}', []],
    ] as const) {
      writeFileSync(managedFile, text);
      const files = watch({ sources: sourcesOf(byAdministrators) });
      rmSync(managedFile);
      await afterALook();
      expect(files.notices()).toEqual(told);
      files.close();
    }
  });

  it.runIf(process.getuid?.() === 0)('is told for its rights, or its folder’s, until they are corrected', async () => {
    writeFileSync(managedFile, '{}');
    chmodSync(managedFile, 0o666);
    watch().close();
    const files = watch({ sources: sourcesOf(posixWriters) });
    const told = async () => {
      await afterALook();
      return files.notices();
    };
    const advice = 'Let only administrators write the file and its folder';
    expect(await told()).toEqual(wrong(`is not used: other users may write it. ${advice}`));
    await changed(() => chmodSync(managedFile, 0o644));
    expect(await told()).toEqual([]);
    await changed(() => chmodSync(dirname(managedFile), 0o777));
    expect(await told()).toEqual(wrong(`is not used: other users may write ${dirname(managedFile)}. ${advice}`));
    await changed(() => chmodSync(dirname(managedFile), 0o755));
    expect(await told()).toEqual([]);
    files.close();
  });

  it('is told while it could not be checked, and the system is asked only when something has changed', async () => {
    let answer: Writers = { kind: 'unknown', why: 'nobody says who may change it' };
    let asked = 0;
    const sources = sourcesOf(() => {
      asked += 1;
      return answer;
    });
    writeFileSync(managedFile, '{}');
    const files = watch({ sources });
    const doubt = `${managedFile}: is used, but could not be checked: nobody says who may change it`;
    await afterALook();
    expect(files.notices()).toEqual([{ code: 'settings_file_unchecked', doubt }]);
    sources();
    expect(asked).toBe(1);
    answer = { kind: 'administrators' };
    await changed(() => writeFileSync(managedFile, '{}\n'));
    await afterALook();
    expect({ notices: files.notices(), asked }).toEqual({ notices: [], asked: 2 });
    files.close();
  });
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
  const doubt = `${managedFile}: ${managedDoubt}`;
  expect(noticeInWords({ code: 'settings_file_unchecked', doubt })).toBe(`${doubt}. ${fileDoubtAdvice}`);

  const managedStanding = { kind: 'unchecked', line: managedDoubt } as const;
  const loaded = loadSettings({ dataDir, flags: {}, environment: {}, managedFile, managedStanding });
  const findings = await examine({
    dataDir,
    held: heldSettings(loaded, { running: null, needsRestart: false }),
    service: async () => [],
    version: '1',
    clock,
    status: null,
  });
  expect(findings.filter(({ check }) => check === 'settings')).toEqual([
    { check: 'settings', verdict: 'warning', says: doubt, advice: fileDoubtAdvice },
  ]);
});
