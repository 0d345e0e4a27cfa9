import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiKeyName, drainingKeyName, drainingOriginName, fileSecretStore } from '../../app/machine/secrets.ts';
import { type AgentProcess, newDataDir, runWithInput, startAgentProcess } from '../support/agent-process.ts';
import { until } from '../support/core-shop.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { refusal, ScriptedService } from '../support/scripted-service.ts';

const liveKey = 'loyalty_pk_live_drain_me_1';
let dataDir: string;
let service: ScriptedService;
let agent: AgentProcess | null;
beforeEach(async () => {
  dataDir = newDataDir();
  service = new ScriptedService(new ManualClock());
  agent = null;
  await service.start();
});
afterEach(async () => {
  await agent?.stop('SIGKILL');
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A production agent that was cut off after it took a sale, and then was stopped. */
async function leaveProductionSale(
  environment: Readonly<Record<string, string>> = {},
  externalRef = 'LEFT-1',
): Promise<void> {
  const { baseUrl } = service;
  await service.stop();
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ mode: 'production', base_url: baseUrl }));
  agent = await startAgentProcess({ dataDir, environment });
  expect(agent.mode).toBe('production');
  const body = { identifier: { loyalty_id: 'LC-1' }, external_ref: externalRef, amount_minor: 1_000 };
  expect((await agent.call('POST', '/transactions/earn', body)).status).toBe(202);
  await agent.stop();
}

async function startSandbox(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ mode: 'sandbox' }));
  agent = await startAgentProcess({ dataDir, environment });
  expect(agent.mode).toBe('sandbox');
}

const keepKey = () => fileSecretStore(dataDir).set(apiKeyName('production'), liveKey);

async function notices(): Promise<readonly { code: string; waiting?: number; is_sending?: boolean }[]> {
  const { json } = (await agent?.call('GET', '/agent/status')) ?? { json: { notices: [] } };
  return (json as { notices: { code: string }[] }).notices;
}

describe('production’s sales while the screen is in sandbox mode', () => {
  it('go on being sent, and the agent says that they wait', async () => {
    await keepKey();
    await leaveProductionSale();
    await startSandbox();
    expect(await notices()).toEqual([{ code: 'production_waiting', waiting: 1, is_sending: true }]);
    await service.start();
    await until(() => service.recorded.has('LEFT-1'), 'the sale at the service');
    expect([...service.recorded.keys()]).toEqual(['LEFT-1']);
    expect((await agent?.stop())?.exitCode).toBe(0);
  });

  it('go on under the key that a variable gave while it was there, and it is forgotten with the last of them', async () => {
    await leaveProductionSale({ TILLBRIDGE_API_KEY: liveKey });
    await startSandbox();
    service.applyDelayMs = 0;
    await service.start();
    await until(() => service.recorded.has('LEFT-1'), 'the sale at the service');
    while ((await notices()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await agent?.stop();
    expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toContain(liveKey);
    await startSandbox();
    expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).not.toContain(liveKey);
    expect(readFileSync(join(dataDir, 'logs', 'agent.log'), 'utf8')).not.toContain(liveKey);
  });

  it('end with the agent: nothing is sent once it has stopped', async () => {
    await keepKey();
    await leaveProductionSale();
    await startSandbox();
    expect((await agent?.stop())?.exitCode).toBe(0);
    await service.start();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(service.recorded.size).toBe(0);
  });

  it('wait, and it is said, where the key is not known', async () => {
    await keepKey();
    await leaveProductionSale();
    await fileSecretStore(dataDir).remove(apiKeyName('production'));
    await fileSecretStore(dataDir).remove(drainingKeyName);
    await startSandbox();
    expect(await notices()).toEqual([{ code: 'production_waiting', waiting: 1, is_sending: false }]);
  });

  it('are not told to be on their way once the service has refused the key', async () => {
    await keepKey();
    await leaveProductionSale();
    service.script = () => refusal(401, 'UNAUTHORIZED');
    await service.start();
    await startSandbox();
    while ((await notices())[0]?.is_sending !== false) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await notices()).toEqual([{ code: 'production_waiting', waiting: 1, is_sending: false }]);
  });

  it('wait where the key was entered for another address than the one that they were last sent to', async () => {
    await keepKey();
    await leaveProductionSale();
    const set = async (input: string, ...settings: string[]) => {
      const run = await runWithInput(
        input,
        'tillbridge',
        'settings',
        'set',
        ...settings,
        '--data-dir',
        dataDir,
        '--yes',
      );
      expect(run.exitCode).toBe(0);
    };
    await set('loyalty_pk_live_another_2', 'base_url', 'https://another.example/v1', 'api_key', '-');
    await set('', 'mode', 'sandbox', 'base_url', '');
    await service.start();
    await startSandbox();
    expect(await notices()).toEqual([{ code: 'production_waiting', waiting: 1, is_sending: false }]);
    await agent?.stop();
    expect(service.requests).toEqual([]);
  });

  it('wait where somebody has written another address into the file that remembers theirs', async () => {
    await keepKey();
    await leaveProductionSale();
    const path = join(dataDir, 'production.json');
    const kept = readFileSync(path, 'utf8');
    writeFileSync(path, kept.replace(service.baseUrl, 'https://another.example/v1'));
    await startSandbox();
    expect(await notices()).toEqual([{ code: 'production_waiting', waiting: 1, is_sending: false }]);
  });

  it('go on under a key that an earlier version has kept, with no address beside it', async () => {
    await leaveProductionSale({ TILLBRIDGE_API_KEY: liveKey });
    await fileSecretStore(dataDir).remove(drainingOriginName);
    await service.start();
    await startSandbox();
    await until(() => service.recorded.has('LEFT-1'), 'the sale at the service');
    expect(await fileSecretStore(dataDir).get(drainingOriginName)).toBe(new URL(service.baseUrl).origin);
  });

  it('wait, and the log says why, while a variable makes every line unsafe', async () => {
    await keepKey();
    await leaveProductionSale();
    await service.start();
    await startSandbox({ NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    expect(await notices()).toEqual([{ code: 'production_waiting', waiting: 1, is_sending: false }]);
    const body = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'S-1', amount_minor: 1_000 };
    expect((await agent?.call('POST', '/transactions/earn', body))?.status).toBe(202);
    expect((await agent?.stop())?.exitCode).toBe(0);
    expect(service.requests).toEqual([]);
    expect(readFileSync(join(dataDir, 'logs', 'agent.log'), 'utf8')).toContain('NODE_TLS_REJECT_UNAUTHORIZED: is 0');
    await startSandbox();
    await until(() => service.recorded.has('LEFT-1'), 'the sale at the service');
  });

  it('go on out of a damaged database, whose sales are carried over', async () => {
    await keepKey();
    await leaveProductionSale();
    const path = join(dataDir, 'production.sqlite');
    writeFileSync(path, readFileSync(path).fill(0, 0, 100));
    await startSandbox();
    expect(await notices()).toEqual([
      { code: 'production_waiting', waiting: 1, is_sending: true },
      { code: 'production_database', trouble: expect.objectContaining({ code: 'database_recovered', why: 'damaged' }) },
    ]);
    await service.start();
    await until(() => service.recorded.has('LEFT-1'), 'the sale at the service');
  });

  it('are told to be fewer than there were, where their database is an older copy', async () => {
    await keepKey();
    await leaveProductionSale();
    const path = join(dataDir, 'production.sqlite');
    copyFileSync(path, `${path}.copy`);
    await leaveProductionSale({}, 'LEFT-2');
    copyFileSync(`${path}.copy`, path);
    await startSandbox();
    const trouble = expect.objectContaining({ code: 'database_recovered', why: 'older' });
    expect(await notices()).toContainEqual({ code: 'production_database', trouble });
    const { stdout } = await runWithInput('', 'tillbridge', 'doctor', '--data-dir', dataDir);
    expect(stdout).toMatch(/^FAIL +notice +Production mode: The database was an older copy at/m);
  });

  it('may wait, and it is said, where their database cannot be read and the key is not known', async () => {
    await keepKey();
    await leaveProductionSale();
    const path = join(dataDir, 'production.sqlite');
    writeFileSync(path, readFileSync(path).fill(0, 0, 100));
    await fileSecretStore(dataDir).remove(apiKeyName('production'));
    await fileSecretStore(dataDir).remove(drainingKeyName);
    await startSandbox();
    expect(await notices()).toEqual([{ code: 'production_waiting', waiting: null, is_sending: false }]);
  });

  it('keep nobody from selling when their database cannot be opened', async () => {
    await keepKey();
    await leaveProductionSale();
    const database = new BetterSqlite3(join(dataDir, 'production.sqlite'));
    database.pragma('user_version = 999');
    database.prepare(`UPDATE meta SET value = '999' WHERE key IN ('oldest_reader', 'schema_version')`).run();
    database.close();
    await startSandbox();
    expect(await notices()).toEqual([{ code: 'production_waiting', waiting: 1, is_sending: false }]);
    const body = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'S-1', amount_minor: 1_000 };
    expect((await agent?.call('POST', '/transactions/earn', body))?.status).toBe(202);
  });
});

describe('a key that was sealed for another program', () => {
  it('keeps nobody from selling: sales are saved, nothing is sent, and it is said', async () => {
    await fileSecretStore(dataDir).set(apiKeyName('production'), 'os:c2VhbGVk');
    const settings = { mode: 'production', base_url: service.baseUrl };
    writeFileSync(join(dataDir, 'settings.json'), JSON.stringify(settings));
    agent = await startAgentProcess({ dataDir });
    const body = { identifier: { loyalty_id: 'LC-1' }, external_ref: 'P-1', amount_minor: 1_000 };
    expect((await agent.call('POST', '/transactions/earn', body)).status).toBe(202);
    const { json } = await agent.call('GET', '/agent/status');
    expect(json).toMatchObject({ connection: { state: 'key_refused' }, operations: { queued: 1 } });
    expect(service.requests).toEqual([]);
    expect((await agent.stop()).stderr).toContain('api_key: is kept sealed');

    const set = await runWithInput(
      liveKey,
      'tillbridge',
      'settings',
      'set',
      'api_key',
      '-',
      '--data-dir',
      dataDir,
      '--yes',
    );
    expect(set.exitCode).toBe(0);
    agent = await startAgentProcess({ dataDir });
    await until(() => service.recorded.has('P-1'), 'the sale at the service');
    expect(await notices()).toEqual([]);
  });
});
