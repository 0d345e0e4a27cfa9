import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataFolderInUseError } from '../../app/machine/lock.ts';
import { type AfterInstaller, closeAndInstall, InstallerBusyError } from '../../app/updates/close-and-install.ts';
import { readTrial, readUpdateMemory, writeTrial } from '../../app/updates/update-files.ts';
import { temporaryFolder } from '../support/core-rows.ts';

const nowMs = Date.UTC(2026, 10, 22, 3);
let folder: ReturnType<typeof temporaryFolder>;
let dataDir: string;
let steps: string[];
beforeEach(() => {
  folder = temporaryFolder();
  dataDir = folder.file('data');
  mkdirSync(dataDir);
  steps = [];
});
afterEach(() => folder.remove());

function run(
  install: () => Promise<AfterInstaller>,
  endAgent: () => Promise<void> = async () => undefined,
): Promise<void> {
  return closeAndInstall({
    dataDir,
    version: '0.2.0',
    async endAgent() {
      steps.push('end');
      await endAgent();
    },
    async install() {
      steps.push('install');
      return install();
    },
    startAgain: () => void steps.push('start'),
    tell: () => void steps.push('tell'),
    nowMs: () => nowMs,
  });
}

const fails = (error: Error) => async (): Promise<never> => {
  throw error;
};

describe('an installation', () => {
  it('starts again when the installer is done, and leaves that to one that does it by itself', async () => {
    await run(async () => 'start_again');
    expect(steps.splice(0)).toEqual(['end', 'install', 'start']);
    await run(async () => 'starts_by_itself');
    expect(steps).toEqual(['end', 'install']);
    expect(readUpdateMemory(dataDir).not_installed).toBe(null);
  });

  it('that fails is noted, is no trial, and starts this version again', async () => {
    writeTrial(dataDir, { from: '0.1.0', to: '0.2.0' }, 1);
    await run(fails(new Error('dpkg ended with 1')));
    expect(steps).toEqual(['end', 'install', 'tell', 'start']);
    expect(readTrial(dataDir)).toBe(null);
    expect(readUpdateMemory(dataDir).not_installed).toEqual({
      version: '0.2.0',
      reason: 'dpkg ended with 1',
      again_at_ms: null,
    });
  });

  it.each([new InstallerBusyError('dpkg is in use'), new DataFolderInUseError('/data')])(
    'that was in the way of another program is tried again by itself: $name',
    async (error) => {
      await run(fails(error));
      expect(readUpdateMemory(dataDir).not_installed?.again_at_ms).toBe(nowMs + 3_600_000);
    },
  );

  it('that fails starts again also where the disk takes no note of it', async () => {
    // No file can be made in it, as on a full disk.
    writeFileSync(folder.file('data/updates'), '');
    await run(fails(new Error('the disk is full')));
    expect(steps).toEqual(['end', 'install', 'tell', 'tell', 'start']);
  });

  it('whose agent does not end well installs nothing, and starts again', async () => {
    await run(async () => 'start_again', fails(new Error('the database is locked')));
    expect(steps).toEqual(['end', 'tell', 'start']);
    expect(readUpdateMemory(dataDir).not_installed?.reason).toBe('the database is locked');
  });
});
