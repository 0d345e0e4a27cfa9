import type { TillState } from '../../shared/till/views.ts';
import type { Words } from '../copy/en/start.ts';
import { durationInWords, type Format } from '../copy/format.ts';

/** A sandbox clock that nobody moved is never this far ahead. */
const leastAheadMs = 1000;

/** What was changed in the sandbox controls, in a few words; null when nothing was. */
export function labInWords(till: TillState, words: Words, format: Format): string | null {
  const { lab } = till;
  if (lab === null) return null;
  const [first] = lab.active_faults;
  const faults =
    first === undefined
      ? null
      : lab.active_faults.length === 1
        ? words.lab.faults[first]
        : words.lab.manyFaults(lab.active_faults.length, format.number(lab.active_faults.length));
  const clock = !till.clock_runs
    ? words.lab.held
    : lab.clock_ahead_ms >= leastAheadMs
      ? words.lab.ahead(durationInWords(lab.clock_ahead_ms, words, format))
      : null;
  const parts = [faults, clock].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(' · ');
}
