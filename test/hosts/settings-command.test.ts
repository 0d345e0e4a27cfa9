import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDataFolder } from '../../app/machine/lock.ts';
import { apiKeyName, fileSecretStore } from '../../app/machine/secrets.ts';
import {
  type AgentProcess,
  CommandProcess,
  newDataDir,
  runWithInput,
  startAgentProcess,
} from '../support/agent-process.ts';

const liveKey = 'loyalty_pk_live_set_me_12';
const nobodyThere = 'http://127.0.0.1:9/v1';
let dataDir: string;
let agent: AgentProcess | null;
beforeEach(() => {
  dataDir = newDataDir();
  agent = null;
});
afterEach(async () => {
  await agent?.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

describe('settings by command', () => {
  const run = (...args: readonly string[]) => new CommandProcess(['tillbridge', ...args, '--data-dir', dataDir]).ended;

  it('are listed and changed, whether the agent runs or not', async () => {
    agent = await startAgentProcess({ dataDir });
    expect((await run('settings', 'set', 'device_name', 'Front')).exitCode).toBe(0);
    expect((await run('settings', 'set', 'bridge.port', '1234')).stderr).toContain('bridge.port: is locked');
    expect((await run('settings', 'set', 'currency', 'nonsense')).exitCode).toBe(2);
    await agent.stop();
    const listed = await run('settings', 'list');
    expect(listed.stdout).toMatch(/device_name +Front +saved/);
    expect(listed.stdout).toMatch(/base_url +none +default/);
    expect(listed.stdout).toMatch(/enroll_templates +none +default/);
    expect((await run('settings', 'unset', 'device_name')).exitCode).toBe(0);
    expect((await run('settings', 'list')).stdout).toMatch(/device_name +Till 1 +default/);
    expect((await run('settings', 'set', 'api_key', 'loyalty_pk_test_x')).exitCode).toBe(2);
  });

  it('save a backup folder that is not there yet, and say that no backup can be made until it is', async () => {
    const missing = join(dataDir, 'share');
    const saved = await run('settings', 'set', 'backup.folder', missing);
    expect(saved).toMatchObject({
      exitCode: 0,
      stdout: 'Saved.\n',
      stderr: `No backup can be made yet: ${missing} does not exist. Mount its share, or create the folder.\n`,
    });
    expect((await run('settings', 'list')).stdout).toMatch(/backup\.folder +\S+share +saved/);
    expect((await run('settings', 'set', 'backup.folder', dataDir)).stderr).toBe('');
    expect((await run('settings', 'set', 'backup.folder', '')).stderr).toBe('');
  });

  const set = (input: string | null, ...args: readonly string[]) =>
    runWithInput(input ?? '', 'tillbridge', 'settings', 'set', ...args, '--data-dir', dataDir);
  const list = async () => JSON.parse((await run('settings', 'list', '--json')).stdout);

  it('lead to production before any agent ran, all at once, with the key in the secret store alone', async () => {
    const toProduction = ['mode', 'production', 'base_url', nobodyThere];
    const without = await set(null, ...toProduction);
    expect(without).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('api_key: is needed') });
    const wrongKind = await set('loyalty_pk_test_1234567', ...toProduction, 'api_key', '-');
    expect(wrongKind).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('api_key: is a sandbox key') });
    expect(wrongKind.stderr).not.toContain('1234567');
    const nothing = await set('', ...toProduction, 'api_key', '-');
    expect(nothing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('api_key: nothing came') });
    expect((await list()).settings).toContainEqual({
      name: 'mode',
      value: 'sandbox',
      source: 'default',
      locked: false,
    });

    expect(await set(`${liveKey}\n`, ...toProduction, 'api_key', '-')).toMatchObject({
      exitCode: 0,
      stdout: 'Saved.\n',
    });
    expect(readFileSync(join(dataDir, 'settings.json'), 'utf8')).not.toContain(liveKey);
    expect(await fileSecretStore(dataDir).get(apiKeyName('production'))).toBe(liveKey);
    const listed = await list();
    expect(listed).toMatchObject({ waiting: { sandbox: 0, production: 0 }, restart_needed: false, warnings: [] });
    expect(listed.settings).toContainEqual({ name: 'mode', value: 'production', source: 'saved', locked: false });
    expect(JSON.stringify(listed)).not.toContain(liveKey);
    agent = await startAgentProcess({ dataDir });
    expect(agent.mode).toBe('production');
  });

  it('ask before they change what operations wait for', async () => {
    await fileSecretStore(dataDir).set(apiKeyName('production'), liveKey);
    writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ mode: 'production', base_url: nobodyThere }));
    agent = await startAgentProcess({ dataDir });
    const sale = { identifier: { loyalty_id: 'LC-1' }, external_ref: 'LEFT-1', amount_minor: 1_000 };
    expect((await agent.call('POST', '/transactions/earn', sale)).status).toBe(202);
    await agent.stop();
    const toSandbox = ['mode', 'sandbox', 'base_url', ''];
    const asked = await set(null, ...toSandbox, '--json');
    expect(asked.exitCode).toBe(1);
    expect(JSON.parse(asked.stdout)).toEqual({ kind: 'needs_confirmation', waiting: { sandbox: 0, production: 1 } });
    expect((await set(null, ...toSandbox)).stdout).toContain('1 operation of production mode');
    expect((await set(null, ...toSandbox, '--yes')).exitCode).toBe(0);
    agent = await startAgentProcess({ dataDir });
    expect(agent.mode).toBe('sandbox');
    expect((await agent.call('GET', '/agent/status')).json).toMatchObject({
      notices: [{ code: 'production_waiting', waiting: 1, is_sending: true }],
    });
  });

  it('are not saved at first where nobody can read how much waits', async () => {
    writeFileSync(join(dataDir, 'production.sqlite'), 'no database');
    expect(await list()).toMatchObject({ waiting: { sandbox: 0, production: null } });
    const toProduction = ['mode', 'production', 'base_url', nobodyThere, 'api_key', '-'];
    expect(await set(liveKey, ...toProduction)).toMatchObject({
      exitCode: 1,
      stdout:
        'Not saved: nobody knows how many operations of production mode waiting under the old value. --yes saves the change anyway.\n',
    });
    expect((await set(liveKey, ...toProduction, '--yes')).exitCode).toBe(0);
  });

  it('say when a running agent has to be started again', async () => {
    agent = await startAgentProcess({ dataDir });
    expect((await set(null, 'device_name', 'Front', '--json')).stdout).toBe('{"kind":"saved","restart_needed":true}\n');
    expect((await list()).restart_needed).toBe(true);
    expect((await set(null, 'device_name', 'Back')).stdout).toBe('Saved. Start the agent again to use the change.\n');
    expect((await set(null, 'cashiers.sign_in', 'on')).stdout).toBe(
      'Saved; it counts already. Changes before it need a new start of the agent.\n',
    );
    await agent.stop();
    agent = await startAgentProcess({ dataDir });
    expect((await list()).restart_needed).toBe(false);
  });

  it('are refused in words: odd pairs, a name twice, two values from one input, a folder that is in use', async () => {
    expect((await set(null, 'device_name', 'A', 'locale')).stderr).toContain('VALUE: is missing for locale');
    expect((await set(null, 'device_name', 'A', 'device_name', 'B')).stderr).toContain('device_name: is given twice');
    expect((await set('x', 'device_name', '-', 'api_key', '-')).stderr).toContain('only one can be read');
    const unlock = lockDataFolder(dataDir);
    try {
      expect(await set(null, 'device_name', 'A')).toMatchObject({ exitCode: 3 });
    } finally {
      unlock();
    }
  });

  it('tell of a bad file, and end as a problem', async () => {
    expect((await set(null, 'device_name', 'Front')).exitCode).toBe(0);
    writeFileSync(join(dataDir, 'settings.json'), '{');
    const listed = await run('settings', 'list');
    expect(listed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('half of the file is missing') });
    expect(listed.stdout).toMatch(/device_name +Front +saved/);
    expect(await set(null, 'device_name', 'Back')).toMatchObject({ exitCode: 2 });
  });

  it('tell of a file in which a name stands twice, use its last good content and leave it as it is', async () => {
    expect((await set(null, 'device_name', 'Front')).exitCode).toBe(0);
    const twice = '{\n"device_name": "Left",\n"device_name": "Right"\n}';
    const path = join(dataDir, 'settings.json');
    writeFileSync(path, twice);
    const listed = await run('settings', 'list');
    const said = 'has twice: device_name (lines 2 and 3). Keep one of each';
    expect(listed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`${path}: ${said}\n`) });
    expect(listed.stdout).toMatch(/device_name +Front +saved/);
    expect(await set(null, 'device_name', 'Back')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(said),
    });
    expect(readFileSync(path, 'utf8')).toBe(twice);
  });
});
