import { z } from 'zod';
import { startPrismMock } from '../support/prism.ts';
import { type BuiltProgram, startBuiltProgram } from './built-program.ts';
import { runContender, startServer } from './contender.ts';

/** One kind of call that services are compared by. */
export interface ComparedCall {
  readonly name: 'earn' | 'identify';
  /** Relative to `base_url`. */
  readonly path: string;
  /** `{n}` is replaced by the call's number. */
  readonly body: string;
  readonly status: number;
}

export const comparedCalls = {
  earn: {
    name: 'earn',
    path: '/transactions/earn',
    body: JSON.stringify({
      identifier: { loyalty_id: 'LC-1001' },
      external_ref: 'salmiya-till-3-{n}',
      amount_minor: 12_500,
      currency: 'KWD',
      branch_ref: 'salmiya',
      device_ref: 'till-3',
      employee_ref: 'emp-17',
      metadata: { order: 'A-{n}', lines: 4 },
    }),
    status: 202,
  },
  identify: { name: 'identify', path: '/customers/identify', body: '{"loyalty_id":"LC-1001"}', status: 200 },
} as const satisfies Readonly<Record<ComparedCall['name'], ComparedCall>>;

/** A service that listens on this machine, in a process of its own. */
export interface ListeningService {
  readonly port: number;
  /** What stands before a call's path. */
  readonly prefix: string;
  readonly apiKey: string;
  /** What it answers a call with, when that differs from the specification's status. */
  readonly status?: number;
  stop(): Promise<void>;
}

const readyLine = z.object({ base_url: z.string(), api_key: z.string() });

/** The sandbox as it is shipped, with its state in memory or in a file. */
export async function startSandbox(
  options: { readonly dataFile?: string; readonly nodeFlags?: readonly string[] } = {},
): Promise<ListeningService & BuiltProgram> {
  const data = options.dataFile === undefined ? [] : ['--data', options.dataFile];
  const flags = options.nodeFlags === undefined ? {} : { nodeFlags: options.nodeFlags };
  const program = await startBuiltProgram(['sandbox', '--json', ...data], flags);
  const { base_url, api_key } = readyLine.parse(JSON.parse(program.readyLine));
  return { ...program, port: Number(new URL(base_url).port), prefix: '/v1', apiKey: api_key };
}

/** Prism's mock of the sandbox's own OpenAPI document. It answers with the first example, whose status is 200. */
export async function startPrism(): Promise<ListeningService> {
  const prism = await startPrismMock();
  const port = Number(new URL(prism.url).port);
  return { port, prefix: '', apiKey: 'loyalty_pk_test_bench', status: 200, stop: () => prism.stop() };
}

/** How a bare service saves each call before it answers it (`contenders/bare-http.ts`). */
type SavesTo =
  /** A row made beforehand, by itself or in a commit with those that arrive together; so many rows there are. */
  | { readonly how: 'alone' | 'together'; readonly file: string; readonly rows: number }
  /** The call itself, with all that nobody can leave out who serves POS programs and must lose no sale. */
  | { readonly how: 'dutifully'; readonly file: string };

/** `node:http` alone, which answers one kind of call with what it is told to. */
export async function startBareHttp(
  call: ComparedCall,
  likeAnswer: string,
  savesTo?: SavesTo,
): Promise<ListeningService> {
  const apiKey = 'bench';
  const input = { status: call.status, answer: likeAnswer, apiKey, savesTo };
  const server = await startServer({ name: 'bare-http', input });
  return { port: Number(server.firstLine), prefix: '/v1', apiKey, stop: () => server.stop() };
}

/** What nobody can leave out who answers this kind of call, and nothing else. */
export async function startServiceFloor({ name }: ComparedCall, likeAnswer: string): Promise<ListeningService> {
  const apiKey = 'bench';
  const { loyalty_id: loyaltyId } = z.object({ loyalty_id: z.string() }).parse(JSON.parse(comparedCalls.identify.body));
  const input = { apiKey, loyaltyId, ...(name === 'identify' ? { answer: likeAnswer } : {}) };
  const server = await startServer({ name: `${name}-floor`, input });
  return { port: Number(server.firstLine), prefix: '/v1', apiKey, stop: () => server.stop() };
}

/** Makes one call. @returns the answer's body. @throws when it is not the expected one */
export async function callOnce(service: ListeningService, call: ComparedCall): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${service.port}${service.prefix}${call.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    body: call.body.replaceAll('{n}', '0'),
  });
  const text = await response.text();
  if (response.status === (service.status ?? call.status)) return text;
  throw new Error(`${call.path} answered ${response.status}: ${text}`);
}

const loadResult = z.object({ callsPerSecond: z.number() });
let nextNumber = 1;

/** How many calls a second the service answers. */
export async function loadService(
  service: ListeningService,
  load: {
    readonly call: ComparedCall;
    readonly calls: number;
    /** Each has one call in flight; 16 when absent. */
    readonly connections?: number;
  },
): Promise<number> {
  const { call, calls, connections = 16 } = load;
  const { callsPerSecond } = await runContender({
    name: 'http-load',
    input: {
      port: service.port,
      path: `${service.prefix}${call.path}`,
      apiKey: service.apiKey,
      body: call.body,
      firstNumber: nextNumber,
      calls,
      connections,
      status: service.status ?? call.status,
    },
    result: loadResult,
  });
  // No number comes twice: an earn that is a replay costs less.
  nextNumber += calls;
  return callsPerSecond;
}
