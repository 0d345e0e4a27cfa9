// The same requests with undici alone: no database, no retries, nothing kept. Nothing of the product is loaded here: its
// memory is compared.
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { bareDispatcher } from '../bare-dispatcher.ts';
import { answer, contenderInput } from '../contender.ts';
import { watchProgress } from '../progress.ts';

const input = contenderInput(z.object({ file: z.string(), baseUrl: z.string(), inFlight: z.int() }));
const { origin, pathname } = new URL(input.baseUrl);

const database = new BetterSqlite3(input.file, { readonly: true });
const rows = database
  .prepare<[], { path: string; body: string }>('SELECT path, body FROM operations ORDER BY row_id')
  .all();
database.close();

const dispatcher = bareDispatcher(input.inFlight);
let next = 0;
let accepted = 0;

async function sendSome(): Promise<void> {
  for (let row = rows[next++]; row !== undefined; row = rows[next++]) {
    const response = await dispatcher.request({
      origin,
      path: pathname + row.path,
      method: 'POST',
      headers: {
        authorization: 'Bearer loyalty_pk_live_bench',
        accept: 'application/json',
        'content-type': 'application/json',
      },
      body: row.body,
    });
    const answered: unknown = JSON.parse(await response.body.text());
    if (response.statusCode === 202 && typeof answered === 'object') accepted += 1;
  }
}

const startMs = performance.now();
const progress = watchProgress(() => accepted);
await Promise.all(Array.from({ length: input.inFlight }, sendSome));
const seconds = (performance.now() - startMs) / 1_000;
const points = progress.stop();
if (accepted !== rows.length) throw new Error(`${accepted} of ${rows.length} were accepted`);
await dispatcher.close();
await answer({
  rowsPerSecond: rows.length / seconds,
  progress: points,
  peakMb: process.resourceUsage().maxRSS / 1_024,
});
