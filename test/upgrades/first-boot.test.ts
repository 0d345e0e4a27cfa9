import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { statusSchema } from '../../app/doctor/check-status.ts';
import { type AgentProcess, CommandProcess, startAgentProcess } from '../support/agent-process.ts';
import { sandboxReadySchema } from '../support/program.ts';
import { readFrozenSets } from './frozen-set.ts';
import { Home } from './home.ts';
import { serviceFile } from './shop.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** The service that the rows of a folder belong to, as a process of its own. */
async function startService(home: Home, port = '0') {
  const file = join(home.path, serviceFile);
  const service = new CommandProcess(['sandbox', '--json', '--port', port, '--data', file]);
  ends.push(() => service.stop());
  return { service, ready: sandboxReadySchema.parse(JSON.parse(await service.firstLine())) };
}

async function operations(agent: AgentProcess) {
  return statusSchema.parse((await agent.call('GET', '/agent/status')).json).operations;
}

/** Of the last version before this one's database, with rows that wait, were on their way, and are unknown. */
const before = readFrozenSets().at(-2);

it('the first start after an update needs no line: it sells at once, and everything is sent when the line is back', async () => {
  if (before === undefined) throw new Error('There is no version before');
  const home = new Home(before.files);
  ends.push(() => home.remove());
  const known = await startService(home);
  const address = new URL(known.ready.base_url);
  await known.service.stop();

  const agent = await startAgentProcess({
    dataDir: home.path,
    flags: ['--mode', 'sandbox', '--base-url', address.href],
    environment: { TILLBRIDGE_API_KEY: known.ready.api_key },
  });
  ends.push(() => agent.stop());
  const waited = before.told.filter(({ operation }) =>
    ['queued', 'sending', 'unknown'].includes(String(operation.state)),
  );
  expect(waited.length).toBeGreaterThan(10);
  const sold = await agent.call('POST', '/transactions/earn', {
    identifier: { loyalty_id: 'LC-1001' },
    external_ref: 'first-boot',
    amount_minor: 4_500,
    currency: 'KWD',
  });
  expect(sold).toMatchObject({ status: 202, json: { status: 'pending', duplicate: false } });
  const { queued, sending, unknown } = await operations(agent);
  expect(queued + sending + unknown).toBe(waited.length + 1);

  await startService(home, address.port);
  // A till that hears that the network is back does not wait for its next look.
  await expect.poll(async () => (await operations(agent)).queued + (await operations(agent)).sending).toBe(0);
  const found = await fetch(`${address.href}/transactions?external_ref=first-boot`, {
    headers: { authorization: `Bearer ${known.ready.api_key}` },
  });
  expect(await found.json()).toMatchObject({ data: [{ external_ref: 'first-boot' }] });
});
