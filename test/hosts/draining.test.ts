import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiKeyName, fileSecretStore } from '../../app/secrets.ts';
import { type AgentProcess, CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';
import { until } from '../support/core-shop.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ScriptedService } from '../support/scripted-service.ts';

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
async function leaveProductionSale(): Promise<void> {
  await fileSecretStore(dataDir).set(apiKeyName('production'), liveKey);
  const { baseUrl } = service;
  await service.stop();
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ mode: 'production', base_url: baseUrl }));
  agent = await startAgentProcess({ dataDir });
  expect(agent.mode).toBe('production');
  const body = { identifier: { loyalty_id: 'LC-1' }, external_ref: 'LEFT-1', amount_minor: 1_000 };
  expect((await agent.call('POST', '/transactions/earn', body)).status).toBe(202);
  await agent.stop();
}

async function notices(): Promise<readonly { code: string; waiting?: number; is_sending?: boolean }[]> {
  const { json } = (await agent?.call('GET', '/agent/status')) ?? { json: { notices: [] } };
  return (json as { notices: { code: string }[] }).notices;
}

describe('production’s sales while the screen is in sandbox mode', () => {
  it('go on being sent, and the agent says that they wait', async () => {
    await leaveProductionSale();
    writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ mode: 'sandbox' }));
    agent = await startAgentProcess({ dataDir });
    expect(agent.mode).toBe('sandbox');
    expect(await notices()).toEqual([{ code: 'production_waiting', waiting: 1, is_sending: true }]);
    await service.start();
    await until(() => service.recorded.has('LEFT-1'), 'the sale at the service');
  });

  it('wait, and it is said, where the key is not known', async () => {
    await leaveProductionSale();
    await fileSecretStore(dataDir).remove(apiKeyName('production'));
    writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ mode: 'sandbox' }));
    agent = await startAgentProcess({ dataDir });
    expect(await notices()).toEqual([{ code: 'production_waiting', waiting: 1, is_sending: false }]);
  });
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
    expect((await run('settings', 'unset', 'device_name')).exitCode).toBe(0);
    expect((await run('settings', 'list')).stdout).toMatch(/device_name +Till 1 +default/);
    expect((await run('settings', 'set', 'api_key', 'loyalty_pk_test_x')).exitCode).toBe(2);
  });
});
