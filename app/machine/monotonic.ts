import { uptime } from 'node:os';

/** What a machine tells of time, each in milliseconds. */
interface MachineTime {
  /** On Linux it stands still while the machine sleeps. */
  readonly awakeMs: () => number;
  readonly wallMs: () => number;
  /** Since the machine was started, with its sleeps. It takes long to read. */
  readonly uptimeMs: () => number;
}

/** Wall time and monotonic time drift apart by less than this; more is a sleep, or somebody setting the clock. */
const driftMs = 2_000;
/** `uptimeMs` is told in hundredths of a second. */
const leastSleepMs = 100;

/** Milliseconds since it was made, with those in which the machine slept; no change of its clock moves them. */
export function createMonotonic({ awakeMs, wallMs, uptimeMs }: MachineTime): () => number {
  const startedAtMs = awakeMs();
  const sleptBeforeMs = uptimeMs() - startedAtMs;
  let offsetMs = wallMs() - startedAtMs;
  let sleptMs = 0;
  return () => {
    const awake = awakeMs();
    const offsetNowMs = wallMs() - awake;
    if (Math.abs(offsetNowMs - offsetMs) > driftMs) {
      offsetMs = offsetNowMs;
      const slept = uptimeMs() - awake - sleptBeforeMs;
      if (slept > sleptMs + leastSleepMs) sleptMs = slept;
    }
    return awake - startedAtMs + sleptMs;
  };
}

const origin = process.hrtime();

/**
 * Milliseconds since this module was loaded. `performance.now()` tells nearly the same, and its first use has Node load nine
 * modules: 1 ms of a start.
 */
export const monotonicMs = createMonotonic({
  awakeMs() {
    const [seconds, nanoseconds] = process.hrtime(origin);
    return seconds * 1_000 + nanoseconds / 1e6;
  },
  wallMs: () => Date.now(),
  uptimeMs: () => uptime() * 1_000,
});
