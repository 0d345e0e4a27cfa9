import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

// What stands where a stopped till has its own files, and what a command says of it.

let dataDir: string;
let outDir: string;
beforeEach(async () => {
  dataDir = newDataDir();
  outDir = newDataDir();
  await (await startAgentProcess({ dataDir })).stop();
});
afterEach(() => {
  for (const dir of [dataDir, outDir]) rmSync(dir, { recursive: true, force: true });
});

async function run(args: readonly string[]) {
  const ended = await new CommandProcess(['tillbridge', ...args, '--data-dir', dataDir, '--json']).ended;
  return { ...ended, json: JSON.parse(ended.stdout) };
}

const problems = (json: { findings: { verdict: string; says: string }[] }) =>
  json.findings.filter(({ verdict }) => verdict === 'problem').map(({ says }) => says);

it('the doctor names a secrets.json that ends in the middle, once', async () => {
  const path = join(dataDir, 'secrets.json');
  truncateSync(path, 100);
  const { exitCode, json } = await run(['doctor']);
  expect(exitCode).toBe(1);
  expect(problems(json)).toEqual([expect.stringContaining(`${path} ends in the middle`)]);
  expect(readFileSync(path)).toHaveLength(100);
});

it.each([
  ['agent.lock', 'the agent does not start'],
  ['agent.json', 'no command finds a running agent'],
])('the doctor tells of a folder in the place of %s', async (name, consequence) => {
  const path = join(dataDir, name);
  rmSync(path, { force: true });
  mkdirSync(path);
  const { exitCode, json } = await run(['doctor']);
  expect(exitCode).toBe(1);
  expect(problems(json)).toEqual([`${path} is no file: ${consequence}`]);
});

it('a backup that is made and cannot be noted in the data folder has succeeded, and says so', async () => {
  mkdirSync(join(dataDir, 'backups.json'));
  const out = join(outDir, 'till.backup');
  const { exitCode, json, stderr } = await run(['backup', out]);
  expect(exitCode).toBe(0);
  expect(json).toMatchObject({ file: out, is_noted: false });
  expect(stderr).toContain('The backup is made.');
  expect(existsSync(out)).toBe(true);
  expect((await run(['restore', out])).exitCode).toBe(0);
});

it.each([
  // What was in the database is not known then.
  ['sandbox.sqlite', 1, null],
  ['sandbox.sqlite-open', 0, 0],
  ['sandbox.sqlite-wal', 0, 0],
  ['sandbox.sqlite-replacing', 0, 0],
])('a restore puts a folder in the place of %s aside', async (name, exitCode, unreadable) => {
  const out = join(outDir, 'till.backup');
  expect((await run(['backup', out])).exitCode).toBe(0);
  const path = join(dataDir, name);
  rmSync(path, { force: true });
  mkdirSync(join(path, 'somebody'), { recursive: true });
  expect(await run(['restore', out])).toMatchObject({ exitCode, json: { operations: 0, unreadable } });
  const aside = readdirSync(dataDir).find((found) => found.includes('.no-file-'));
  expect(readdirSync(join(dataDir, aside ?? ''))).toEqual(['somebody']);
  expect((await run(['restore', out])).json).toMatchObject({ carried: 0 });
});
