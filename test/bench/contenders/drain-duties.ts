// What nobody can leave out who sends sales and must lose none, added to the bare HTTP client one by one: the floor of the
// agent. It knows no order of customers, no line that fails, nobody who looks on, and stops at the first thing that goes wrong.
import { z } from 'zod';
import { exchange } from '../../../app/client/exchange.ts';
import { readAnswer } from '../../../app/client/read-answer.ts';
import { systemClock } from '../../../app/machine/clock.ts';
import { openDatabase } from '../../../app/store/database/open.ts';
import { RowSeal } from '../../../app/store/rows/row-seal.ts';
import { bareDispatcher } from '../bare-dispatcher.ts';
import { answer, contenderInput } from '../contender.ts';
import { drainDuties } from '../drain-duties.ts';
import { watchProgress } from '../progress.ts';
import { benchSealKey } from '../sample-earns.ts';

const input = contenderInput(
  z.object({ file: z.string(), baseUrl: z.string(), inFlight: z.int(), upTo: z.enum(drainDuties) }),
);
const has = (duty: (typeof drainDuties)[number]) => drainDuties.indexOf(duty) <= drainDuties.indexOf(input.upTo);
const isMarking = has('mark');
const isSettling = has('settle');
/** As the agent's full batch, and the half of its largest window, after which it marks. */
const together = 512;
const answerTimeoutMs = 15_000;

interface Row {
  readonly rowId: number;
  readonly operationId: string;
  readonly externalRef: string;
  readonly path: string;
  readonly body: string;
  readonly seal: Buffer;
}

const database = openDatabase(input.file);
const read = database.prepare<[number, number], Row>(`
  SELECT row_id AS rowId, operation_id AS operationId, external_ref AS externalRef, path, body, seal FROM operations
  WHERE row_id > ? ORDER BY row_id LIMIT ?`);
const mark = database.prepare<[number, number, number, number]>(`
  UPDATE operations SET state = 'sending', version = 2, sends = 1, updated_at = ?, first_sent_at = ?
  WHERE row_id BETWEEN ? AND ?`);
const settle = database.prepare<[number, number, string, number]>(`
  UPDATE operations SET state = 'accepted', version = 3, updated_at = ?, answered_at = ?, answer_status = 202,
    service_transaction_id = ?
  WHERE row_id = ?`);
const rowSeal = new RowSeal(benchSealKey);
const clock = systemClock();
const { origin, pathname } = new URL(input.baseUrl);
const headers = {
  authorization: 'Bearer loyalty_pk_live_bench',
  accept: 'application/json',
  'content-type': 'application/json',
};
const dispatcher = bareDispatcher(input.inFlight);

const total = database.prepare<[], { rows: number }>('SELECT count(*) AS rows FROM operations').get()?.rows ?? 0;
let ready: Row[] = [];
let lastRead = 0;
let answered: { readonly rowId: number; readonly transactionId: string }[] = [];
let accepted = 0;

/** One commit: what was answered since the last one, and the marks of what goes next. */
const commit = database.transaction((next: readonly Row[]) => {
  const nowMs = clock.now();
  for (const { rowId, transactionId } of answered) settle.run(nowMs, nowMs, transactionId, rowId);
  const [first, last] = [next[0], next.at(-1)];
  if (isMarking && first !== undefined && last !== undefined) mark.run(nowMs, nowMs, first.rowId, last.rowId);
});

function goOn(): void {
  const next = read.all(lastRead, together);
  lastRead = next.at(-1)?.rowId ?? lastRead;
  if (isMarking) commit(next);
  if (isSettling) accepted += answered.length;
  answered = [];
  ready = next.reverse();
}

function isWhole(row: Row): boolean {
  return rowSeal.isOf({ ...row, intent: 'earn', bodyVersion: 1, idempotencyKey: null }, row.seal);
}

async function sendSome(): Promise<void> {
  for (;;) {
    if (ready.length === 0) goOn();
    const row = ready.pop();
    if (row === undefined) return;
    if (isMarking && !isWhole(row)) throw new Error('It is not as it was saved');
    const call = { origin, path: pathname + row.path, method: 'POST', headers, body: row.body } as const;
    const raw = await exchange(dispatcher, call, { clock, endsWithinMs: answerTimeoutMs });
    const outcome = readAnswer('earn', raw, clock.now());
    if (outcome.kind !== 'done') throw new Error(`Not accepted: ${raw.httpStatus}`);
    if (isSettling) answered.push({ rowId: row.rowId, transactionId: outcome.answer.transaction_id });
    else accepted += 1;
  }
}

const startMs = performance.now();
const progress = watchProgress(() => accepted);
await Promise.all(Array.from({ length: input.inFlight }, sendSome));
if (isSettling) goOn();
const seconds = (performance.now() - startMs) / 1_000;
const points = progress.stop();
if (accepted !== total) throw new Error(`${accepted} of ${total} were accepted`);
await dispatcher.close();
database.close();
await answer({
  rowsPerSecond: total / seconds,
  progress: points,
  peakMb: process.resourceUsage().maxRSS / 1_024,
});
