import { assertNever } from '../../shared/lib/assert-never.ts';
import {
  type ConnectionCheck,
  type ConnectionLine,
  type ConnectionVerdict,
  connectionChecks,
} from '../../shared/till/connection-check.ts';
import { isClockFar } from '../../shared/till/limits.ts';
import type { CallOutcome } from '../client/outcome.ts';

type Line = Omit<ConnectionLine, 'check' | 'seconds' | 'milliseconds' | 'detail'> &
  Partial<Pick<ConnectionLine, 'seconds' | 'milliseconds' | 'detail'>>;
type Lines = Readonly<Partial<Record<ConnectionCheck, Line>>>;

/** An answer that takes longer keeps customers waiting. */
const slowMs = 2_000;

/**
 * What one cheap question proves of address, secure line, key, clock and time: each is right only as far as the answer
 * proves it, and what cannot be known is said to be not known.
 */
export function connectionLines(
  outcome: CallOutcome<unknown>,
  facts: { readonly baseUrl: string; readonly tookMs: number; readonly nowMs: number },
): readonly ConnectionLine[] {
  return asLines({ ...linesOf(outcome, facts), ...clockLine(outcome, facts.nowMs) });
}

/** The sandbox that is built in: nothing can be in the way. */
export function builtInLines(): readonly ConnectionLine[] {
  const built: Line = { tone: 'well', verdict: 'built_in' };
  return asLines({ address: built, secure_line: built, key: built, clock: built, time: built });
}

/** There is nothing to ask, or nothing to ask with. */
export function unaskedLines(missing: 'no_address' | 'no_key'): readonly ConnectionLine[] {
  const line: Line = { tone: 'problem', verdict: missing };
  return asLines(missing === 'no_address' ? { address: line } : { key: line });
}

function asLines(lines: Lines): readonly ConnectionLine[] {
  return connectionChecks.map((check) => ({
    seconds: null,
    milliseconds: null,
    detail: null,
    ...(lines[check] ?? { tone: 'not_known', verdict: 'not_known' }),
    check,
  }));
}

function linesOf(
  outcome: CallOutcome<unknown>,
  { baseUrl, tookMs }: { readonly baseUrl: string; readonly tookMs: number },
): Lines {
  const isEncrypted = baseUrl.startsWith('https:');
  const time: Line =
    tookMs > slowMs
      ? { tone: 'warning', verdict: 'slow', milliseconds: tookMs }
      : { tone: 'well', verdict: 'quick', milliseconds: tookMs };
  const reached: Lines = {
    address: { tone: 'well', verdict: 'reached' },
    secure_line: isEncrypted ? { tone: 'well', verdict: 'encrypted' } : { tone: 'warning', verdict: 'not_encrypted' },
    time,
  };
  switch (outcome.kind) {
    case 'done':
      return { ...reached, key: { tone: 'well', verdict: 'key_taken' } };
    case 'refused':
      return { address: problem('question_refused', `${outcome.error.code}: ${outcome.error.message}`) };
    case 'unknown':
      return unknownLines(outcome, reached);
    default:
      return assertNever(outcome);
  }
}

function unknownLines({ cause, message }: Extract<CallOutcome<unknown>, { kind: 'unknown' }>, reached: Lines): Lines {
  switch (cause) {
    case 'offline':
      return { address: problem('unreachable', message) };
    case 'timeout':
      return { address: problem('no_answer_in_time', message) };
    case 'not_the_service':
      return { address: problem('something_else_answers', message) };
    case 'tls':
      return { secure_line: problem('certificate_refused', message) };
    case 'unauthenticated':
      return { ...reached, key: problem('key_refused') };
    case 'suspended':
      return { ...reached, key: problem('suspended') };
    case 'throttled':
      return { ...reached, key: { tone: 'warning', verdict: 'throttled' } };
    case 'service':
      return { ...reached, address: problem('service_fault', message) };
    default:
      return assertNever(cause);
  }
}

function problem(verdict: ConnectionVerdict, detail: string | null = null): Line {
  return { tone: 'problem', verdict, detail };
}

function clockLine(outcome: CallOutcome<unknown>, nowMs: number): Lines {
  const serviceDateMs = outcome.facts?.serviceDateMs ?? null;
  // The clock of a captive portal says nothing.
  if (serviceDateMs === null || (outcome.kind === 'unknown' && outcome.error === null)) return {};
  const aheadMs = nowMs - serviceDateMs;
  if (!isClockFar(aheadMs)) return { clock: { tone: 'well', verdict: 'clock_agrees' } };
  const verdict = aheadMs > 0 ? 'clock_ahead' : 'clock_behind';
  return { clock: { tone: 'problem', verdict, seconds: Math.abs(Math.round(aheadMs / 1000)) } };
}
