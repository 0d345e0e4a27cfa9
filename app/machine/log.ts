import { pino, stdSerializers } from 'pino';
import { anyKeyPrefix } from '../../shared/till/key-prefix.ts';
import { harmless } from './harmless-text.ts';
import { rollingFile } from './log-file.ts';

/** Where the agent tells what it does; a pino logger is one. */
export interface Log {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface LogSink {
  write(line: string): void;
}

/** Fields that never reach a log, at any depth that we write. */
const secretFields = [
  'api_key',
  'apiKey',
  'authorization',
  'email',
  'external_id',
  'identifier',
  'loyalty_id',
  'name',
  'customerName',
  'customer_name',
  'otp',
  'phone',
  'pin',
  'token',
];

/** The last look at a whole line: what looks like a secret or a customer, wherever it stands, even in an error's text. */
const secretShapes: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`(${anyKeyPrefix})[\\w-]+`, 'g'), '$1[removed]'],
  [/tillbridge_[\w-]{16,}/g, 'tillbridge_[removed]'],
  [/Bearer +[\w.~+/-]+/gi, 'Bearer [removed]'],
  [/[\w.+-]+@[\w-]+\.[\w.-]+/g, '[e-mail removed]'],
  [/\+\d[\d ()-]{6,16}\d/g, '[phone removed]'],
];

export function withoutSecrets(text: string): string {
  return secretShapes.reduce((rest, [shape, replacement]) => rest.replace(shape, replacement), text);
}

/** A log of JSON lines with secrets and customers' data taken out, which a terminal shows and does not obey. */
export function createLog(sink: LogSink, level: 'debug' | 'info' | 'warn' = 'info'): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: stdSerializers.err },
      redact: {
        paths: ['', '*.', '*.*.', '*.*.*.'].flatMap((prefix) => secretFields.map((field) => prefix + field)),
        censor: '[removed]',
      },
      hooks: { streamWrite: (line) => harmless(withoutSecrets(line)) },
    },
    sink,
  );
}

/** A log in files of at most 5 MiB, the newest three kept. */
export function createFileLog(path: string): Log {
  return createLog(rollingFile(path, { maxBytes: 5 * 1024 * 1024, keptFiles: 3 }));
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
