import { errorCode, errorText } from '../../shared/lib/error-code.ts';
import { currencyExponent, minorToDecimalText } from '../../shared/money.ts';
import { boundConnections } from '../http/bounded-connections.ts';
import { systemClock } from '../machine/clock.ts';
import { createIds, createRepeatableIds } from '../machine/ids.ts';
import { typed } from '../machine/installed.ts';
import { seededRandom, systemRandom } from '../machine/random.ts';
import { type HttpFace, serveService } from '../service/faces/http.ts';
import type { ServiceLog } from '../service/log.ts';
import { createService, type Service, type ServiceOptions } from '../service/service.ts';
import { DataFileError } from '../service/store/open.ts';
import { exitCodes } from './exit-codes.ts';
import { type FlagSpec, helpText, parseFlags } from './flags.ts';
import { stopSignal } from './stop-signal.ts';

const flags: readonly FlagSpec[] = [
  { name: 'port', value: 'PORT', help: 'the port to listen on; 0, the default, takes a free one' },
  { name: 'host', value: 'HOST', help: 'the address to listen on (127.0.0.1)' },
  { name: 'data', value: 'FILE', help: 'keep the state in this SQLite file; without it, in memory' },
  { name: 'seed', value: 'NUMBER', help: 'make ids, codes and probabilities repeatable' },
  {
    name: 'currency',
    value: 'CODE',
    help: "what the shop sells in (ISO 4217): the demo customers' money; KWD at first",
  },
  { name: 'json', value: null, help: 'print one line of JSON when ready, and nothing else' },
];

interface SandboxSettings {
  readonly port: number;
  readonly host: string;
  readonly dataFile: string | null;
  readonly seed: number | null;
  readonly currency: string | null;
  readonly json: boolean;
}

/**
 * Runs the sandbox over HTTP until SIGTERM or SIGINT, then finishes what is in flight.
 *
 * @returns the exit code: 0 after it ran, 2 when a flag, the port or the data file is no good
 */
export async function sandboxCommand(argv: readonly string[]): Promise<number> {
  const read = readSettings(argv);
  if (read.kind === 'help') {
    const about = 'The Loyalty Integration Service as a sandbox, with demo customers and a control API.';
    process.stdout.write(helpText(typed('sandbox [flags]'), about, flags));
    return exitCodes.well;
  }
  if (read.kind === 'wrong') return refuse(read.problem);
  const { settings } = read;

  let service: Service;
  try {
    service = createService(serviceOptions(settings));
  } catch (error) {
    if (error instanceof DataFileError) return refuse(`--data: ${error.message}`);
    if (settings.dataFile === null) throw error;
    // It opens as a database of ours, and what stands in it cannot be read, or the disk takes nothing more.
    const reason = errorText(error);
    return refuse(`--data: ${settings.dataFile} cannot be used: ${reason}`);
  }
  let face: HttpFace;
  try {
    face = await serveService(service, {
      host: settings.host,
      port: settings.port,
      clock: service.hostClock,
      bound: boundConnections,
    });
  } catch (error) {
    service.close();
    return refuse(whyNotListening(error, settings));
  }
  const stopped = stopSignal();
  process.stdout.write(settings.json ? readyJson(face, service) : readyWords(face, service));
  await stopped;
  await face.close();
  service.close();
  return exitCodes.well;
}

type ReadSettings =
  | { readonly kind: 'read'; readonly settings: SandboxSettings }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly problem: string };

function readSettings(argv: readonly string[]): ReadSettings {
  const parsed = parseFlags(argv, flags);
  if (parsed.kind === 'help') return parsed;
  if (parsed.kind === 'wrong') return { kind: 'wrong', problem: parsed.problems.join('; ') };
  const { values, switches } = parsed;
  const port = values.get('port') ?? '0';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    return { kind: 'wrong', problem: `--port: must be a number from 0 to 65535, not "${port}"` };
  }
  const seed = values.get('seed') ?? null;
  if (seed !== null && (!/^\d{1,15}$/.test(seed) || !Number.isSafeInteger(Number(seed)))) {
    return { kind: 'wrong', problem: `--seed: must be a whole number of up to 15 digits, not "${seed}"` };
  }
  const host = values.get('host') ?? '127.0.0.1';
  const dataFile = values.get('data') ?? null;
  if (host === '') return { kind: 'wrong', problem: '--host: must not be empty' };
  if (dataFile === '') return { kind: 'wrong', problem: '--data: must name a file' };
  const currency = values.get('currency') ?? null;
  if (currency !== null && currencyExponent(currency) === null) {
    return { kind: 'wrong', problem: `--currency: must be a code of ISO 4217 such as USD, not "${currency}"` };
  }
  const settings = { port: Number(port), host, currency, dataFile, seed: seed === null ? null : Number(seed) };
  return { kind: 'read', settings: { ...settings, json: switches.has('json') } };
}

function serviceOptions({ dataFile, seed, currency }: SandboxSettings): ServiceOptions {
  const clock = systemClock();
  const random = systemRandom();
  const base = {
    log: stderrLog,
    ...(currency === null ? {} : { currency }),
    clock,
    random,
    ids: createIds(clock, random),
    data: dataFile === null ? { kind: 'memory' as const } : { kind: 'file' as const, path: dataFile },
  };
  if (seed === null) return base;
  return {
    ...base,
    entropyOfStart(start) {
      // Each start of a data file draws on, so that it never makes the ids of the one before again.
      const startRandom = seededRandom(seed, start);
      return { random: startRandom, ids: createRepeatableIds(startRandom, start) };
    },
  };
}

/** What a tester has to know of the service's own faults; the rest stands in the request log. */
const stderrLog: ServiceLog = {
  info: () => undefined,
  warn: () => undefined,
  error(facts, message) {
    const reason = 'err' in facts && facts.err instanceof Error ? (facts.err.stack ?? facts.err.message) : '';
    const requestId = 'request_id' in facts ? ` (${String(facts.request_id)})` : '';
    process.stderr.write(`${message}${requestId}: ${reason}\n`);
  },
};

function whyNotListening(error: unknown, { host, port }: SandboxSettings): string {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `--port: ${port} on ${host} is already in use. Name another, or 0 for a free one.`;
    case 'EACCES':
      return `--port: ${port} on ${host} is not allowed to you. Name one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `--host: ${host} is not an address of this machine.`;
    default:
      return `Cannot listen on ${host}:${port}: ${errorText(error)}`;
  }
}

function refuse(problem: string): number {
  process.stderr.write(`${problem}\n`);
  return exitCodes.wrongUse;
}

function readyJson(face: HttpFace, service: Service): string {
  const line = { ready: true, base_url: face.baseUrl, control_url: face.controlUrl, api_key: service.apiKey };
  return `${JSON.stringify(line)}\n`;
}

function readyWords(face: HttpFace, service: Service): string {
  const authorization = `-H 'Authorization: Bearer ${service.apiKey}'`;
  const json = `-H 'Content-Type: application/json'`;
  const { currency } = service;
  const amountInWords = `${currency} ${minorToDecimalText(12_500, currencyExponent(currency) ?? 0)}`;
  return `The sandbox is ready. Stop it with Ctrl+C.

  Service      ${face.baseUrl}
  Control API  ${face.controlUrl}
  API key      ${service.apiKey}

Find a customer:
  curl -s ${authorization} ${json} -d '{"loyalty_id":"LC-1001"}' ${face.baseUrl}/customers/identify

Earn on a purchase of ${amountInWords}:
  curl -s ${authorization} ${json} -d '{"identifier":{"loyalty_id":"LC-1001"},"external_ref":"R-1","amount_minor":12500,"currency":"${currency}"}' ${face.baseUrl}/transactions/earn

`;
}
