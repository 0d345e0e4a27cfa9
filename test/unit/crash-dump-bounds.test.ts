import type { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { crashDir, crashDumps } from '../../app/machine/crash-dumps.ts';
import { makePrivateFolder } from '../../app/machine/files.ts';
import { boundDumps } from '../../main/crashes.ts';

vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  return { app: new Emitter(), crashReporter: {} };
});
const electronApp: EventEmitter = app;

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'dumps-'));
  makePrivateFolder(crashDir(dataDir));
});
afterEach(() => {
  electronApp.removeAllListeners();
  rmSync(dataDir, { recursive: true, force: true });
});

const dump = (name: string): void => writeFileSync(join(crashDir(dataDir), `${name}.dmp`), 'memory');

describe('crash dumps', () => {
  it('are bounded at the start, and after each crash of a page or another process while the app runs', () => {
    for (let count = 0; count < 7; count += 1) dump(`before-${count}`);
    boundDumps(dataDir, () => null);
    expect(crashDumps(dataDir)).toHaveLength(5);
    for (const event of ['render-process-gone', 'child-process-gone']) {
      dump(event);
      electronApp.emit(event);
      expect(crashDumps(dataDir)).toHaveLength(5);
    }
  });

  it('that cannot be deleted end nothing', () => {
    for (let count = 0; count < 6; count += 1) makePrivateFolder(join(crashDir(dataDir), `${count}.dmp`));
    expect(() => boundDumps(dataDir, () => null)).not.toThrow();
  });
});
