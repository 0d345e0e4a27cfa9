import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { feedName } from '../../app/updates/feed.ts';
import { installUpdate, PackageManagerBusyError, runPackageManager } from '../../app/updates/install-package.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { makeUpdateKey, putFeed, signedFeed } from '../support/update-feed.ts';

const key = makeUpdateKey();
let folder: ReturnType<typeof temporaryFolder>;
let installed: string[];
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(folder.file('next'));
  installed = [];
});
afterEach(() => folder.remove());

const content = (version: string) => `the package of ${version}`;
function hand(version: string, { by = key, text = content(version) } = {}): void {
  const sha512 = createHash('sha512').update(content(version)).digest('base64');
  const files = [{ url: `tillbridge-${version}.deb`, sha512, size: content(version).length }];
  putFeed(folder.file('next'), signedFeed(by, { version, files }));
  writeFileSync(folder.file('package.deb'), text);
}
function install(version = '0.1.0', part: { readonly mayGoDown?: boolean; readonly fails?: boolean } = {}) {
  return installUpdate(
    { folder: folder.file('next'), file: folder.file('package.deb') },
    {
      version,
      platform: 'linux-x64',
      packageKind: 'deb',
      feedKeys: [key.publicKey],
      mayGoDown: part.mayGoDown ?? false,
      kept: folder.file('kept'),
      install(file) {
        if (part.fails === true) throw new Error('dpkg ended with 1');
        installed.push(readFileSync(file, 'utf8'));
      },
    },
  );
}
const kept = () =>
  Object.fromEntries(
    readdirSync(folder.file('kept')).map((name) => [name, readFileSync(folder.file(`kept/${name}`), 'utf8')]),
  );

describe('the installer', () => {
  it('installs its own copy of a signed package, and keeps it to go back to', () => {
    hand('0.2.0');
    expect(install()).toEqual({ kind: 'installed', version: '0.2.0' });
    expect(installed).toEqual([content('0.2.0')]);
    expect(kept()).toEqual({ 'installed.deb': content('0.2.0'), 'installed.version': '0.2.0\n' });
    expect(statSync(folder.file('kept/installed.version')).mode & 0o777).toBe(0o644);
  });

  it('keeps the package of the version before, and only that one', () => {
    hand('0.2.0');
    install();
    hand('0.3.0');
    install('0.2.0');
    expect(kept()).toMatchObject({ 'before.deb': content('0.2.0'), 'before.version': '0.2.0\n' });
    hand('0.4.0');
    // Somebody has installed 0.3.5 by hand: what is kept is not what runs.
    install('0.3.5');
    expect(existsSync(folder.file('kept/before.deb'))).toBe(false);
  });

  it('finishes what a power cut has left between the two files of a package', () => {
    hand('0.2.0');
    install();
    renameSync(folder.file('kept/installed.deb'), folder.file('kept/before.deb'));
    hand('0.3.0');
    expect(install('0.2.0')).toEqual({ kind: 'installed', version: '0.3.0' });
    expect(kept()).toMatchObject({ 'before.deb': content('0.2.0'), 'before.version': '0.2.0\n' });
  });

  it.each([
    ['that another key has signed', () => hand('0.2.0', { by: makeUpdateKey() }), 'signature'],
    [
      'that is not the one of the feed',
      () => hand('0.2.0', { text: 'another' }),
      'not the package that the feed names',
    ],
    ['that is older', () => hand('0.0.9'), 'older than 0.1.0'],
  ])('refuses a package %s, whoever hands it over', (_, given, words) => {
    mkdirSync(folder.file('kept'));
    given();
    expect(install()).toEqual({ kind: 'refused', line: expect.stringContaining(words) });
    expect(installed).toEqual([]);
    expect(readdirSync(folder.file('kept'))).toEqual([]);
  });

  it('goes down where the deployed settings allow it', () => {
    hand('0.0.9');
    expect(install('0.1.0', { mayGoDown: true }).kind).toBe('installed');
  });

  it('leaves nothing half done when the package manager fails', () => {
    hand('0.2.0');
    install();
    hand('0.3.0');
    expect(() => install('0.2.0', { fails: true })).toThrow('dpkg ended with 1');
    // The package of the version that still runs can be gone back to, also after the next try.
    expect(kept()).toEqual({ 'installed.deb': content('0.2.0'), 'installed.version': '0.2.0\n' });
  });
});

describe.skipIf(process.platform === 'win32')('the installer', () => {
  const pipe = (place: string) => void spawnSync('mkfifo', [place]);
  it.each([
    ['package', 'package.deb', 'a pipe', pipe],
    ['package', 'package.deb', 'a device', (place: string) => symlinkSync('/dev/zero', place)],
    ['feed', `next/${feedName('linux-x64')}`, 'a pipe', pipe],
    ['feed', `next/${feedName('linux-x64')}`, 'a device', (place: string) => symlinkSync('/dev/zero', place)],
  ])('reads the %s from a file alone (%s): %s may never end', (_, name, __, put) => {
    hand('0.2.0');
    rmSync(folder.file(name));
    put(folder.file(name));
    expect(() => install()).toThrow('is no file');
  });

  it('copies no more of a package than it may be', () => {
    hand('0.2.0');
    truncateSync(folder.file('package.deb'), 2 ** 40);
    expect(install()).toMatchObject({ kind: 'refused' });
  });

  it('writes its copy into no file that an earlier one may have open still', () => {
    mkdirSync(folder.file('kept'));
    const open = openSync(folder.file('kept/next.deb'), 'w');
    hand('0.2.0');
    install();
    writeSync(open, 'what nobody has signed');
    closeSync(open);
    expect(kept()).toEqual({ 'installed.deb': content('0.2.0'), 'installed.version': '0.2.0\n' });
  });
});

describe('dpkg', () => {
  const locked = {
    status: 2,
    stderr: 'dpkg: error: dpkg frontend lock was locked by another process with pid 7\nNote: removing is wrong\n',
  };
  /** @returns how many seconds were waited */
  function dpkg(...answers: readonly { readonly status: number | null; readonly stderr: string }[]): number {
    let count = 0;
    let waitedMs = 0;
    runPackageManager(() => answers[Math.min(count++, answers.length - 1)] ?? locked, {
      program: 'dpkg',
      pause: (ms) => {
        waitedMs += ms;
      },
    });
    return waitedMs / 1_000;
  }

  it('is asked again while the own updates of the system run, for 20 seconds', () => {
    const done = { status: 0, stderr: '' };
    expect(dpkg(done)).toBe(0);
    expect(dpkg(locked, locked, done)).toBe(2);
    expect(() => dpkg(locked)).toThrow(PackageManagerBusyError);
  });

  it('is asked once about a package that it does not take', () => {
    const refused = { status: 1, stderr: 'dpkg: error: not a Debian format archive\nErrors were encountered\n' };
    expect(() => dpkg(refused, locked)).toThrow(
      'dpkg ended with 1: dpkg: error: not a Debian format archive; Errors were encountered',
    );
  });
});
