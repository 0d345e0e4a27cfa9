// The floor of a till that saves while its backlog goes out: the bare HTTP client, and one bare durable insert every few
// milliseconds, on one thread.
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { bareDispatcher } from '../bare-dispatcher.ts';
import { answer, contenderInput } from '../contender.ts';
import { openPlainInsert } from '../plain-insert.ts';

const input = contenderInput(
  z.object({ file: z.string(), dataDir: z.string(), baseUrl: z.string(), inFlight: z.int(), everyMs: z.number() }),
);
const { origin, pathname } = new URL(input.baseUrl);
const backlog = new BetterSqlite3(input.file, { readonly: true });
const rows = backlog.prepare<[], { path: string; body: string }>('SELECT path, body FROM operations').all();
backlog.close();

const plain = openPlainInsert(join(input.dataDir, 'plain.sqlite'));
const dispatcher = bareDispatcher(input.inFlight);
let next = 0;
let isSending = true;

async function sendSome(): Promise<void> {
  for (let row = rows[next++]; row !== undefined; row = rows[next++]) {
    const response = await dispatcher.request({
      origin,
      path: pathname + row.path,
      method: 'POST',
      headers: { authorization: 'Bearer loyalty_pk_live_bench', 'content-type': 'application/json' },
      body: row.body,
    });
    const answered: unknown = JSON.parse(await response.body.text());
    if (response.statusCode !== 202 || typeof answered !== 'object') throw new Error('Not accepted');
  }
}

// As many as the till saves before it sends.
const warmUpSaves = 200;
for (let saved = 0; saved < warmUpSaves; saved++) plain.prepare(1)[0]?.();

const tookMs: number[] = [];

const startMs = performance.now();
let dueAtMs = startMs + input.everyMs;
// As in save-while-sending: it looks at each turn of the event loop, and saves in the next.
(function look(): void {
  for (; performance.now() >= dueAtMs; dueAtMs += input.everyMs) {
    const dueMs = dueAtMs;
    const [insert] = plain.prepare(1);
    setImmediate(() => {
      insert?.();
      tookMs.push(performance.now() - dueMs);
    });
  }
  if (isSending) setImmediate(look);
})();
await Promise.all(Array.from({ length: input.inFlight }, sendSome));
isSending = false;
const seconds = (performance.now() - startMs) / 1_000;
await dispatcher.close();
plain.close();
await answer({ tookMs, sentPerSecond: rows.length / seconds });
process.exit();
