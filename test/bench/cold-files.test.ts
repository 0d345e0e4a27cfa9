import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dropFiles } from './cold-files.ts';

/** By fincore of util-linux; null where there is none. */
function cachedBytes(path: string): number | null {
  const { status, stdout } = spawnSync('fincore', ['--bytes', '--noheadings', '--output', 'RES', path], {
    encoding: 'utf8',
  });
  return status === 0 ? Number(stdout.trim()) : null;
}

describe.skipIf(cachedBytes(import.meta.filename) === null)('files that are dropped from the cache', () => {
  it('are in it no more, not even when they were written just now', () => {
    const parent = join(import.meta.dirname, '..', '..', 'node_modules', '.cache');
    mkdirSync(parent, { recursive: true });
    const folder = mkdtempSync(join(parent, 'cold-'));
    try {
      const path = join(folder, 'file');
      writeFileSync(path, Buffer.alloc(1_000_000, 1));
      expect(cachedBytes(path)).toBeGreaterThanOrEqual(1_000_000);
      expect(dropFiles([path])).toEqual({ kind: 'dropped', files: 1 });
      expect(cachedBytes(path)).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
