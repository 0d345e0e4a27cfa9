// Sales one after another on a good line, each until the service has applied it: what does one write to the log?
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { AgentCore } from '../../../app/core/agent-core.ts';
import { benchCore, untilOnline } from '../bench-core.ts';
import { answer, contenderInput } from '../contender.ts';
import { countLogBytes } from '../log-bytes.ts';
import { createSales } from '../sample-earns.ts';

const input = contenderInput(z.object({ dataDir: z.string(), baseUrl: z.string(), sales: z.int() }));
const warmUpSales = 20;
const lookEveryMs = 20;
const patienceMs = 30_000;

const core = benchCore(input.dataDir, { baseUrl: input.baseUrl });
const nextSales = createSales();

async function untilApplied(count: number): Promise<void> {
  const untilMs = performance.now() + patienceMs;
  while (core.counts().applied < count) {
    if (performance.now() > untilMs) throw new Error(`Not applied in time: ${JSON.stringify(core.counts())}`);
    await sleep(lookEveryMs);
  }
}

async function save(sale: Parameters<AgentCore['saveEarn']>[0]): Promise<void> {
  const outcome = await core.saveEarn(sale);
  if (outcome.kind !== 'saved') throw new Error(`A sale was not saved: ${JSON.stringify(outcome)}`);
}

await untilOnline(core);
// Together: these make the first pages of each table.
await Promise.all([untilApplied(warmUpSales), ...nextSales(warmUpSales).map(save)]);
const counter = countLogBytes(join(input.dataDir, 'production.sqlite'));
let applied = warmUpSales;
for (const sale of nextSales(input.sales)) {
  applied += 1;
  await Promise.all([untilApplied(applied), save(sale)]);
}
const bytes = counter.bytes();
await core.close();
await answer({ bytesPerSale: bytes / input.sales });
process.exit();
