import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownDataDir } from '../../app/config/data-dir.ts';
import { builtCli } from '../support/built-cli.ts';
import { cleanEnvironment } from '../support/clean-environment.ts';
import { temporaryFolder } from '../support/core-rows.ts';

const isServiceInstalled = existsSync('/etc/systemd/system/tillbridge.service');

it.skipIf(process.platform === 'win32' || isServiceInstalled).each(['', 'relative', './here'])(
  'a login whose home is %j has no folder of its own: nothing is made in the current one',
  (HOME) => {
    const here = temporaryFolder();
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, [builtCli(), ...args], {
        cwd: here.path,
        env: { ...cleanEnvironment('XDG_'), HOME },
        encoding: 'utf8',
        timeout: 20_000,
      });
    const line = 'The home folder of this user (HOME) is not an absolute path. Name the data folder with --data-dir.\n';
    for (const command of [
      ['agent', '--port', '0'],
      ['start'],
      ['tillbridge', 'status'],
      ['tillbridge', 'settings', 'set', 'shop_name', 'North'],
    ]) {
      expect(run(...command)).toMatchObject({ status: 2, stdout: '', stderr: line });
    }
    expect(readdirSync(here.path)).toEqual([]);
    const named = join(here.path, 'till');
    expect(run('tillbridge', 'settings', 'set', 'shop_name', 'North', '--data-dir', named).status).toBe(0);
    here.remove();
  },
);

it('on Windows a place that is not absolute counts as not given', () => {
  expect(ownDataDir({ LOCALAPPDATA: '' }, 'win32', 'C:\\home')).toContain('C:\\home');
  expect(ownDataDir({ LOCALAPPDATA: 'here' }, 'win32', 'home')).toBeNull();
  expect(ownDataDir({}, 'linux', '')).toBeNull();
  expect(ownDataDir({ XDG_DATA_HOME: '/data' }, 'linux', '')).toBe('/data/tillbridge');
});
