import { errorText } from '../../shared/lib/error-code.ts';

/** One thing that was looked at. */
export interface Finding {
  /** Stable, such as `disk`. */
  readonly check: string;
  readonly verdict: 'well' | 'warning' | 'problem';
  /** What was seen. */
  readonly says: string;
  /** What to do about it; null when there is nothing to do. */
  readonly advice: string | null;
}

export function well(check: string, says: string): Finding {
  return { check, verdict: 'well', says, advice: null };
}

export function warning(check: string, says: string, advice: string): Finding {
  return { check, verdict: 'warning', says, advice };
}

export function problem(check: string, says: string, advice: string): Finding {
  return { check, verdict: 'problem', says, advice };
}

/** A database that cannot be read, for whatever reason. Many an error ends its message with a full stop of its own. */
export function unreadable(check: string, name: string, error: unknown): Finding {
  const reason = errorText(error).replace(/\.$/, '');
  return problem(
    check,
    `${name} cannot be read (${reason})`,
    'Start the agent in the mode of this database: it says what is wrong',
  );
}
