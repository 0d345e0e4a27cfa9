import type { Clock } from '../../../shared/lib/clock.ts';
import { type Refusal, refuse } from '../answer.ts';
import type { Settings } from '../settings.ts';

interface Window {
  readonly endsAtMs: number;
  used: number;
}

/** So many requests of a partner in so many seconds, counted from the first (gap: Errors and limits). */
export interface RateLimiter {
  /** Counts a call. */
  take(source: string, limit: Settings['rate_limit']): Refusal | null;
  reset(): void;
}

export function createRateLimiter(clock: Clock): RateLimiter {
  const windows = new Map<string, Window>();
  return {
    take(source, limit) {
      if (limit === null) return null;
      const nowMs = clock.now();
      let window = windows.get(source);
      if (window === undefined || window.endsAtMs <= nowMs) {
        window = { endsAtMs: nowMs + limit.per_seconds * 1000, used: 0 };
        windows.set(source, window);
      }
      if (window.used < limit.requests) {
        window.used += 1;
        return null;
      }
      const seconds = Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1000));
      return refuse('RATE_LIMITED', `Too many requests: try again in ${seconds} s.`, {
        headers: { 'Retry-After': String(seconds) },
      });
    },
    reset: () => windows.clear(),
  };
}
