import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWentBack } from '../../app/updates/update-files.ts';
import { root } from '../../tools/bundles.ts';
import { temporaryFolder } from '../support/core-rows.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
  for (const one of ['app/resources', 'data/updates']) mkdirSync(folder.file(one), { recursive: true });
  const launcher = readFileSync(join(root, 'packaging', 'linux', 'tillbridge'), 'utf8');
  // Nobody waits a minute for a test: its seconds are short.
  put('app/resources/tillbridge', launcher.replaceAll('sleep 1', 'sleep 0.05'));
  put('app/resources/tillbridge-install', `#!/bin/sh\necho "$1" >>"${folder.file('installer')}"\n`);
});
afterEach(() => folder.remove());

function put(name: string, text: string): void {
  writeFileSync(folder.file(name), text);
  chmodSync(folder.file(name), 0o755);
}
/** What a start of the program does; `$count` is how many there were. */
function program(text: string): void {
  const starts = folder.file('starts');
  put(
    'app/tillbridge',
    `#!/bin/sh\necho start >>"${starts}"\ncount=$(wc -l <"${starts}")\ntrial="${folder.file('data/updates/trial')}"\n${text}\n`,
  );
}
function trial(): void {
  writeFileSync(folder.file('data/updates/trial'), 'pid=999999\nfrom=0.1.0\nto=0.2.0\n');
}
const launch = (...flags: string[]) =>
  spawnSync(folder.file('app/resources/tillbridge'), ['--data-dir', folder.file('data'), ...flags], {
    encoding: 'utf8',
  });
const starts = () => readFileSync(folder.file('starts'), 'utf8').trim().split('\n').length;
const wentBack = () => existsSync(folder.file('installer'));

describe.skipIf(process.platform === 'win32')('the launcher', () => {
  it('hands over to the program with its flags when nothing is on trial', () => {
    program('echo "$@"; exit 7');
    const { status, stdout } = launch('--mode', 'sandbox');
    expect(status).toBe(7);
    expect(stdout).toBe(`--data-dir ${folder.file('data')} --mode sandbox\n`);
  });

  it('waits for the window that could not install, which ends a moment later', async () => {
    program('echo "$LAUNCH_AFTER"; exit 0');
    const earlier = spawn('sleep', ['0.4']);
    const endedAt = once(earlier, 'close').then(() => performance.now());
    const launcher = spawn(folder.file('app/resources/tillbridge'), ['--data-dir', folder.file('data')], {
      env: { ...process.env, LAUNCH_AFTER: String(earlier.pid) },
    });
    let said = '';
    launcher.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    await once(launcher, 'close');
    expect(performance.now()).toBeGreaterThanOrEqual(await endedAt);
    expect(said).toBe('\n');
  });

  it('finds the data folder as the program does', () => {
    program('[ -f "$trial" ] && rm "$trial"; exit 0');
    const place = folder.file('app/resources/tillbridge');
    for (const [flags, env] of [
      [[`--data-dir=${folder.file('data')}`], {}],
      [[], { TILLBRIDGE_DATA_DIR: folder.file('data') }],
    ] as const) {
      trial();
      spawnSync(place, flags, { env: { PATH: process.env.PATH, ...env } });
      expect(existsSync(folder.file('data/updates/trial'))).toBe(false);
    }
  });

  it('leaves a version that was ready alone, however it ends later', () => {
    trial();
    program('rm "$trial"; sleep 0.3; exit 5');
    expect(launch().status).toBe(5);
    expect(starts()).toBe(1);
    expect(wentBack()).toBe(false);
  });

  it('starts a version again that died once', () => {
    trial();
    program('[ "$count" = 1 ] && exit 1; rm "$trial"; exit 0');
    expect(launch().status).toBe(0);
    expect(starts()).toBe(2);
    expect(wentBack()).toBe(false);
  });

  it('goes back when it has died twice, and starts the version before with the same flags', () => {
    trial();
    program('[ "$count" -lt 3 ] && exit 1; echo "before: $@"; exit 0');
    const { status, stdout, stderr } = launch('--mode', 'sandbox');
    expect(status).toBe(0);
    expect(stdout).toContain('--mode sandbox');
    expect(stderr).toContain('Version 0.2.0 did not start (died). The version before is installed again.');
    expect(starts()).toBe(3);
    expect(readWentBack(folder.file('data'))).toEqual({ from: '0.1.0', to: '0.2.0', why: 'died' });
  });

  it('counts a start that the power cut has ended', () => {
    trial();
    writeFileSync(folder.file('data/updates/trial-starts'), '1\n');
    program('[ "$count" -lt 2 ] && exit 1; exit 0');
    launch();
    expect(starts()).toBe(2);
    expect(wentBack()).toBe(true);
  });

  it('goes back when it is not ready in time', () => {
    trial();
    program('[ "$count" -lt 2 ] && exec sleep 30; exit 0');
    launch();
    expect(starts()).toBe(2);
    expect(readWentBack(folder.file('data'))?.why).toBe('not_ready');
  });

  it('says so where no version before is kept, and tries for ever no more', () => {
    trial();
    put('app/resources/tillbridge-install', '#!/bin/sh\necho "No package is kept." >&2\nexit 1\n');
    program('exit 1');
    const { status, stderr } = launch();
    expect(status).toBe(1);
    expect(stderr).toContain('could not be installed. Install a version by hand; the sales are safe');
    expect(readFileSync(folder.file('data/updates/launcher.log'), 'utf8')).toContain('No package is kept.');
  });

  it('watches once: whoever else starts the window waits until the trial is over', async () => {
    trial();
    program('[ -f "$trial" ] || exit 0; while [ ! -f "$trial.go" ]; do sleep 0.05; done; rm "$trial"; exit 0');
    const begin = () => spawn(folder.file('app/resources/tillbridge'), ['--data-dir', folder.file('data')]);
    const both = [begin(), begin()].map((child) => once(child, 'close'));
    await expect.poll(() => existsSync(folder.file('starts'))).toBe(true);
    expect(starts()).toBe(1);
    writeFileSync(folder.file('data/updates/trial.go'), '');
    expect(await Promise.all(both)).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(starts()).toBe(2);
    expect(wentBack()).toBe(false);
  });
});
