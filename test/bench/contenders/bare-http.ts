// `node:http` with nothing around it: reads a call's JSON and answers JSON of the size that the product answers with.
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { systemClock } from '../../../app/machine/clock.ts';
import { createTimeOrderedUuids } from '../../../app/machine/ids.ts';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import { maxBodyBytes } from '../../../shared/contract/primitives.ts';
import { validate } from '../../../shared/contract/problems.ts';
import { contenderInput } from '../contender.ts';
import { openPlainInsert } from '../plain-insert.ts';
import { openSavingFloor } from '../saving-floor.ts';

const input = contenderInput(
  z.object({
    status: z.int(),
    answer: z.string(),
    apiKey: z.string(),
    /** Each call is saved before it is answered. */
    savesTo: z
      .discriminatedUnion('how', [
        /** A row that was made beforehand; so many there are. */
        z.object({ how: z.literal('alone'), file: z.string(), rows: z.int() }),
        /** The same; calls that arrive together share a commit. */
        z.object({ how: z.literal('together'), file: z.string(), rows: z.int() }),
        /** The call itself, with the least work of a program that serves POS programs (see `serveDutifully`). */
        z.object({
          how: z.literal('dutifully'),
          file: z.string(),
          /** With all that comes before a till's first sale, too. */
          dataDir: z.string().optional(),
          /** With a loyalty service in the same program, too, whose data are in this file. */
          serviceFile: z.string().optional(),
        }),
      ])
      .optional(),
  }),
);
const body: unknown = JSON.parse(input.answer);

type Answer = (request: IncomingMessage, text: string, response: ServerResponse) => void;

function send(response: ServerResponse, value: unknown, headers: Readonly<Record<string, string>> = {}): void {
  const answered = JSON.stringify(value);
  response.writeHead(input.status, {
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(answered),
  });
  response.end(answered);
}

const answerAtOnce: Answer = (_, text, response) => send(response, JSON.parse(text) === null ? null : body);

function savePrepared({ file, rows, how }: { file: string; rows: number; how: 'alone' | 'together' }): Answer {
  const plain = openPlainInsert(file);
  const inserts = plain.prepare(rows);
  let calls = 0;
  let waiting: (() => void)[] = [];
  const commit = () => {
    const [group, first] = [waiting, calls];
    waiting = [];
    calls += group.length;
    if (calls > inserts.length) throw new Error('There are more calls than rows');
    if (group.length === 1) inserts[first]?.();
    else plain.together(inserts.slice(first, calls));
    for (const saved of group) saved();
  };
  return (_, text, response) => {
    const read: unknown = JSON.parse(text);
    waiting.push(() => send(response, read === null ? null : body));
    if (how === 'alone') commit();
    else if (waiting.length === 1) setImmediate(commit);
  };
}

const answerWithinMs = 25_000;

/**
 * The least work of a program that serves POS programs and may lose no sale. It compares the token in constant time, and
 * looks at the Host and Origin of the call, in case a web page calls, and at its length. It checks the call against the
 * contract and saves it as in `saving-floor.ts`. It answers within a bounded time, with an id for the operation and one
 * for the request.
 */
function serveDutifully(file: string): Answer {
  const floor = openSavingFloor(file);
  const newOperationId = createTimeOrderedUuids(systemClock(), () => randomUUID());
  const token = Buffer.from(`Bearer ${input.apiKey}`);
  const isOurs = ({ headers }: IncomingMessage) => {
    const given = Buffer.from(headers.authorization ?? '');
    const isKnown = given.length === token.length && timingSafeEqual(given, token);
    return isKnown && headers.host === ownHost() && headers.origin === undefined;
  };
  return (request, text, response) => {
    if (!isOurs(request) || text.length > maxBodyBytes) throw new Error('Not one of ours');
    const valid = validate(endpoints.earn.body, JSON.parse(text));
    if (valid.kind === 'invalid') throw new Error(`Not an earn: ${JSON.stringify(valid.problems)}`);
    const operationId = newOperationId();
    const late = setTimeout(() => {
      throw new Error('Late');
    }, answerWithinMs);
    void floor.save({ origin: 'bridge', operationId, request: valid.value }).then(() => {
      clearTimeout(late);
      const accepted = {
        transaction_id: `txn_local_${operationId.replaceAll('-', '')}`,
        status: 'pending',
        duplicate: false,
      };
      send(response, accepted, { 'X-Request-Id': `req_${randomUUID()}` });
    });
  };
}

function answerer(): Answer {
  const { savesTo } = input;
  if (savesTo === undefined) return answerAtOnce;
  return savesTo.how === 'dutifully' ? serveDutifully(savesTo.file) : savePrepared(savesTo);
}

const answer = answerer();
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => answer(request, Buffer.concat(chunks).toString(), response));
});
const ownHost = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;
server.keepAliveTimeout = 65_000;
const listen = () =>
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
  });

async function openRest(): Promise<void> {
  if (input.savesTo?.how !== 'dutifully') return;
  const { dataDir, serviceFile } = input.savesTo;
  if (dataDir !== undefined) await (await import('../open-till.ts')).openTill(dataDir);
  if (serviceFile === undefined) return;
  const { openServiceFloor } = await import('../service-floor.ts');
  openServiceFloor({ kind: 'file', path: serviceFile }, 'LC-1001');
}

void openRest().then(listen);
// In good order: what wants to know which code has run is told of the end (tools/rehearsed.ts).
process.once('SIGTERM', () => process.exit());
