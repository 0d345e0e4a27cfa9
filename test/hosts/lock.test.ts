import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataFolderError, DataFolderInUseError, lockDataFolder } from '../../app/lock.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

async function holderProcess() {
  const module = join(import.meta.dirname, '../../app/lock.ts');
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

  it('that cannot be made is told with its name', () => {
    const file = join(dataDir, 'file');
    writeFileSync(file, '');
    expect(() => lockDataFolder(join(file, 'folder'))).toThrow(DataFolderError);
  });
});
