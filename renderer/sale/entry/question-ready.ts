import type { Signal } from '@preact/signals';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { Entry } from './entry-flow.ts';

/** A question takes no answer within this time, because nobody can have read it yet. */
const questionReadyMs = 400;

/** Lets a new question take its answer after a moment, unless another question has replaced it. */
export function readyQuestionSoon(entry: Signal<Entry | null>, clock: Clock): void {
  const asked = entry.value;
  if (asked === null || asked.question === null || asked.question.ready) return;
  clock.setTimer(() => {
    const now = entry.value;
    if (now?.question !== asked.question || now.question === null) return;
    entry.value = { ...now, question: { ...now.question, ready: true } };
  }, questionReadyMs);
}
