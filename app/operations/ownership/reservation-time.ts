import { fieldOf } from '../../../shared/contract/differing-fields.ts';
import { maxTtlMinutes } from '../../../shared/contract/reservation.ts';
import { minuteMs } from '../../../shared/lib/durations.ts';
import { greatestSkewMs } from '../../../shared/till/limits.ts';

/**
 * Whether a hold runs out at another time than one that was made just now, as was asked: then it is an earlier one, or
 * somebody else's. What runs for as long as the service pleases may run out at any time.
 *
 * @param request the parsed body of a reserve
 * @param reservation the first answer to it
 * @param nowMs by the service's clock
 */
export function runsOutAtAnotherTime(
  request: unknown,
  reservation: { readonly expires_at: string },
  nowMs: number,
): boolean {
  const askedMinutes = fieldOf(request, 'ttl_minutes');
  if (typeof askedMinutes !== 'number') return false;
  const madeAtMs = Date.parse(reservation.expires_at) - Math.min(askedMinutes, maxTtlMinutes) * minuteMs;
  return Math.abs(madeAtMs - nowMs) > greatestSkewMs;
}
