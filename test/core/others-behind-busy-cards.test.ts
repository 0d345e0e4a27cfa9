import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, it } from 'vitest';
import { benchCore } from '../bench/bench-core.ts';
import { startBenchService } from '../bench/contender.ts';
import { fillBacklog } from '../bench/sample-earns.ts';

// Cards that many people use, as a shop's own, and a line on which an answer takes a tenth of a second.
const ofBusyCards = 1_500;
const ofOthers = 400;

it.each([1, 2, 3])('others do not wait on a slow line behind hundreds of sales of %i busy cards', checkOthers, 40_000);

async function checkOthers(cards: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'behind-busy-cards-'));
  const rows = ofBusyCards + ofOthers;
  const file = fillBacklog(dataDir, { mode: 'production', rows, savedAtMs: Date.now(), customers: 1 });
  const database = new BetterSqlite3(file);
  // The sales of a busy card stand together, those of the next one behind them.
  database
    .prepare("UPDATE operations SET identifier_value = 'BUSY-' || CAST((row_id - 1) / ? AS INTEGER) WHERE row_id <= ?")
    .run(ofBusyCards / cards, ofBusyCards);
  database.prepare("UPDATE operations SET identifier_value = 'OTHER-' || row_id WHERE row_id > ?").run(ofBusyCards);
  const service = await startBenchService({ delayMs: 100 });
  const core = benchCore(dataDir, { baseUrl: service.baseUrl });
  const accepted = database
    .prepare<[], number>("SELECT count(*) FROM operations WHERE identifier_value LIKE 'OTHER-%' AND state = 'accepted'")
    .pluck();
  try {
    await expect.poll(() => accepted.get(), { timeout: 30_000, interval: 50 }).toBe(ofOthers);
    // Of each card one sale goes at a time: beside it there was always room for others.
    expect(core.counts().accepted - ofOthers).toBeLessThan((cards * ofOthers) / 8);
  } finally {
    await core.close();
    await service.stop();
    database.close();
    rmSync(dataDir, { recursive: true });
  }
}
