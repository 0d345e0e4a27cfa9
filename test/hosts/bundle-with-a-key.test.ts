import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CommandProcess, newDataDir, runWithInput, startAgentProcess } from '../support/agent-process.ts';

let dataDir: string;
let outDir: string;
beforeEach(() => {
  dataDir = newDataDir();
  outDir = newDataDir();
});
afterEach(() => {
  for (const dir of [dataDir, outDir]) rmSync(dir, { recursive: true, force: true });
});

it('a bundle is saved of a till whose API key was set at the till: the address that it is for is no secret', async () => {
  const address = 'http://127.0.0.1:9/v1';
  const settings = ['mode', 'production', 'base_url', address, 'api_key', '-'];
  const set = await runWithInput(
    'loyalty_pk_live_kept_1',
    'tillbridge',
    'settings',
    'set',
    ...settings,
    '--data-dir',
    dataDir,
    '--yes',
  );
  expect(set.exitCode).toBe(0);
  await (await startAgentProcess({ dataDir })).stop();
  const out = join(outDir, 'till.zip');
  const ended = await new CommandProcess(['tillbridge', 'bundle', out, '--data-dir', dataDir]).ended;
  expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Saved as') });
  expect(existsSync(out)).toBe(true);
});
