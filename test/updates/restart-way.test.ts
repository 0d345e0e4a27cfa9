import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isWatchedWindow, restartWay } from '../../main/restart-way.ts';
import { temporaryFolder } from '../support/core-rows.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const watching = ['/opt/tillbridge/tillbridge', '/opt/tillbridge/resources/agent/cli.js', 'window', '--data-dir', '/d'];
const launcher = ['/bin/sh', '/opt/tillbridge/resources/tillbridge', '--data-dir', '/d'];

function process(pid: number, { above, words }: { readonly above: number; readonly words: readonly string[] }): void {
  mkdirSync(folder.file(String(pid)));
  writeFileSync(folder.file(`${pid}/cmdline`), words.map((word) => `${word}\0`).join(''));
  writeFileSync(folder.file(`${pid}/status`), `Name:\tsh\nPid:\t${pid}\nPPid:\t${above}\nTracerPid:\t0\n`);
}

describe('a window is watched', () => {
  const isWatched = (pid: number) => isWatchedWindow(pid, folder.file('.'));

  it('when the watching program has started it, also through the launcher of a trial', () => {
    process(20, { above: 1, words: watching });
    process(30, { above: 20, words: launcher });
    expect([isWatched(20), isWatched(30)]).toEqual([true, true]);
  });

  it('not when a person or the system has started it', () => {
    process(1, { above: 0, words: ['/sbin/init'] });
    process(10, { above: 1, words: ['gnome-shell', 'window'] });
    process(11, { above: 10, words: launcher });
    process(12, { above: 99, words: launcher });
    expect([1, 10, 11, 12, 99].map(isWatched)).toEqual([false, false, false, false, false]);
  });
});

describe('a window starts again', () => {
  const way = (part: Partial<Parameters<typeof restartWay>[0]>) =>
    restartWay({
      resources: folder.file('.'),
      appImage: undefined,
      flags: ['--no-sandbox', '--data-dir', '/d'],
      isWatched: false,
      ...part,
    });

  it('with its watching program, where it has one', () => {
    writeFileSync(folder.file('tillbridge'), '');
    expect(way({ isWatched: true })).toEqual({
      kind: 'program',
      executable: folder.file('agent/tillbridge-agent'),
      args: ['window', '--data-dir', '/d'],
    });
  });

  it('through the launcher of its package, and else by Electron', () => {
    expect(way({})).toEqual({ kind: 'relaunch', execPath: null });
    writeFileSync(folder.file('tillbridge'), '');
    expect(way({})).toEqual({
      kind: 'program',
      executable: folder.file('tillbridge'),
      args: ['--no-sandbox', '--data-dir', '/d'],
    });
    const appImage = '/home/mona/Tillbridge.AppImage';
    expect(way({ appImage })).toEqual({ kind: 'relaunch', execPath: appImage });
  });
});
