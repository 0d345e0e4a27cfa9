import { minuteMs } from '../../shared/lib/durations.ts';

/** Another till may have used the card since: what was told so long ago counts no more. */
export const freshMs = 10 * minuteMs;

/** So many of a customer's newest operations are looked through for one that may have changed the card. */
export const comparedOperations = 50;
