// `node:http` with nothing around it: reads a call's JSON and answers JSON of the size that the product answers with.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { systemClock } from '../../../app/machine/clock.ts';
import { createTimeOrderedUuids } from '../../../app/machine/ids.ts';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import { validate } from '../../../shared/contract/problems.ts';
import { contenderInput } from '../contender.ts';
import { openPlainInsert } from '../plain-insert.ts';

const input = contenderInput(
  z.object({
    status: z.int(),
    answer: z.string(),
    /** Each call inserts a row durably before it is answered; rows are made beforehand, so many. */
    savesTo: z
      .object({
        file: z.string(),
        rows: z.int(),
        /** Calls that arrive together share a commit, and are answered after it. */
        isGrouped: z.boolean().default(false),
        /** What is saved is the call itself: checked against the contract, written down anew, sealed. */
        isChecked: z.boolean().default(false),
      })
      .optional(),
  }),
);
const body: unknown = JSON.parse(input.answer);

const { savesTo } = input;

interface Earn {
  readonly operationId: string;
  readonly request: z.output<typeof endpoints.earn.body>;
}

const plain = savesTo === undefined ? null : openPlainInsert(savesTo.file);
const inserts = plain?.prepare(savesTo?.isChecked === true ? 0 : (savesTo?.rows ?? 0)) ?? [];
const newOperationId = createTimeOrderedUuids(systemClock(), () => randomUUID());
let calls = 0;
let waiting: { readonly sale: Earn | null; readonly saved: () => void }[] = [];

/** @param saved called once it is on the disk */
function save(read: unknown, saved: () => void): void {
  if (plain === null) {
    saved();
    return;
  }
  waiting.push({ sale: savesTo?.isChecked === true ? checked(read) : null, saved });
  if (savesTo?.isGrouped !== true) commit();
  else if (waiting.length === 1) setImmediate(commit);
}

function checked(read: unknown): Earn {
  const valid = validate(endpoints.earn.body, read);
  if (valid.kind === 'invalid') throw new Error(`Not an earn: ${JSON.stringify(valid.problems)}`);
  return { operationId: newOperationId(), request: valid.value };
}

function commit(): void {
  const [group, first] = [waiting, calls];
  waiting = [];
  calls += group.length;
  const sales = group.flatMap(({ sale }) => (sale === null ? [] : [sale]));
  if (sales.length > 0) plain?.save(sales);
  else insertPrepared(first);
  for (const { saved } of group) saved();
}

function insertPrepared(first: number): void {
  if (calls > inserts.length) throw new Error('There are more calls than rows');
  if (calls - first === 1) inserts[first]?.();
  else plain?.together(inserts.slice(first, calls));
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    const read: unknown = JSON.parse(text);
    save(read, () => {
      const answered = JSON.stringify(read === null ? null : body);
      response.writeHead(input.status, {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(answered),
      });
      response.end(answered);
    });
  });
});
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
