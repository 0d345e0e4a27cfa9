import type { Clock } from '../../shared/lib/clock.ts';
import { isClockFar } from '../../shared/till/limits.ts';

/** HTTP dates are cut to the second: on average the service is half a second further. */
const dateCutMs = 500;
/** So many measurements make one figure; the median bears a slow answer among them. */
const sampleCount = 5;
/** Of so many the median bears one that is wrong. */
const enoughSamples = 3;
/**
 * The same Date for longer than this comes from a clock that stands still or from a kept answer; answers that overtake each
 * other explain less.
 */
const longestSameMs = 5_000;
const mostRemembered = 1_000;
/** Wall time and monotonic time drift apart by less than this; more is somebody setting the clock. */
const jumpMs = 2_000;

/** How far the service's clock is ahead of ours, from the Date headers of its answers. */
export class ClockSkew {
  readonly #clock: Clock;
  #samples: readonly number[] = [];
  /** Of the samples: it is asked for with each sale and each answer. */
  #medianMs: number | null = null;
  /** Wall time less monotonic time, as long as nobody sets the clock. */
  #offsetMs: number;
  /** The same when the agent started. */
  readonly #firstOffsetMs: number;
  #hasJumped = false;
  #hasBeenFar = false;
  #isJumpNew = false;
  /** Whether answers tell the time, as far as it is known. */
  #isTold = false;
  /** When each of the last answers was there first, by monotonic time. */
  readonly #toldAtMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#offsetMs = clock.now() - clock.monotonicMs();
    this.#firstOffsetMs = this.#offsetMs;
  }

  /** By how many whole milliseconds the wall clock was set since the agent started. */
  get setByMs(): number {
    this.#watch();
    const setByMs = Math.round(this.#offsetMs - this.#firstOffsetMs);
    return Math.abs(setByMs) > jumpMs ? setByMs : 0;
  }

  /** @param requestId of the answer; null when it has none */
  observe(serviceDateMs: number, requestId: string | null = null): void {
    this.#watch();
    if (this.#isKept(`${serviceDateMs} ${requestId}`)) return;
    this.#isTold = true;
    this.#keep([...this.#samples.slice(1 - sampleCount), serviceDateMs + dateCutMs - this.#clock.now()]);
    if (isClockFar(this.#medianMs ?? 0)) this.#hasBeenFar = true;
  }

  /** Milliseconds, null before any answer. What was measured before the clock was set says nothing any more. */
  get skewMs(): number | null {
    this.#watch();
    return this.#medianMs;
  }

  /**
   * Whether the clocks seem to differ by more than `greatestSkewMs`, and too few answers have said so: a date may be one
   * that somebody on the way has kept. Or whether the last answer says something else than those before it. Or whether
   * nothing is known any more because the clock was set: the answers had dates, and the next one will have one.
   */
  get isDoubtful(): boolean {
    const { skewMs } = this;
    if (skewMs === null) return this.#isTold;
    const isTooFew = isClockFar(skewMs) && this.#samples.length < enoughSamples;
    return isTooFew || isClockFar((this.#samples.at(-1) ?? skewMs) - skewMs);
  }

  /** The service was asked for the time, and has answered. Where nothing is known of the time even now, no answer will tell it. */
  wasNotTold(): void {
    if (this.skewMs === null) this.#isTold = false;
  }

  /** Whether the service's dates ever seemed to be far from our clock, since the agent started: sales got their time by them. */
  get hasBeenFar(): boolean {
    return this.#hasBeenFar;
  }

  /** Whether the wall clock was set since the agent started. */
  get hasJumped(): boolean {
    this.#watch();
    return this.#hasJumped;
  }

  /** Whether the wall clock was set since this was asked last. */
  takeJump(): boolean {
    this.#watch();
    const isNew = this.#isJumpNew;
    this.#isJumpNew = false;
    return isNew;
  }

  /** A clock that goes tells each second for a second. An answer that comes again later was kept by somebody on the way. */
  #isKept(answer: string): boolean {
    const nowMs = this.#clock.monotonicMs();
    const firstMs = this.#toldAtMs.get(answer) ?? nowMs;
    // Those that come again are forgotten last.
    this.#toldAtMs.delete(answer);
    this.#toldAtMs.set(answer, firstMs);
    const [oldest] = this.#toldAtMs.keys();
    if (oldest !== undefined && this.#toldAtMs.size > mostRemembered) this.#toldAtMs.delete(oldest);
    return nowMs - firstMs > longestSameMs;
  }

  #keep(samples: readonly number[]): void {
    this.#samples = samples;
    this.#medianMs = samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? null;
  }

  #watch(): void {
    const offsetMs = this.#clock.now() - this.#clock.monotonicMs();
    if (Math.abs(offsetMs - this.#offsetMs) > jumpMs) {
      this.#keep([]);
      this.#hasJumped = true;
      this.#isJumpNew = true;
    }
    this.#offsetMs = offsetMs;
  }
}
