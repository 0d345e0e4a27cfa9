import type { Clock } from '../../shared/lib/clock.ts';
import { type Unknown, unknownOutcome } from '../client/outcome.ts';
import type { Reply } from './answers.ts';
import { type Failure, readFailure, unknownFailure } from './answers.ts';

/**
 * Answers after `bridge.answer_within_ms` at the latest. The work goes on: a write is settled when its answer comes,
 * and its retry gets the outcome.
 *
 * @param clock real time: a tester who moves the sandbox's clock makes no call late
 * @param whenLate the answer when the time has passed
 */
export function answeredWithin(
  answering: Promise<Reply> | Reply,
  {
    clock,
    limitMs,
    whenLate,
  }: { readonly clock: Pick<Clock, 'setTimer'>; readonly limitMs: number; readonly whenLate: () => Reply },
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

/** The answer to a late write, whose bytes may have been sent. */
export function lateFailure(): Failure {
  return unknownFailure(late('what was asked for goes on'));
}

/** The answer to a late read, which changes nothing. */
export function lateReadFailure(): Failure {
  return readFailure(late('nothing was changed'));
}

function late(whatThen: string): Unknown {
  return unknownOutcome('timeout', `bridge.answer_within_ms has passed; ${whatThen}`);
}
