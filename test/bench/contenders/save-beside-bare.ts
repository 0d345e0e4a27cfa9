// The floor of a till that saves while its backlog goes out: the leanest exchange with the service there is, and one bare
// durable insert every few milliseconds, on one thread. Like the agent it keeps few calls under way while sales come, and
// few of the waiting rows in memory: whatever more of either costs a sale is not the floor's.
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { exchange } from '../../../app/client/exchange.ts';
import { systemClock } from '../../../app/machine/clock.ts';
import { bareDispatcher } from '../bare-dispatcher.ts';
import { answer, contenderInput } from '../contender.ts';
import { openPlainInsert } from '../plain-insert.ts';

const input = contenderInput(
  z.object({ file: z.string(), dataDir: z.string(), baseUrl: z.string(), inFlight: z.int(), everyMs: z.number() }),
);
/** As the agent's first window. */
const rowsAtOnce = 64;
const answerTimeoutMs = 15_000;
const { origin, pathname } = new URL(input.baseUrl);
const headers = { authorization: 'Bearer loyalty_pk_live_bench', 'content-type': 'application/json' };
const backlog = new BetterSqlite3(input.file, { readonly: true });
const read = backlog.prepare<[number, number], { rowId: number; path: string; body: string }>(
  'SELECT row_id AS rowId, path, body FROM operations WHERE row_id > ? ORDER BY row_id LIMIT ?',
);

const plain = openPlainInsert(join(input.dataDir, 'plain.sqlite'));
const dispatcher = bareDispatcher(input.inFlight);
const clock = systemClock();
let ready: ReturnType<typeof read.all> = [];
let lastRead = 0;
let sent = 0;
let isSending = true;

async function sendSome(): Promise<void> {
  for (;;) {
    if (ready.length === 0) ready = read.all(lastRead, rowsAtOnce).reverse();
    const row = ready.pop();
    if (row === undefined) return;
    lastRead = Math.max(lastRead, row.rowId);
    const call = { origin, path: pathname + row.path, method: 'POST', headers, body: row.body } as const;
    const { httpStatus, body } = await exchange(dispatcher, call, { clock, endsWithinMs: answerTimeoutMs });
    const answered: unknown = JSON.parse(body);
    if (httpStatus !== 202 || typeof answered !== 'object') throw new Error('Not accepted');
    sent += 1;
  }
}

// As many as the till saves before it sends.
const warmUpSaves = 200;
for (let saved = 0; saved < warmUpSaves; saved++) plain.prepare(1)[0]?.();

const tookMs: number[] = [];

const startMs = performance.now();
let dueAtMs = startMs + input.everyMs;
/** Resolves when the last of those that were due is saved. */
const allSaved = new Promise<void>((resolve) => {
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
    setImmediate(isSending ? look : resolve);
  })();
});
await Promise.all(Array.from({ length: input.inFlight }, sendSome));
isSending = false;
const seconds = (performance.now() - startMs) / 1_000;
await allSaved;
await dispatcher.close();
plain.close();
backlog.close();
await answer({ tookMs, sentPerSecond: sent / seconds });
process.exit();
