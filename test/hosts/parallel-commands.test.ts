import { once } from 'node:events';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockDataFolder } from '../../app/machine/lock.ts';
import { CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = newDataDir();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const run = (...args: readonly string[]) => new CommandProcess(['tillbridge', ...args, '--data-dir', dataDir]).ended;
const set = (name: string) => run('settings', 'set', name, 'North');
const others = [
  ['status', 3, 'No agent runs on DIR'],
  ['stop', 0, 'No agent runs on DIR'],
  ['queue list', 0, ''],
] as const;

it('commands of a stopped till wait for each other', async () => {
  const names = ['device_name', 'shop_name', 'device_ref', 'branch_ref'];
  const ended = await Promise.all(names.map(set));
  expect(ended.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(names.map(() => [0, '']));
  expect(JSON.parse(readFileSync(join(dataDir, 'settings.json'), 'utf8'))).toMatchObject({
    device_name: 'North',
    shop_name: 'North',
    device_ref: 'North',
    branch_ref: 'North',
  });
});

it('is not told of an agent where there is none: a command waits, and then says who may have the folder', async () => {
  await (await startAgentProcess({ dataDir })).stop();
  let unlock = lockDataFolder(dataDir);
  const waiting = others.map(([command]) => run(...command.split(' ')));
  await pause(1_500);
  unlock();
  for (const [index, [, exitCode, says]] of others.entries()) {
    const ended = await waiting[index];
    expect(ended?.exitCode).toBe(exitCode);
    expect(`${ended?.stdout}${ended?.stderr}`).toContain(says.replace('DIR', dataDir));
  }
  unlock = lockDataFolder(dataDir);
  const line = `An agent or another command has ${dataDir}, and does not answer. Try again in a minute: an agent writes a missing agent.json again. Should that not help, end the agent and start it again.\n`;
  const refused = await Promise.all([...others.map(([command]) => run(...command.split(' '))), set('shop_name')]);
  unlock();
  for (const ended of refused) expect(ended).toMatchObject({ exitCode: 3, stdout: '', stderr: line });
});

it.each([
  ['in good order', 'SIGTERM'],
  ['killed, and has left its agent.json', 'SIGKILL'],
] as const)('is waited for by a restore, and by a starting agent, where the one before ended %s', async (_, signal) => {
  const before = await startAgentProcess({ dataDir });
  const backup = join(dataDir, 'till.backup');
  expect(await run('backup', backup)).toMatchObject({ exitCode: 0 });
  await before.stop(signal);
  const told = signal === 'SIGKILL' ? readFileSync(join(dataDir, 'agent.json')) : null;
  const meanwhile = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    const unlock = lockDataFolder(dataDir);
    setTimeout(unlock, 1_500);
    if (told !== null) writeFileSync(join(dataDir, 'agent.json'), told);
    return act();
  };
  expect(await meanwhile(() => run('restore', backup))).toMatchObject({ exitCode: 0, stderr: '' });
  const agent = await meanwhile(() => startAgentProcess({ dataDir }));
  const inUse = `Another Tillbridge agent is running on ${dataDir}, or a command works there. Stop it first`;
  expect(await run('restore', backup)).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(inUse) });
  await agent.stop();
});

it('is told of the agent that began to start before', async () => {
  const agent = await startAgentProcess({ dataDir });
  const [told, away] = [join(dataDir, 'agent.json'), join(dataDir, 'agent.json.away')];
  // It has the folder, and does not say yet where it is.
  renameSync(told, away);
  const waiting = [...['queue list', 'status'].map((command) => run(...command.split(' '))), set('shop_name')];
  await pause(2_000);
  renameSync(away, told);
  for (const ended of await Promise.all(waiting)) expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
  await agent.stop();
});

it('waits no longer for an agent that takes connections and answers none', async () => {
  await (await startAgentProcess({ dataDir })).stop();
  const hung = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(hung, 'listening');
  const address = hung.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const unlock = lockDataFolder(dataDir);
  writeFileSync(join(dataDir, 'agent.json'), JSON.stringify({ port, pid: process.pid }));
  const startedAtMs = performance.now();
  expect(await run('status')).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('does not answer') });
  expect(performance.now() - startedAtMs).toBeLessThan(45_000);
  unlock();
  hung.close();
});
