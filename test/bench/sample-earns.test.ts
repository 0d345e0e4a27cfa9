import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { benchCore } from './bench-core.ts';
import { fillBacklog, sampleEarn } from './sample-earns.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlog-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Saved {
  readonly columns: readonly string[];
  readonly events: number;
  readonly queued: number;
}

/** What is told of the one sale of a database. */
function savedIn(dataDir: string): Saved {
  const database = new BetterSqlite3(join(dataDir, 'production.sqlite'), { readonly: true });
  const one = <Value>(sql: string) => database.prepare<[], Value>(sql).get();
  const row = one<Readonly<Record<string, unknown>>>('SELECT * FROM operations') ?? {};
  const events = one<{ n: number }>('SELECT count(*) AS n FROM operation_events')?.n ?? -1;
  const queued = one<{ n: number }>(`SELECT count AS n FROM state_counts WHERE state = 'queued'`)?.n ?? -1;
  database.close();
  return { columns: Object.keys(row).filter((name) => row[name] !== null), events, queued };
}

// Sales that say more or less than the agent's own would be sent, counted and stored at another price.
it('fills a backlog with sales as the agent itself saves them', async () => {
  const [filled, saved] = [mkdtempSync(join(folder, 'filled-')), mkdtempSync(join(folder, 'saved-'))];
  fillBacklog(filled, { mode: 'production', rows: 1, savedAtMs: Date.now() });
  const core = benchCore(saved);
  await core.saveEarn(sampleEarn(1));
  await core.close();
  expect(savedIn(filled)).toEqual(savedIn(saved));
});
