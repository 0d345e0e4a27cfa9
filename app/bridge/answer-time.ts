import type { Clock } from '../../shared/lib/clock.ts';
import type { Unknown } from '../client/outcome.ts';
import type { Reply } from './answers.ts';
import { type Failure, readFailure, unknownFailure } from './answers.ts';

/**
 * Keeps nobody waiting for longer than `bridge.answer_within_ms`. What was begun goes on: a write is settled when its
 * answer comes, and its retry gets what became of it.
 *
 * @param whenLate what is told then
 */
export function answeredWithin(
  answering: Promise<Reply> | Reply,
  { clock, limitMs, whenLate }: { readonly clock: Clock; readonly limitMs: number; readonly whenLate: () => Reply },
): Promise<Reply> | Reply {
  if (!(answering instanceof Promise)) return answering;
  return new Promise((resolve, reject) => {
    const cancelTimer = clock.setTimer(() => {
      try {
        resolve(whenLate());
      } catch (error) {
        reject(error);
      }
    }, limitMs);
    answering.then(
      (reply) => {
        cancelTimer();
        resolve(reply);
      },
      (error: unknown) => {
        cancelTimer();
        reject(error);
      },
    );
  });
}

/** The bytes of a write may have gone out. */
export function lateFailure(): Failure {
  return unknownFailure(late('what was asked for goes on'));
}

/** A read changes nothing, answered or not. */
export function lateReadFailure(): Failure {
  return readFailure(late('nothing was changed'));
}

function late(whatThen: string): Unknown {
  return {
    kind: 'unknown',
    cause: 'timeout',
    recorded: 'maybe',
    message: `bridge.answer_within_ms has passed; ${whatThen}`,
    error: null,
    facts: null,
    retryAfterMs: null,
  };
}
