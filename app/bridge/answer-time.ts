import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import { type Failure, unknownFailure } from './answers.ts';
import type { Reply } from './endpoint-route.ts';

/**
 * Keeps nobody waiting for longer than `bridge.answer_within_ms`. What was begun goes on: a write is settled when its
 * answer comes, and its retry gets what became of it.
 *
 * @param whenLate what is told then
 */
export async function answeredWithin(
  answering: Promise<Reply> | Reply,
  { clock, limitMs, whenLate }: { readonly clock: Clock; readonly limitMs: number; readonly whenLate: () => Reply },
): Promise<Reply> {
  let cancelTimer: CancelTimer = () => undefined;
  const late = new Promise<Reply>((resolve, reject) => {
    cancelTimer = clock.setTimer(() => {
      try {
        resolve(whenLate());
      } catch (error) {
        reject(error);
      }
    }, limitMs);
  });
  try {
    return await Promise.race([answering, late]);
  } finally {
    cancelTimer();
  }
}

/** The bytes of a write may have gone out. */
export function lateFailure(): Failure {
  return unknownFailure({
    kind: 'unknown',
    cause: 'timeout',
    recorded: 'maybe',
    message: 'bridge.answer_within_ms has passed; what was asked for goes on',
    error: null,
    facts: null,
    retryAfterMs: null,
  });
}
