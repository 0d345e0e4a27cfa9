import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from '../../tools/bundles.ts';

const run = promisify(execFile);

it('the demo tells its story, and every sale is on the service once', { timeout: 60_000 }, async () => {
  const { stdout } = await run(process.execPath, [join(root, 'demo', 'demo.ts'), '--quick'], { cwd: root });
  expect(stdout).toMatch(/12 sales, each on the service exactly once\./);
  expect(stdout.match(/ {3}once$/gm)).toHaveLength(12);
});
