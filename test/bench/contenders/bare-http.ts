// `node:http` with nothing around it: reads a call's JSON and answers JSON of the size that the product answers with.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
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
      })
      .optional(),
  }),
);
const body: unknown = JSON.parse(input.answer);

const { savesTo } = input;
const plain = savesTo === undefined ? null : openPlainInsert(savesTo.file);
const inserts = plain?.prepare(savesTo?.rows ?? 0) ?? [];
let calls = 0;
let waiting: (() => void)[] = [];

/** @param saved called once it is on the disk */
function save(saved: () => void): void {
  if (plain === null) {
    saved();
    return;
  }
  waiting.push(saved);
  if (savesTo?.isGrouped !== true) commit();
  else if (waiting.length === 1) setImmediate(commit);
}

function commit(): void {
  const [group, first] = [waiting, calls];
  waiting = [];
  calls += group.length;
  if (calls > inserts.length) throw new Error('There are more calls than rows');
  if (group.length === 1) inserts[first]?.();
  else plain?.together(inserts.slice(first, calls));
  for (const saved of group) saved();
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    const read: unknown = JSON.parse(text);
    save(() => {
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
