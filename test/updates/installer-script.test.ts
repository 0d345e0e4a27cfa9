import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../tools/bundles.ts';
import { temporaryFolder } from '../support/core-rows.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
  for (const one of ['app/agent', 'bin']) mkdirSync(folder.file(one), { recursive: true });
  const script = readFileSync(join(root, 'packaging', 'linux', 'tillbridge-install'), 'utf8');
  put(
    'app/tillbridge-install',
    script
      .replace('/var/lib/tillbridge-packages', folder.file('kept'))
      .replace('PATH=/usr/sbin', `PATH=${folder.file('bin')}:/usr/sbin`)
      // Nobody waits so long for a test.
      .replace('begin 20', 'begin 0'),
  );
  writeFileSync(folder.file('app/agent/package.json'), '{ "version": "0.1.0" }');
  writeFileSync(folder.file('till.deb'), 'a package');
  put('bin/id', '#!/bin/sh\necho "$USER_ID"\n');
  put('bin/pkexec', `#!/bin/sh\necho "$@" >>"${folder.file('asked')}"\n`);
  put('bin/dpkg-deb', '#!/bin/sh\necho 0.1.0\n');
});
afterEach(() => folder.remove());

function put(name: string, text: string): void {
  writeFileSync(folder.file(name), text);
  chmodSync(folder.file(name), 0o755);
}
const script = () => folder.file('app/tillbridge-install');
/** As root, unless the environment says otherwise. */
const environment = (changes: NodeJS.ProcessEnv = {}) => ({
  PATH: `${folder.file('bin')}:${process.env.PATH}`,
  USER_ID: '0',
  ...changes,
});
const run = (words: readonly string[], changes: NodeJS.ProcessEnv = {}) =>
  spawnSync(script(), words, { encoding: 'utf8', env: environment(changes) });
const keep = (changes?: NodeJS.ProcessEnv) => run(['keep', folder.file('till.deb')], changes);

describe.skipIf(process.platform !== 'linux')('the installer that root runs', () => {
  it('keeps a package that an administrator names', () => {
    expect(keep()).toMatchObject({ status: 0, stdout: expect.stringContaining('The package of 0.1.0 is kept') });
    expect(readFileSync(folder.file('kept/installed.deb'), 'utf8')).toBe('a package');
  });

  it('keeps none for the user at the till, of whom pkexec asks no password', () => {
    const refusal = { status: 1, stderr: expect.stringContaining(`sudo ${script()} keep FILE`) };
    // Asked of pkexec by the user, where it says who has asked.
    expect(keep({ PKEXEC_UID: '1000' })).toMatchObject(refusal);
    expect(keep({ USER_ID: '1000' })).toMatchObject(refusal);
    expect(existsSync(folder.file('kept'))).toBe(false);
    expect(existsSync(folder.file('asked'))).toBe(false);
  });

  it('is asked of pkexec by the user at the till for an update, and for the way back', () => {
    run(['update', '/feed', '/package.deb'], { USER_ID: '1000' });
    run(['back'], { USER_ID: '1000' });
    expect(readFileSync(folder.file('asked'), 'utf8')).toBe(
      `${script()} update /feed /package.deb\n${script()} back\n`,
    );
  });

  it('installs one update at a time, and says with an exit code of its own that another one is under way', async () => {
    put('app/agent/node', `#!/bin/sh\ntouch "${folder.file('begun')}"\nread -r line\n`);
    const first = spawn(script(), ['update', '/feed', '/package.deb'], { env: environment() });
    const ended = once(first, 'close');
    await expect.poll(() => existsSync(folder.file('begun'))).toBe(true);
    const busy = { status: 75, stderr: 'Another installation is under way.\n' };
    expect(run(['update', '/feed', '/package.deb'])).toMatchObject(busy);
    first.stdin.end('go on\n');
    expect(await ended).toEqual([0, null]);
    expect(run(['update', '/feed', '/package.deb']).status).not.toBe(75);
    // Whoever may open it could hold it.
    expect(statSync(folder.file('kept/lock')).mode & 0o077).toBe(0);
  });

  it('leaves the lock to nothing that the package before starts', () => {
    mkdirSync(folder.file('kept'));
    writeFileSync(folder.file('kept/before.deb'), 'the package before');
    writeFileSync(folder.file('kept/before.version'), '0.0.9\n');
    put('bin/dpkg', '#!/bin/sh\n[ ! -e /proc/self/fd/9 ]\n');
    expect(run(['back'])).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(folder.file('kept')).sort()).toEqual(['installed.deb', 'installed.version', 'lock']);
  });
});
