import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../app/machine/clock.ts';
import { type AgentProcess, CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';
import { ScriptedService } from '../support/scripted-service.ts';

// A service that was restored shows less than it held, and a new key shows nothing of the first one's either way.

let dataDir: string;
let service: ScriptedService;
let agent: AgentProcess | null;
beforeEach(async () => {
  dataDir = newDataDir();
  service = new ScriptedService(systemClock());
  service.applyDelayMs = 0;
  agent = null;
  await service.start();
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ mode: 'production', base_url: service.baseUrl }));
});
afterEach(async () => {
  await agent?.stop('SIGKILL');
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function startUnder(key: string): Promise<AgentProcess> {
  await agent?.stop();
  agent = await startAgentProcess({ dataDir, environment: { TILLBRIDGE_API_KEY: `loyalty_pk_live_${key}` } });
  return agent;
}

async function sell(external_ref: string): Promise<void> {
  const body = { identifier: { loyalty_id: 'LC-1' }, external_ref, amount_minor: 1_000 };
  expect((await agent?.call('POST', '/transactions/earn', body))?.status).toBe(202);
  await expect
    .poll(() => agent?.office('queue.list', { text: external_ref, states: ['applied'] }))
    .toMatchObject({
      json: { operations: [{ external_ref }] },
    });
}

const verify = (...flags: readonly string[]) =>
  new CommandProcess(['tillbridge', 'verify', '--since', '2d', '--data-dir', dataDir, ...flags]).ended;

test('sales of another key that a restored service does not show are no clean result: the last line says why, and what to do', async () => {
  await startUnder('first');
  await sell('R-1');
  await sell('R-2');
  service.recorded.clear();
  await startUnder('second');
  await sell('R-3');

  const undecided = await verify();
  expect(undecided).toMatchObject({ exitCode: 3, stderr: '' });
  const [counted = '', ...lines] = undecided.stdout.trimEnd().split('\n');
  expect(counted).toBe('1 compared, 0 differ, 2 not compared');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^2 could not be compared: sent with another API key, .* Run verify again with that key/);

  const { exitCode, stdout } = await verify('--json');
  expect(exitCode).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ checked: 1, erased: 0, of_another_key: 2, differences: [] });

  // What is missing under the present key is the stronger news; what is not known stays the last line.
  service.recorded.clear();
  const differing = await verify();
  expect(differing.exitCode).toBe(1);
  expect(differing.stdout).toMatch(/R-3 .*missing there.*\n1 compared, 1 differ, 2 not compared\n2 could not .*\n$/s);

  // Under the first key it is known.
  await startUnder('first');
  const known = await verify();
  expect(known.exitCode).toBe(1);
  expect(known.stdout).toMatch(/2 compared, 2 differ, 1 not compared\n/);
});

test('where all was compared, the last line is the count, and the exit code is 0', async () => {
  await startUnder('first');
  await sell('R-1');
  expect(await verify()).toMatchObject({ exitCode: 0, stdout: '1 compared, 0 differ\n' });
});
