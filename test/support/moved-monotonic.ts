import { vi } from 'vitest';

/**
 * Until the mocks are restored, `monotonicMs` of app/machine/monotonic.ts tells another time.
 *
 * @param from gets the real milliseconds since the process began
 */
export function moveMonotonic(from: (realMs: number) => number): void {
  vi.spyOn(process, 'hrtime').mockImplementation(() => [0, from(performance.now()) * 1e6]);
}
