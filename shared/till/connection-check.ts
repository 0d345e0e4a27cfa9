import { z } from 'zod';

/** What a test of the connection tells apart, in the order in which they can be known. */
export const connectionChecks = ['address', 'secure_line', 'key', 'clock', 'time'] as const;
export type ConnectionCheck = (typeof connectionChecks)[number];

const connectionVerdicts = [
  /** The service itself answers there. */
  'reached',
  /** The sandbox that is built in: there is no line. */
  'built_in',
  'no_address',
  'unreachable',
  'no_answer_in_time',
  'something_else_answers',
  'service_fault',
  'question_refused',
  /** Encrypted, and the certificate is good. */
  'encrypted',
  /** An address that begins with http: keys and customers can be read on the way. */
  'not_encrypted',
  'certificate_refused',
  'key_taken',
  'no_key',
  'key_refused',
  'suspended',
  /** The key is good, and the service asks to wait. */
  'throttled',
  'clock_agrees',
  /** This machine's clock; `seconds` has by how much. */
  'clock_behind',
  'clock_ahead',
  /** How long the answer took; `milliseconds` has it. */
  'quick',
  'slow',
  /** Something before it has failed. */
  'not_known',
] as const;
export type ConnectionVerdict = (typeof connectionVerdicts)[number];

/** One line of the test. */
export const connectionLineSchema = z.object({
  check: z.enum(connectionChecks),
  tone: z.enum(['well', 'warning', 'problem', 'not_known']),
  verdict: z.enum(connectionVerdicts),
  seconds: z.int().nullable(),
  milliseconds: z.int().nullable(),
  /** What the system said of it, in English, for store IT; null when there is nothing more to say. */
  detail: z.string().nullable(),
});
export type ConnectionLine = z.output<typeof connectionLineSchema>;
