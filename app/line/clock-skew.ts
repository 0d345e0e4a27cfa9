import type { Clock } from '../../shared/lib/clock.ts';
import { isClockFar } from '../../shared/till/limits.ts';

/** HTTP dates have no fractions of a second: on average the service's clock is half a second further. */
const dateCutMs = 500;
/** The skew is the median of the last so many measurements, so that one slow answer does not change it. */
const sampleCount = 5;
/** From so many measurements on, one wrong date does not change the median. */
const enoughSamples = 3;
/**
 * The same answer with the same Date after more than this time was kept by a proxy, or comes from a clock that stands
 * still. Answers that overtake each other differ by less.
 */
const longestSameMs = 5_000;
const mostRemembered = 1_000;
/**
 * Wall time and monotonic time drift apart by less than this between two looks: more means that somebody has set the clock.
 * It is more than `ClockJump` takes for a jump: what is moved along by mistake is off by that second, while here all that
 * was measured is thrown away.
 */
const jumpMs = 2_000;

/** How far the service's clock is ahead of ours, from the Date headers of its answers. */
export class ClockSkew {
  readonly #clock: Clock;
  #samples: readonly number[] = [];
  /** The median of the samples, kept because it is asked for with each sale and each answer. */
  #medianMs: number | null = null;
  /** Wall time minus monotonic time: it changes only when somebody sets the clock. */
  #offsetMs: number;
  /** The same when the agent started. */
  readonly #firstOffsetMs: number;
  #hasJumped = false;
  /** By how much the wall clock was set since the agent started, and the least and the most that this ever was. */
  #set = { byMs: 0, leastMs: 0, mostMs: 0 };
  /** By how much it was set from each of these moments of monotonic time on, the last one at the end. */
  #setFrom: readonly { readonly atMs: number; readonly byMs: number }[] = [];
  #hasBeenFar = false;
  #isJumpNew = false;
  /** Whether the service's answers tell the time, as far as is known. */
  #isTold = false;
  /** When each of the last answers came for the first time, by monotonic time. */
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
   * Whether the skew is not to be believed yet, for one of three reasons:
   *
   * - The clocks seem to be far apart, and too few answers have said so: a proxy may have kept an old date.
   * - The last answer says something quite different from those before it.
   * - Somebody has set the clock, so that nothing is known now, and the next answer will tell.
   */
  get isDoubtful(): boolean {
    const { skewMs } = this;
    if (skewMs === null) return this.#isTold;
    const isTooFew = isClockFar(skewMs) && this.#samples.length < enoughSamples;
    return isTooFew || isClockFar((this.#samples.at(-1) ?? skewMs) - skewMs);
  }

  /** The service was asked, and has answered. When the skew is not known even now, its answers tell no time. */
  wasNotTold(): void {
    if (this.skewMs === null) this.#isTold = false;
  }

  /** Whether the service's dates ever seemed far from our clock since the agent started: sales' times were corrected by them. */
  get hasBeenFar(): boolean {
    return this.#hasBeenFar;
  }

  /** Whether the wall clock was set since the agent started. */
  get hasJumped(): boolean {
    this.#watch();
    return this.#hasJumped;
  }

  /**
   * By how much at most two of its readings since a moment are apart because somebody has set the wall clock.
   *
   * @param sinceMs by monotonic time; minus infinity: since the agent started
   */
  setRangeMs(sinceMs: number): number {
    this.#watch();
    const from = this.#setFrom.findLastIndex(({ atMs }) => atMs <= sinceMs);
    if (from < 0) return this.#set.mostMs - this.#set.leastMs;
    const stoodAtMs = this.#setFrom.slice(from).map(({ byMs }) => byMs);
    return Math.max(...stoodAtMs) - Math.min(...stoodAtMs);
  }

  /** Whether the wall clock was set since this was asked last. */
  takeJump(): boolean {
    this.#watch();
    const isNew = this.#isJumpNew;
    this.#isJumpNew = false;
    return isNew;
  }

  /** Whether the same date and id came too long ago: a proxy has kept that answer, or the service's clock stands still. */
  #isKept(answer: string): boolean {
    const nowMs = this.#clock.monotonicMs();
    const firstMs = this.#toldAtMs.get(answer) ?? nowMs;
    // Deleted and set again, so that it is the newest entry: the map drops its oldest ones.
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
      const byMs = this.#set.byMs + offsetMs - this.#offsetMs;
      const { leastMs, mostMs } = this.#set;
      this.#set = { byMs, leastMs: Math.min(leastMs, byMs), mostMs: Math.max(mostMs, byMs) };
      this.#setFrom = [...this.#setFrom.slice(1 - mostRemembered), { atMs: this.#clock.monotonicMs(), byMs }];
      this.#keep([]);
      this.#hasJumped = true;
      this.#isJumpNew = true;
    }
    this.#offsetMs = offsetMs;
  }
}
