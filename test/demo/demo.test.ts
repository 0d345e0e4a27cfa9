import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from '../../tools/bundles.ts';

const run = promisify(execFile);

it.each(['demo/demo.ts', 'tools/test.ts'])('%s tells of itself with --help, and does nothing else', async (file) => {
  const { stdout, stderr } = await run(process.execPath, [join(root, file), '--help'], { cwd: root });
  expect(stdout).toMatch(/^Usage: npm /);
  expect(stdout).not.toMatch(/saved in|passed \(/);
  expect(stderr).toBe('');
});

it('the demo refuses a flag that it does not know', async () => {
  const wrong = run(process.execPath, [join(root, 'demo', 'demo.ts'), '--slow'], { cwd: root });
  await expect(wrong).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('--slow: is not a flag') });
});

it('the demo tells its story, and every sale is on the service once', { timeout: 60_000 }, async () => {
  const { stdout } = await run(process.execPath, [join(root, 'demo', 'demo.ts'), '--quick'], { cwd: root });
  expect(stdout).toMatch(/12 sales, each on the service exactly once\./);
  expect(stdout.match(/ {3}once$/gm)).toHaveLength(12);
});
