import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DataFolderError, DataFolderInUseError, lockDataFolder, lockWhenFree } from '../../app/machine/lock.ts';

/** As told in the module. */
const lookEveryMs = 10_000;

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dataDir, { recursive: true });
});

async function holderProcess() {
  const module = pathToFileURL(join(import.meta.dirname, '../../app/machine/lock.ts')).href;
  const script = `
    const { lockDataFolder } = await import(${JSON.stringify(module)});
    lockDataFolder(${JSON.stringify(dataDir)});
    console.log('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe('the data folder', () => {
  it('is one agent’s, and free when it gives it back', () => {
    const release = lockDataFolder(dataDir);
    expect(() => lockDataFolder(dataDir)).toThrow(DataFolderInUseError);
    release();
    lockDataFolder(dataDir)();
  });

  it('held by another process is refused, and free the moment that one is killed', async () => {
    const holder = await holderProcess();
    try {
      expect(() => lockDataFolder(dataDir)).toThrow(DataFolderInUseError);
      expect(() => lockDataFolder(dataDir)).toThrow(dataDir);
    } finally {
      holder.kill('SIGKILL');
      await once(holder, 'exit');
    }
    lockDataFolder(dataDir)();
  });

  // SQLite opens a file that may not be written for reading alone; an exclusive lock is a shared one then.
  it.runIf(process.getuid?.() === 0)(
    'is refused where its lock may not be written, for it would keep nobody out',
    () => {
      const nobody = 65_534;
      chownSync(dataDir, nobody, nobody);
      writeFileSync(join(dataDir, 'agent.lock'), '', { mode: 0o400 });
      chownSync(join(dataDir, 'agent.lock'), nobody, nobody);
      process.seteuid?.(nobody);
      try {
        expect(() => lockDataFolder(dataDir)).toThrow(DataFolderError);
      } finally {
        process.seteuid?.(0);
      }
    },
  );

  it('leaves nothing beside its lock', () => {
    const release = lockDataFolder(dataDir);
    expect(readdirSync(dataDir)).toEqual(['agent.lock']);
    release();
    expect(readdirSync(dataDir)).toEqual(['agent.lock']);
  });

  it.skipIf(process.platform === 'win32')('is locked anew at once when its lock is deleted or replaced', async () => {
    const release = lockDataFolder(dataDir);
    const lock = join(dataDir, 'agent.lock');
    const isFree = () => {
      try {
        lockDataFolder(dataDir)();
        return true;
      } catch {
        return false;
      }
    };
    for (const meddle of [
      () => rmSync(lock),
      () => renameSync(lock, join(dataDir, 'moved')),
      () => {
        writeFileSync(join(dataDir, 'other'), '');
        renameSync(join(dataDir, 'other'), lock);
      },
    ]) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      meddle();
      await expect.poll(isFree, { timeout: 1_000, interval: 100 }).toBe(false);
    }
    release();
    expect(isFree()).toBe(true);
  });

  // Windows deletes and renames no file that is open.
  it.skipIf(process.platform === 'win32')('is locked again after a while where the system tells of no change', () => {
    vi.useFakeTimers();
    const release = lockDataFolder(dataDir);
    rmSync(join(dataDir, 'agent.lock'));
    vi.advanceTimersByTime(lookEveryMs);
    expect(() => lockDataFolder(dataDir)).toThrow(DataFolderInUseError);
    release();
    lockDataFolder(dataDir)();
  });

  it.skipIf(process.platform === 'win32')(
    'ends nobody when its lock cannot be looked at, and is locked again when it can',
    () => {
      vi.useFakeTimers();
      const release = lockDataFolder(dataDir);
      rmSync(join(dataDir, 'agent.lock'));
      symlinkSync('agent.lock', join(dataDir, 'agent.lock'));
      vi.advanceTimersByTime(2 * lookEveryMs);
      rmSync(join(dataDir, 'agent.lock'));
      vi.advanceTimersByTime(lookEveryMs);
      expect(() => lockDataFolder(dataDir)).toThrow(DataFolderInUseError);
      release();
    },
  );

  it.skipIf(process.platform === 'win32')(
    'is told to be another’s when that one was faster, until it is free again',
    () => {
      vi.useFakeTimers();
      const told: boolean[] = [];
      const release = lockDataFolder(dataDir, (isTaken) => told.push(isTaken));
      rmSync(join(dataDir, 'agent.lock'));
      const releaseOther = lockDataFolder(dataDir);
      vi.advanceTimersByTime(5 * lookEveryMs);
      expect(told).toEqual([true]);
      releaseOther();
      vi.advanceTimersByTime(lookEveryMs);
      expect(told).toEqual([true, false]);
      expect(() => lockDataFolder(dataDir)).toThrow(DataFolderInUseError);
      release();
    },
  );

  it('with a lock that is damaged is locked all the same, and held against others', () => {
    writeFileSync(join(dataDir, 'agent.lock'), '\0\0\0');
    const release = lockDataFolder(dataDir);
    expect(() => lockDataFolder(dataDir)).toThrow(DataFolderInUseError);
    release();
  });

  it.each([
    // A user of Windows may make no symbolic link.
    ...(process.platform === 'win32' ? [] : [['a link', symlinkSync] as const]),
    ['a second name', linkSync] as const,
  ])('with %s of another file in the place of its lock is refused, and that file keeps what it holds', (_, make) => {
    const precious = join(dataDir, 'precious.txt');
    writeFileSync(precious, 'all my notes');
    make(precious, join(dataDir, 'agent.lock'));
    expect(() => lockDataFolder(dataDir)).toThrow(/agent\.lock is a link, where a file belongs: delete it/);
    expect(readFileSync(precious, 'utf8')).toBe('all my notes');
  });

  it('with a folder in the place of its lock names it and says that it may be deleted', () => {
    mkdirSync(join(dataDir, 'agent.lock'));
    const advice = /agent\.lock is a folder, where a file belongs: delete it, and try again/;
    expect(() => lockDataFolder(dataDir)).toThrow(advice);
  });

  it('that is a file, or stands under one, is told with what to do', () => {
    const file = join(dataDir, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'folder')]) {
      expect(() => lockDataFolder(path)).toThrow(/cannot be used: .* or name another with --data-dir/);
    }
  });

  it('that cannot be made is told with its name', () => {
    const file = join(dataDir, 'file');
    writeFileSync(file, '');
    expect(() => lockDataFolder(join(file, 'folder'))).toThrow(DataFolderError);
  });

  it('is waited for, and not for ever', async () => {
    const unlock = lockDataFolder(dataDir);
    await expect(lockWhenFree(dataDir, { withinMs: 200 })).rejects.toThrow(DataFolderInUseError);
    setTimeout(unlock, 300);
    (await lockWhenFree(dataDir, { withinMs: 20_000 }))();
  });
});
