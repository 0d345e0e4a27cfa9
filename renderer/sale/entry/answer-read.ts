import type { Signal } from '@preact/signals';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { Presses } from '../../shell/presses.ts';
import { type Entry, isBlank } from './entry-flow.ts';

/** Nobody can have read an answer, or what became of a sale, within this time. */
export const readMs = 400;

/** Keeps what an entry says after Confirm until somebody can have read it. */
export interface AnswerRead {
  /** Confirm was answered, and the entry stays open: with a question, a mistake or a refusal. */
  readonly answered: () => void;
  /**
   * Whether the entry's answer is too new to be read. A press that leaves the entry was meant for what was there
   * before: the sale that the cashier takes for confirmed would be gone without a word.
   */
  readonly isUnread: () => boolean;
}

export function createAnswerRead(
  entry: Signal<Entry | null>,
  { clock, presses }: { readonly clock: Clock; readonly presses: Presses },
): AnswerRead {
  let last: Entry | null = null;
  let paintedAtMs = Number.POSITIVE_INFINITY;
  return {
    answered() {
      const answer = entry.value;
      // A press that was ignored changes nothing: it is no new answer.
      if (answer === null || answer.busy || answer === last) return;
      last = answer;
      paintedAtMs = Number.POSITIVE_INFINITY;
      presses.whenPainted(() => {
        if (last === answer) paintedAtMs = clock.monotonicMs();
        clock.setTimer(() => {
          const now = entry.value;
          // Another question may have replaced it.
          if (now === null || now.question === null || now.question !== answer.question) return;
          entry.value = { ...now, question: { ...now.question, ready: true } };
        }, readMs);
      });
    },
    isUnread() {
      const now = entry.value;
      const isEarly = presses.pressedAtMs() - paintedAtMs < readMs;
      return now !== null && now.entryId === last?.entryId && isEarly && !isBlank(now);
    },
  };
}
