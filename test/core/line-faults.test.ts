import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, type ExpectStatic, it } from 'vitest';
import { z } from 'zod';
import { networkDispatcher } from '../../app/client/network-dispatcher.ts';
import { settingsSchema } from '../../app/config/settings.ts';
import type { AgentCore } from '../../app/core/agent-core.ts';
import { createCore } from '../../app/core/create-core.ts';
import { networkPacing } from '../../app/line/pacing.ts';
import { systemClock } from '../../app/machine/clock.ts';
import { silentLog } from '../../app/machine/log.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { CommandProcess, newDataDir } from '../support/agent-process.ts';
import { type Certificate, makeCertificates, trustAlso } from '../support/certificates.ts';
import { type Behaviour, HostileLine } from '../support/hostile-line.ts';
import { sandboxReadySchema } from '../support/program.ts';
import { standardLine } from '../support/standard-line.ts';

const http = (status: string, headers: readonly string[], body: string) =>
  [`HTTP/1.1 ${status}`, ...headers, 'connection: close', '', body].join('\r\n');
const json = 'content-type: application/json';
const inShape = (code: string, retryable: boolean) =>
  JSON.stringify({ error: { code, message: 'no', retryable, request_id: 'req_1' } });
const receipt = JSON.stringify({ ok: true, receipt: 17 });
const login = '<html><body>Welcome to Mall WiFi. Accept the terms.</body></html>';

/** What the line does, what the agent calls it, and whether the service can have heard a write. */
const faults: readonly (readonly [string, Behaviour, string, 'no' | 'maybe'])[] = [
  ['refuses connections', { kind: 'refused' }, 'offline', 'no'],
  ['cuts each connection at once', { kind: 'cut_at_once' }, 'offline', 'maybe'],
  ['cuts after the request', { kind: 'cut_after_request' }, 'offline', 'maybe'],
  ['cuts in the headers of the answer', { kind: 'cut_answer', missingBytes: 150, end: 'cut' }, 'offline', 'maybe'],
  ['cuts in the body of the answer', { kind: 'cut_answer', missingBytes: 10, end: 'cut' }, 'offline', 'maybe'],
  [
    'falls silent in the body of the answer',
    { kind: 'cut_answer', missingBytes: 10, end: 'silence' },
    'timeout',
    'maybe',
  ],
  ['is slower than anybody waits', { kind: 'slow', delayMs: 1_200 }, 'timeout', 'maybe'],
  [
    'promises a longer answer than it gives',
    { kind: 'says_instead', bytes: http('200 OK', [json, 'content-length: 900'], receipt) },
    'offline',
    'maybe',
  ],
  [
    'gives a longer answer than it promises',
    { kind: 'says_instead', bytes: http('200 OK', [json, 'content-length: 9'], receipt) },
    'not_the_service',
    'maybe',
  ],
  [
    'breaks the chunks of the answer',
    { kind: 'says_instead', bytes: http('200 OK', [json, 'transfer-encoding: chunked'], 'zz\r\n{}') },
    'not_the_service',
    'maybe',
  ],
  ['speaks no HTTP', { kind: 'says', bytes: 'SSH-2.0-OpenSSH_9.9\r\n' }, 'not_the_service', 'maybe'],
  [
    'leads to a sign-in page',
    { kind: 'says', bytes: http('302 Found', ['location: http://portal.example/', 'content-length: 0'], '') },
    'not_the_service',
    'maybe',
  ],
  [
    'shows a sign-in page',
    { kind: 'says', bytes: http('200 OK', ['content-type: text/html', `content-length: ${login.length}`], login) },
    'not_the_service',
    'maybe',
  ],
  [
    'says that the network wants a sign-in',
    { kind: 'says', bytes: http('511 Network Authentication Required', ['content-length: 0'], '') },
    'not_the_service',
    'maybe',
  ],
  [
    'leads to another service, which answers 200 in JSON',
    { kind: 'says', bytes: http('200 OK', [json, `content-length: ${receipt.length}`], receipt) },
    'not_the_service',
    'maybe',
  ],
  [
    'leads to another service, which answers 404 in JSON',
    { kind: 'says', bytes: http('404 Not Found', [json, 'content-length: 2'], '{}') },
    'not_the_service',
    'maybe',
  ],
  [
    'has a proxy that answers 502 for the service',
    { kind: 'says', bytes: http('502 Bad Gateway', ['content-type: text/html', 'content-length: 4'], 'oops') },
    'not_the_service',
    'maybe',
  ],
  [
    'has a proxy that answers 500 in HTML after the service has answered',
    { kind: 'says_instead', bytes: http('500 Internal Server Error', ['content-type: text/html'], '<h1>Oops</h1>') },
    'not_the_service',
    'maybe',
  ],
  [
    'has a proxy that answers 504 in HTML while the service works',
    { kind: 'says_instead', bytes: http('504 Gateway Timeout', ['content-type: text/html'], '<h1>Late</h1>') },
    'not_the_service',
    'maybe',
  ],
  [
    'ends in a service that fails',
    { kind: 'says_instead', bytes: http('500 Internal Server Error', [json], inShape('INTERNAL', true)) },
    'service',
    'maybe',
  ],
  [
    'ends in a service that knows the key no more',
    { kind: 'says', bytes: http('401 Unauthorized', [json], inShape('UNAUTHENTICATED', false)) },
    'unauthenticated',
    'no',
  ],
  [
    'ends in a service that wants to be left alone for a second',
    { kind: 'says', bytes: http('429 Too Many Requests', [json, 'retry-after: 1'], inShape('RATE_LIMITED', true)) },
    'throttled',
    'no',
  ],
  [
    'gives an empty answer',
    { kind: 'says_instead', bytes: http('202 Accepted', [json, 'content-length: 0'], '') },
    'not_the_service',
    'maybe',
  ],
  [
    'gives an answer that says nothing',
    { kind: 'says_instead', bytes: http('204 No Content', [], '') },
    'not_the_service',
    'maybe',
  ],
  [
    'gives half of the JSON as if it were all',
    { kind: 'says_instead', bytes: http('202 Accepted', [json], '{"transaction_id":"txn') },
    'not_the_service',
    'maybe',
  ],
  ['dribbles its answer for ever', { kind: 'dribbles' }, 'timeout', 'maybe'],
];

let service: CommandProcess;
let ready: ReturnType<typeof sandboxReadySchema.parse>;
beforeAll(async () => {
  service = new CommandProcess(['sandbox', '--json', '--port', '0']);
  ready = sandboxReadySchema.parse(JSON.parse(await service.firstLine()));
});
afterAll(() => service.stop('SIGKILL'));

/** A till at the end of a line of its own. */
interface Till {
  readonly line: HostileLine;
  readonly core: AgentCore;
  close(): Promise<void>;
}

async function openTill(certificate: Certificate | null, expect: ExpectStatic): Promise<Till> {
  const line = await HostileLine.open(ready.base_url, certificate);
  const dataDir = newDataDir();
  const dispatcher = networkDispatcher(standardLine);
  const core = createCore({
    profileKey: Buffer.alloc(32, 1),
    seal: { key: Buffer.alloc(32, 9), isBegun: false, onBegun: () => undefined },
    dataDir,
    machine: null,
    clock: systemClock(),
    random: systemRandom(),
    log: silentLog,
    settings: settingsSchema.parse({}),
    service: { baseUrl: line.url, apiKey: ready.api_key, dispatcher },
    // Nobody has the patience of a shop in a test. But no look of its own may find the fault before the write does: a
    // redemption is not even sent then.
    pacing: { ...networkPacing, answerTimeoutMs: 500, reconnectSpreadMs: 0, flapSettleMs: 100 },
  });
  await expect.poll(() => core.status().connection.state).toBe('online');
  return {
    line,
    core,
    async close() {
      await core.close();
      await dispatcher.destroy();
      await line.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

let count = 0;
const newId = () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
const identifier = { loyalty_id: 'LC-1001' };

async function held(reference: string): Promise<readonly { intent: string; status: string }[]> {
  const response = await fetch(`${ready.base_url}/transactions?external_ref=${reference}`, {
    headers: { authorization: `Bearer ${ready.api_key}` },
  });
  return ((await response.json()) as { data: { intent: string; status: string }[] }).data;
}

/** How often the service was asked to write something under that reference. */
async function timesAsked(reference: string): Promise<number> {
  const response = await fetch(`${ready.control_url}/requests?limit=1000`, {
    headers: { authorization: `Bearer ${ready.api_key}` },
  });
  const { data } = z.object({ data: z.array(loggedSchema) }).parse(await response.json());
  return data.filter((call) => call.method === 'POST' && call.external_ref === reference).length;
}

const loggedSchema = z.object({ method: z.string(), external_ref: z.string().nullable() });

function redeem(core: AgentCore, reference: string) {
  return core.perform(
    {
      origin: 'bridge',
      operationId: newId(),
      intent: 'redeem',
      path: '/transactions/redeem',
      body: { identifier, external_ref: reference, points: 1 },
      externalRef: reference,
      identifier,
      customerName: null,
      idempotencyKey: null,
      reversesRowId: null,
    },
    { waitMs: 0 },
  );
}

const ownWords: ReadonlySet<string> = new Set(['service', 'unauthenticated', 'throttled']);

type Fault = (typeof faults)[number];

// Tests that run side by side each have an `expect` of their own.
async function losesNoSale(till: Till, [, behaviour, cause, recorded]: Fault, expect: ExpectStatic): Promise<void> {
  const { line, core } = till;
  await line.become(behaviour);
  const reference = `LINE-${newId()}`;
  const saved = await core.saveEarn({
    origin: 'bridge',
    operationId: newId(),
    request: { identifier, external_ref: reference, points: 2 },
    customerName: null,
    receiptNumber: null,
    idempotencyKey: null,
  });
  expect(saved.kind).toBe('saved');
  await expect.poll(() => core.status().connection.cause).toBe(cause);
  const [waiting] = core.operationsByReference(reference);
  expect(waiting?.attempts).toBe(0);
  // What the service itself said is kept to be shown, and judges nothing.
  if (!ownWords.has(cause)) expect(waiting?.error).toBeNull();
  expect(['queued', 'sending', 'unknown']).toContain(waiting?.state);
  // What nobody can have heard stays free to be taken back.
  if (recorded === 'no') {
    const now = () => core.operationsByReference(reference)[0];
    await expect.poll(now).toMatchObject({ state: 'queued', maybeSent: false, attempts: 0 });
  }
  await line.become({ kind: 'honest' });
  await expect.poll(() => core.operationsByReference(reference)[0]?.state).toBe('applied');
  expect((await held(reference)).map(({ status }) => status)).toEqual(['success']);
}

async function tellsWhatIsKnown(till: Till, [, behaviour, , recorded]: Fault, expect: ExpectStatic): Promise<void> {
  const { line, core } = till;
  await line.become(behaviour);
  const reference = `SPEND-${newId()}`;
  const outcome = await redeem(core, reference);
  expect(outcome.kind).toBe(recorded === 'no' ? 'not_sent' : 'unknown');
  await line.become({ kind: 'honest' });
  const stateNow = () => core.operationsByReference(reference)[0]?.state;
  // What is on its way may still arrive. Nobody waits any more: it is read until enough time has passed.
  const agrees = async () => {
    const hasArrived = (await held(reference)).length > 0;
    if (hasArrived) return stateNow() === 'applied';
    return outcome.kind === 'not_sent' || /^(unknown|cancelled)$/.test(stateNow() ?? '');
  };
  await expect.poll(agrees).toBe(true);
  // And it is never sent again.
  expect(await timesAsked(reference)).toBeLessThanOrEqual(1);
}

async function atTill(
  certificate: Certificate | null,
  expect: ExpectStatic,
  use: (till: Till) => Promise<void>,
): Promise<void> {
  const till = await openTill(certificate, expect);
  try {
    await use(till);
  } finally {
    await till.close();
  }
}

const aSale = 'loses no sale and doubles none: it waits, at no attempt’s cost, and goes out by itself';
const aSpending = 'tells who waits for a redemption what is known, and what became of it is found out';

describe.concurrent.each(faults)('a line that %s', (...fault) => {
  it(aSale, ({ expect }) => atTill(null, expect, (till) => losesNoSale(till, fault, expect)));
  it(aSpending, ({ expect }) => atTill(null, expect, (till) => tellsWhatIsKnown(till, fault, expect)));
});

const certificates = makeCertificates();
if (certificates !== null) trustAlso(certificates.good);
else console.warn('Lines that are not secure were not tried: openssl is not here.');

const insecure: readonly Fault[] =
  certificates === null
    ? []
    : [
        [
          'shows a certificate that nobody vouches for',
          { kind: 'shows', certificate: certificates.stranger },
          'tls',
          'no',
        ],
        ['shows a certificate that has run out', { kind: 'shows', certificate: certificates.expired }, 'tls', 'no'],
        ['speaks plain HTTP', { kind: 'says', bytes: http('400 Bad Request', [], '') }, 'tls', 'no'],
        // Cut in the greeting: the request cannot have gone out, and nobody can tell.
        ['is cut before it is secure', { kind: 'cut_at_once' }, 'offline', 'maybe'],
        ['is cut when it was secure', { kind: 'cut_after_request' }, 'offline', 'maybe'],
        [
          'has a firewall that puts plain bytes in when the service has answered',
          { kind: 'says_beneath', bytes: http('403 Forbidden', [], '') },
          'timeout',
          'maybe',
        ],
      ];

describe.concurrent.each(insecure)('a secure line that %s', (...fault) => {
  it(aSale, ({ expect }) => atTill(certificates?.good ?? null, expect, (till) => losesNoSale(till, fault, expect)));
  it(aSpending, ({ expect }) =>
    atTill(certificates?.good ?? null, expect, (till) => tellsWhatIsKnown(till, fault, expect)),
  );
});
