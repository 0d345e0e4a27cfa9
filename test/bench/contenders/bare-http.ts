// `node:http` with nothing around it: reads a call's JSON and answers JSON of the size that the sandbox answers with.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { contenderInput } from '../contender.ts';

const input = contenderInput(z.object({ status: z.int(), answer: z.string() }));
const body: unknown = JSON.parse(input.answer);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    const read: unknown = JSON.parse(text);
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
