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
    savesTo: z.object({ file: z.string(), rows: z.int() }).optional(),
  }),
);
const body: unknown = JSON.parse(input.answer);

const inserts = input.savesTo === undefined ? null : openPlainInsert(input.savesTo.file).prepare(input.savesTo.rows);
let calls = 0;

function save(): void {
  if (inserts === null) return;
  const insert = inserts[calls];
  calls += 1;
  if (insert === undefined) throw new Error('There are more calls than rows');
  insert();
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    const read: unknown = JSON.parse(text);
    save();
    const answered = JSON.stringify(read === null ? null : body);
    response.writeHead(input.status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(answered),
    });
    response.end(answered);
  });
});
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
