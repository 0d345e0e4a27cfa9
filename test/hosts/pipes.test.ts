import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'pipes-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

/** In a process of its own: one that waits for a pipe can be ended from outside alone. */
function said(script: string): string {
  const folder = JSON.stringify(join(import.meta.dirname, '../../app'));
  const text = `const folder = ${folder}; const dataDir = ${JSON.stringify(dataDir)}; ${script}`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8', timeout: 5_000 });
}

describe.skipIf(process.platform === 'win32')('a pipe in the place of', () => {
  it.each([
    [
      'agent.json is no agent',
      'agent.json',
      `const { findRunningAgent } = await import(folder + '/http/running-agent.ts'); console.log(findRunningAgent(dataDir));`,
      'null',
    ],
    [
      'backups.json is no backup',
      'backups.json',
      `const { readLastBackup } = await import(folder + '/backups/last-backup.ts'); console.log(readLastBackup(dataDir, 'sandbox'));`,
      'null',
    ],
    [
      'audit.jsonl is told, and stops nothing',
      'audit.jsonl',
      `const { AuditLog } = await import(folder + '/audit/audit-log.ts');
       const onFailed = (error) => console.log(error.message);
       new AuditLog({ dataDir, key: new Uint8Array(32), isBegun: false, nowMs: () => 0, onFailed }).note({ event: 'started', mode: 'sandbox' });`,
      'audit.jsonl is a pipe or a device, where a file belongs: delete it, and try again',
    ],
  ])('%s, and is not waited for', (_, name, script, words) => {
    execFileSync('mkfifo', [join(dataDir, name)]);
    expect(said(script)).toContain(words);
  });
});
