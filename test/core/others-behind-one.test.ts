import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, it } from 'vitest';
import { benchCore } from '../bench/bench-core.ts';
import { startBenchService } from '../bench/contender.ts';
import { fillBacklog } from '../bench/sample-earns.ts';

// One card that many people use, as a shop's own, and a line on which an answer takes a tenth of a second.
const ofOne = 1_500;
const ofOthers = 400;

it('the sales of others do not wait for hundreds of one customer on a slow line', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'behind-one-'));
  const rows = ofOne + ofOthers;
  const file = fillBacklog(dataDir, { mode: 'production', rows, savedAtMs: Date.now(), customers: 1 });
  const database = new BetterSqlite3(file);
  database.prepare("UPDATE operations SET identifier_value = 'OTHER-' || row_id WHERE row_id > ?").run(ofOne);
  const service = await startBenchService({ delayMs: 100 });
  const core = benchCore(dataDir, { baseUrl: service.baseUrl });
  const accepted = database
    .prepare<[], number>("SELECT count(*) FROM operations WHERE identifier_value LIKE 'OTHER-%' AND state = 'accepted'")
    .pluck();
  try {
    await expect.poll(() => accepted.get(), { timeout: 30_000, interval: 50 }).toBe(ofOthers);
    // Of one customer one sale goes at a time: beside it there was always room for others.
    expect(core.counts().accepted - ofOthers).toBeLessThan(ofOthers / 8);
  } finally {
    await core.close();
    await service.stop();
    database.close();
    rmSync(dataDir, { recursive: true });
  }
}, 40_000);
