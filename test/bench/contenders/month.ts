// A month in a shop, on a clock that is moved: every day sales are saved, sent and applied, and every night the agent is
// left alone. How large are its files each evening?
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import type { WriterSchedule } from '../../../app/store/database/writer.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { benchCore, untilOnline } from '../bench-core.ts';
import { answer, contenderInput } from '../contender.ts';
import { createSales } from '../sample-earns.ts';

const input = contenderInput(
  z.object({
    dataDir: z.string(),
    baseUrl: z.string(),
    days: z.int(),
    salesPerDay: z.int(),
    retentionDays: z.int(),
  }),
);
const salesAtOnce = 16;
const patienceMs = 60_000;
const hourMs = 3_600_000;
/** The agent erases a part, waits so long at most, and goes on. Its commit takes real time. */
const betweenPartsMs = 100;
const commitMs = 3;
/** Batching the disk takes real time too, of which a month on a moved clock has little. */
const noWaiting: WriterSchedule = {
  soon: (callback) => void setImmediate(callback),
  later(callback) {
    const immediate = setImmediate(callback);
    return () => clearImmediate(immediate);
  },
};
const minuteMs = 60_000;
/** Once it has tidied up, the rest of the night goes by in larger steps. */
const restStepMs = 600_000;

const clock = new ManualClock();
const core = benchCore(input.dataDir, {
  baseUrl: input.baseUrl,
  clock,
  schedule: noWaiting,
  retentionDays: input.retentionDays,
});
const database = join(input.dataDir, 'production.sqlite');
const nextSales = createSales();

/** Answers come in real time and timers fire by the moved clock: both go on until something is so. */
async function until(what: string, isSo: () => boolean, byMs: number): Promise<void> {
  const endMs = performance.now() + patienceMs;
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(`${what}: not in time, ${JSON.stringify(core.counts())}`);
    clock.advance(byMs);
    await sleep(1);
  }
}

async function sellForADay(appliedBefore: number): Promise<void> {
  const sales = nextSales(input.salesPerDay);
  for (let first = 0; first < sales.length; first += salesAtOnce) {
    const outcomes = await Promise.all(
      sales.slice(first, first + salesAtOnce).map((sale) => {
        const { occurred_at: _, ...request } = sale.request;
        return core.saveEarn({ ...sale, request });
      }),
    );
    const wrong = outcomes.find(({ kind }) => kind !== 'saved');
    if (wrong !== undefined) throw new Error(`A sale was not saved: ${JSON.stringify(wrong)}`);
    clock.advance(1_000);
  }
  await until('Applied', () => core.counts().applied === appliedBefore + sales.length, 100);
}

/** A day and a night later all is erased that is old, and the file is tidied. */
async function night(isAnythingOld: boolean): Promise<void> {
  const endMs = clock.monotonicMs() + 24 * hourMs;
  while (isAnythingOld && !isTidied() && clock.monotonicMs() < endMs) {
    const isBetweenParts = (clock.msToNextTimer ?? hourMs) <= betweenPartsMs;
    clock.advance(isBetweenParts ? betweenPartsMs : minuteMs);
    await sleep(isBetweenParts ? commitMs : 1);
  }
  if (isAnythingOld && !isTidied()) throw new Error('The file was not tidied in a whole night');
  while (clock.monotonicMs() < endMs) {
    clock.advance(restStepMs);
    await sleep(1);
  }
}

/** The day's sales stand in the log until then. */
function isTidied(): boolean {
  return (statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** As large as the file is when its log has been taken in. */
function sizeOf(path: string): number {
  const reader = new BetterSqlite3(path, { readonly: true });
  try {
    const [pages, pageBytes] = ['page_count', 'page_size'].map((fact) => Number(reader.pragma(fact, { simple: true })));
    return (pages ?? 0) * (pageBytes ?? 0);
  } finally {
    reader.close();
  }
}

/**
 * The least that an operation can leave for good: its reference and what it was, so that it is known when it comes again,
 * in one tree and nothing beside it. Totals could be kept for each day.
 */
function bytesPerReference(): number {
  const path = join(input.dataDir, 'references.sqlite');
  const references = new BetterSqlite3(path);
  references.exec(`
    PRAGMA page_size = 2048;
    CREATE TABLE kept (external_ref TEXT, intent TEXT, PRIMARY KEY (external_ref, intent)) STRICT, WITHOUT ROWID;
    ATTACH '${database.replaceAll("'", "''")}' AS month;
    INSERT INTO kept SELECT external_ref, intent FROM month.operations ORDER BY external_ref, intent;
    VACUUM;
  `);
  const kept = Number(references.prepare('SELECT count(*) FROM kept').pluck().get());
  references.close();
  const bytes = sizeOf(path);
  rmSync(path);
  return bytes / kept;
}

const online = untilOnline(core);
await until('Online', () => core.status().connection.state === 'online', 100);
await online;
const fileBytes: number[] = [];
for (let day = 0; day < input.days; day += 1) {
  await sellForADay(day * input.salesPerDay);
  // A day's sales are old in the night after the last day that they are kept.
  await night(day >= input.retentionDays);
  fileBytes.push(sizeOf(database));
}
await core.close();
await answer({ fileBytes, bytesPerReference: bytesPerReference() });
process.exit();
