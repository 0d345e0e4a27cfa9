import { z } from 'zod';

/** The parts of a connection test, in the order in which they can be known. */
export const connectionChecks = ['address', 'secure_line', 'key', 'clock', 'time'] as const;
export type ConnectionCheck = (typeof connectionChecks)[number];

const connectionVerdicts = [
  /** The service answers at the address. */
  'reached',
  /** The embedded sandbox: there is no network. */
  'built_in',
  'no_address',
  'unreachable',
  'no_answer_in_time',
  'something_else_answers',
  'service_fault',
  'question_refused',
  /** The connection is encrypted, and the certificate is valid. */
  'encrypted',
  /** An http address: others can read keys and customers on the way. */
  'not_encrypted',
  'certificate_refused',
  'key_taken',
  'no_key',
  'key_refused',
  'suspended',
  /** The key is valid, and the service asks to wait. */
  'throttled',
  'clock_agrees',
  /** This machine's clock is wrong; `seconds` says by how much. */
  'clock_behind',
  'clock_ahead',
  /** The time until the answer, in `milliseconds`. */
  'quick',
  'slow',
  /** A part before this one has failed. */
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
  /** The system's own words, in English, for store IT; null when there is nothing to add. */
  detail: z.string().nullable(),
});
export type ConnectionLine = z.output<typeof connectionLineSchema>;
