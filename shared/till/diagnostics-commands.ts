import { z } from 'zod';
import { operationStates } from '../machines/operation.ts';
import { modes } from './modes.ts';
import { causes, connectionSchema, connectionStates } from './views.ts';

/** The connection to the service from `at` on; `started`: the agent began. */
const lineEntrySchema = z.object({
  at: z.iso.datetime(),
  state: z.enum([...connectionStates, 'started']),
  cause: z.enum(causes).nullable(),
});
export type LineEntry = z.output<typeof lineEntrySchema>;

/** A check of the whole database, table by table, with its progress. */
const databaseCheckSchema = z.object({
  state: z.enum(['never', 'running', 'sound', 'damaged', 'failed']),
  done: z.int(),
  total: z.int(),
  /** The first few problems, in SQLite's own words. */
  problems: z.array(z.string()),
  ended_at: z.iso.datetime().nullable(),
});
export type DatabaseCheck = z.output<typeof databaseCheckSchema>;

const diagnosisSchema = z.object({
  now: z.iso.datetime(),
  started_at: z.iso.datetime(),
  mode: z.enum(modes),
  device_id: z.string(),
  versions: z.object({
    tillbridge: z.string(),
    specification: z.string(),
    node: z.string(),
    sqlite: z.string(),
    system: z.string(),
  }),
  connection: connectionSchema,
  /** Null: the embedded sandbox. */
  service_address: z.string().nullable(),
  last_answer_at: z.iso.datetime().nullable(),
  /** How far the service's clock is ahead of this machine's; null before any answer. */
  clock_skew_ms: z.number().nullable(),
  /** Newest first. */
  line: z.array(lineEntrySchema),
  counts: z.record(z.enum(operationStates), z.int()),
  oldest_waiting_at: z.iso.datetime().nullable(),
  /** Null when the system does not report it. */
  free_bytes: z.number().nullable(),
  /** With less free space than this, sales will stop soon. */
  least_free_bytes: z.number(),
  data_dir: z.string(),
  /** A command of store IT for this till, ready to be typed on this machine. */
  command: z.string(),
  database: z.object({
    file: z.string(),
    bytes: z.number(),
    check: databaseCheckSchema,
  }),
  /** Databases that were put aside, because of damage or a restore. */
  put_aside: z.array(z.string()),
});
export type Diagnosis = z.output<typeof diagnosisSchema>;

/** What happened in one hour, and how many operations waited at its end. */
const hourSchema = z.object({
  from: z.iso.datetime(),
  taken: z.int(),
  delivered: z.int(),
  /** Refused or failed. */
  stuck: z.int(),
  waiting: z.int(),
});
export type DayHour = z.output<typeof hourSchema>;

const logLineSchema = z.object({
  at: z.string(),
  level: z.enum(['debug', 'info', 'warn', 'error']),
  message: z.string(),
  /** The other fields of the log line, as JSON; empty when there are none. */
  facts: z.string(),
});
export type LogLine = z.output<typeof logLineSchema>;

const bundlePart = z.object({ name: z.string(), bytes: z.int() });
const bundleFinding = z.object({
  part: z.string(),
  what: z.enum(['api_key', 'token', 'header', 'private_key', 'own']),
});

/** The commands of the diagnostics screen. */
export const diagnosticsCommands = {
  'diagnostics.read': { input: z.object({}), answer: diagnosisSchema },
  /** The last 24 hours, oldest first; the last one is still running. */
  'diagnostics.day': {
    input: z.object({}),
    answer: z.object({
      hours: z.array(hourSchema),
      /** There were too many operations to count at once. The oldest are not counted. */
      is_partial: z.boolean(),
    }),
  },
  /** Starts a check of the database, unless one runs already. */
  'diagnostics.check_database': { input: z.object({}), answer: databaseCheckSchema },
  /** The progress of the check. */
  'diagnostics.read_check': { input: z.object({}), answer: databaseCheckSchema },
  /** The newest lines of the log, newest first, without secrets and customers. */
  'diagnostics.log': {
    input: z.object({ limit: z.int().min(1).max(500).default(200) }),
    answer: z.object({ lines: z.array(logLineSchema) }),
  },
  /** Lists what a support bundle would hold. Nothing is saved. */
  'diagnostics.preview_bundle': {
    input: z.object({}),
    answer: z.object({ parts: z.array(bundlePart), found: bundleFinding.nullable() }),
  },
  /** Saves a support bundle into the data folder, unless a secret is found in it. */
  'diagnostics.save_bundle': {
    input: z.object({}),
    answer: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('saved'), file: z.string(), bytes: z.int() }),
      z.object({ kind: z.literal('found_secret'), found: bundleFinding }),
      z.object({ kind: z.literal('not_written'), reason: z.string() }),
    ]),
  },
} as const;
