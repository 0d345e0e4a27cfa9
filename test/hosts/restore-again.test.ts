import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

let dataDir: string;
let outDir: string;
beforeEach(() => {
  dataDir = newDataDir();
  outDir = newDataDir();
});
afterEach(() => {
  for (const dir of [dataDir, outDir]) rmSync(dir, { recursive: true, force: true });
});

const run = (args: readonly string[], environment: Record<string, string> = {}) =>
  new CommandProcess(['tillbridge', ...args, '--data-dir', dataDir], environment).ended;

/** What a process does in the place of giving the restored database its name. */
function inPlaceOfTheName(act: string): Record<string, string> {
  const hook = join(outDir, 'hook.mjs');
  writeFileSync(
    hook,
    `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { renameSync } = fs;
fs.renameSync = (from, to) => {
  if (!String(from).endsWith('.restoring')) return renameSync(from, to);
  ${act}
};
syncBuiltinESMExports();
`,
  );
  return { NODE_OPTIONS: `--import ${pathToFileURL(hook).href}` };
}

it.each([
  ['was killed', `process.kill(process.pid, 'SIGKILL');`, true],
  ['failed', `throw Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY' });`, false],
])('a restore that %s, given again, carries over what is newer than the backup', async (_, act, isFinished) => {
  const agent = await startAgentProcess({ dataDir });
  const earn = async (external_ref: string) => {
    const body = { identifier: { loyalty_id: 'LC-1001' }, external_ref, amount_minor: 1_000 };
    expect((await agent.call('POST', '/transactions/earn', body)).status).toBe(202);
  };
  await earn('R-1');
  const file = join(outDir, 'till.backup');
  expect((await run(['backup', file])).exitCode).toBe(0);
  await earn('NEWER-1');
  await earn('NEWER-2');
  await agent.stop();

  expect((await run(['restore', file], inPlaceOfTheName(act))).exitCode).not.toBe(0);
  const [first] = readdirSync(dataDir).filter((name) => name.includes('before-restore'));
  const { exitCode, stdout } = await run(['restore', file]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('2 that are newer were carried over from the database before');
  const line = `That was finished first: the one before it is ${first}.`;
  if (isFinished) expect(stdout).toContain(line);
  else expect(stdout).not.toContain('finished first');
});
