// 200 sales, one after another, through the agent's own intake: how many syncs do they make?
import { join } from 'node:path';
import { z } from 'zod';
import { openDatabase } from '../../../app/store/database/open.ts';
import { benchCore } from '../bench-core.ts';
import { answer, contenderInput } from '../contender.ts';
import { sampleEarn } from '../sample-earns.ts';
import { syncsSoFar } from '../sync-shim.ts';

const input = contenderInput(z.object({ dataDir: z.string(), counterFile: z.string(), earns: z.int() }));

const core = benchCore(input.dataDir);
// The first write is made before the count starts: what the opening of the database syncs must not be counted in.
await save(0);
const before = syncsSoFar(input.counterFile);
for (let number = 1; number <= input.earns; number += 1) await save(number);
const syncs = syncsSoFar(input.counterFile) - before;
await core.close();

const database = openDatabase(join(input.dataDir, 'production.sqlite'));
database.prepare(`UPDATE meta SET value = value WHERE key = 'opens'`).run();
const synchronous = Number(database.pragma('synchronous', { simple: true }));
database.close();
await answer({ syncs, synchronous });

async function save(number: number): Promise<void> {
  const outcome = await core.saveEarn(sampleEarn(number));
  if (outcome.kind !== 'saved' || outcome.duplicate) throw new Error(`Sale ${number} was not saved: ${outcome.kind}`);
}
