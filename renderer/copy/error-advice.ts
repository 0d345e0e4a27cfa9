import { minuteMs } from '../../shared/lib/durations.ts';
import type { TillError } from '../../shared/till/api.ts';
import type { Advice } from './advice.ts';
import type { Words } from './en/start.ts';
import type { Format } from './format.ts';

/**
 * The words for an error of the agent. After too many wrong PINs or badges they say how long to wait, because the wait
 * grows.
 *
 * @param own a dialog's closer words for the error
 */
export function errorAdvice(
  { code, details }: TillError,
  words: Words,
  format: Pick<Format, 'number'>,
  own?: Partial<Advice>,
): Advice {
  const usual = words.errors[code];
  const leftMs = Number(details?.[0]);
  if ((code === 'pin_locked' || code === 'badge_locked') && leftMs > 0) {
    const minutes = Math.ceil(leftMs / minuteMs);
    return { title: usual.title, next: words.waitThen[code](minutes, format.number(minutes)) };
  }
  return { ...usual, ...own };
}
