import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('a large answer comes whole from a contender that ends right after it', async () => {
  const module = JSON.stringify(join(import.meta.dirname, 'contender.ts'));
  const program = `
    const { answer } = await import(${module});
    await answer({ tookMs: Array(100_000).fill(1.234567) });
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    maxBuffer: 2 ** 24,
  });
  expect(JSON.parse(stdout)).toEqual({ tookMs: Array(100_000).fill(1.234567) });
});
