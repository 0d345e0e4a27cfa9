import { type CancelTimer, type Clock, toInstant } from '../../shared/lib/clock.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import { isClockFar } from '../../shared/till/limits.ts';
import type { Connection } from '../../shared/till/views.ts';
import { connectionCheckReference } from '../client/connection-check.ts';
import { type CallOutcome, unknownOutcome } from '../client/outcome.ts';
import { causeRules, isLimitedLookUp } from './causes.ts';
import { ClockSkew } from './clock-skew.ts';
import { Connectivity, type Gate, type PausingCause } from './connectivity.ts';
import type { LookUpPause } from './look-up-pause.ts';
import type { Pacing } from './pacing.ts';
import { ServiceCalls, type ServiceCallsOptions } from './service-calls.ts';
import { ToldTime } from './told-time.ts';

/** How long somebody at the till waits for a look-up, on a line that seems good and on one that is known to be down. */
const longestPatienceMs = 5_000;
const patienceWhenDownMs = 800;

interface LineOptions extends ServiceCallsOptions {
  readonly clock: Clock;
  /** By which somebody waits for an answer: no tester moves it. */
  readonly machineClock: Pick<Clock, 'setTimer'>;
  readonly random: RandomSource;
  readonly pacing: Pacing;
  /** Whether `clock` is one that a tester moves and holds: its jumps are meant. */
  readonly isTestClock: boolean;
  /** The latest time of the service that is kept here, milliseconds since 1970; null: none is. */
  readonly lastToldMs: () => number | null;
}

/**
 * The line to the service: every call goes through it, and it learns from every answer how the clocks differ. Whether an
 * answer also opens or closes the gate is said by the way of calling:
 *
 * - `line.judged.lookUp(...)`: the line is judged by the outcome. For whoever makes a single call.
 * - `line.unjudged.send(...)`: the caller tells `connectivity` itself, when it knows whether the line or a row was the
 *   trouble (Sender), or asks beside another call by which the line is judged (Courier, Ownership).
 * - `line.ask(line.judged.identify(...))`: somebody waits, who is not kept for long. The call may be an unjudged one, too.
 */
export class Line {
  /** The line is judged by the outcome of these. */
  readonly judged: ServiceCalls;
  /** The outcome of these says nothing about the line until their caller does. */
  readonly unjudged: ServiceCalls;
  readonly connectivity: Connectivity;
  readonly skew: ClockSkew;
  readonly #clock: Clock;
  readonly #machineClock: Pick<Clock, 'setTimer'>;
  readonly #isTestClock: boolean;
  readonly #toldTime: ToldTime;
  #lastAnswerAtMs: number | null = null;
  #clockWrongSince: string | null = null;

  constructor(options: LineOptions) {
    const { clock, random, pacing } = options;
    this.#clock = clock;
    this.#machineClock = options.machineClock;
    this.#isTestClock = options.isTestClock;
    this.#toldTime = new ToldTime(clock, options.lastToldMs);
    this.skew = new ClockSkew(clock);
    this.unjudged = new ServiceCalls(options, { observe: (outcome) => this.#learn(outcome) });
    this.judged = new ServiceCalls(options, {
      observe: (outcome) => {
        this.#learn(outcome);
        this.#judge(outcome);
      },
    });
    this.connectivity = new Connectivity({
      clock,
      random,
      probe: () => this.#probe(),
      reconnectSpreadMs: pacing.reconnectSpreadMs,
      idleProbeMs: pacing.idleProbeMs,
      flapSettleMs: pacing.flapSettleMs,
    });
  }

  /** How many writes may be on their way now. */
  get gate(): Gate {
    return this.connectivity.gate;
  }

  /** The same for the queue, of which one may go through a closed gate to try. None with a time that may be wrong. */
  get saleGate(): Gate {
    const { saleGate } = this.connectivity;
    // Only a closed gate makes it necessary to ask about the clocks: to ask with every answer would cost time.
    return saleGate !== this.gate && this.skew.isDoubtful ? this.gate : saleGate;
  }

  /** For how long no look-up is made that nobody waits for. */
  get lookUps(): Pick<LookUpPause, 'leftMs'> {
    return this.connectivity.lookUps;
  }

  /** What the top bar says of the line: a good one is of little use while this machine's clock is wrong. */
  get connection(): Connection {
    const { connection } = this.connectivity;
    const isClockWrong = isClockFar(this.skew.skewMs ?? 0);
    if (!isClockWrong || connection.state !== 'online') {
      this.#clockWrongSince = null;
      return connection;
    }
    this.#clockWrongSince ??= toInstant(this.#clock.now());
    return { ...connection, state: 'clock_wrong', since: this.#clockWrongSince };
  }

  /** When the service last answered about a request; null before. */
  get lastAnswerAtMs(): number | null {
    return this.#lastAnswerAtMs;
  }

  /** The service's time, as far as its answers have told. */
  serviceNowMs(): number {
    return this.#clock.now() + (this.skew.skewMs ?? 0);
  }

  /** What time it is at the earliest, by the service's clock and the till's; by the till's alone where no answer tells it. */
  toldNowMs(): number {
    return this.#clock.now() + Math.min(0, this.skew.skewMs ?? 0);
  }

  /** What time it is at the earliest, by the service's clock and the till's; without a line as if nobody had set it ahead. */
  earliestNowMs(): number {
    const { skewMs, setByMs } = this.skew;
    return this.#clock.now() + Math.min(0, skewMs ?? -setByMs);
  }

  /**
   * What time it is at the earliest, for what cannot be undone: a date that was wrong when the agent started must erase
   * nobody. Where no answer of this run has told the time, what the service told before says what it surely has become.
   *
   * @returns milliseconds since 1970; minus infinity while the service has never told a time
   */
  provenNowMs(): number {
    const earliestMs = this.earliestNowMs();
    return this.skew.skewMs === null ? Math.min(earliestMs, this.#toldTime.nowMs()) : earliestMs;
  }

  /** Why nobody has to be kept waiting: nothing gets through now. Null while something may. */
  get downCause(): PausingCause | null {
    const { state, cause } = this.connectivity.connection;
    if (this.gate !== 'closed' || state === 'online') return null;
    // Before the first answer, and while the till waits its turn to come back, something may get through.
    if (state === 'checking' && cause === null) return null;
    return cause === null || cause === 'refused' ? 'offline' : cause;
  }

  /** Asks until it is sure by how much the clocks differ: by that the times of sales are corrected, once and for good. */
  async #probe() {
    // Each look asks something new: nobody on the way can have kept the answer.
    const reference = `${connectionCheckReference}-${this.#clock.now()}`;
    let outcome = await this.unjudged.lookUpOnce(reference);
    for (let more = 0; more < 2 && mayAskAgain(outcome) && this.skew.isDoubtful; more += 1) {
      outcome = await this.unjudged.lookUpOnce(`${reference}-${more}`);
    }
    // No sale waits for a time that nobody tells.
    if (isOfService(outcome)) this.skew.wasNotTold();
    return outcome;
  }

  /** What is sent with a time from before the wall clock was set, or after, may be refused for it: first a look. */
  lookIfClockWasSet(): void {
    if (!this.#isTestClock && this.skew.takeJump()) this.connectivity.relook();
  }

  /**
   * For somebody who waits: on a line that is known to be down the answer comes within a second, and no silent one
   * keeps a queue of customers. The call itself goes on, and what it brings is still learned.
   *
   * @param calling a judged or an unjudged call, which was made already
   */
  async ask<Answer>(
    calling: Promise<CallOutcome<Answer>>,
    { patienceMs = longestPatienceMs }: { readonly patienceMs?: number } = {},
  ): Promise<CallOutcome<Answer>> {
    const { state, cause } = this.connectivity.connection;
    // A line that is only throttled answers, and waiting for it is worth a while.
    const isDown = this.gate === 'closed' && (state === 'offline' || (state === 'checking' && cause !== null));
    const answer = await this.within(calling, {
      patienceMs: isDown ? Math.min(patienceMs, patienceWhenDownMs) : patienceMs,
    });
    if (answer !== null) return answer;
    const knownCause = isDown && cause !== null && cause !== 'refused' ? cause : 'timeout';
    return unknownOutcome(knownCause, 'The service did not answer while somebody waited');
  }

  /** For what is worth no more than a look: null when it has not come while somebody would wait. It goes on. */
  async within<Value>(
    asking: Promise<Value>,
    { patienceMs = longestPatienceMs }: { readonly patienceMs?: number } = {},
  ): Promise<Value | null> {
    let cancelTimer: CancelTimer = () => undefined;
    const impatience = new Promise<null>((resolve) => {
      cancelTimer = this.#machineClock.setTimer(() => resolve(null), patienceMs);
    });
    const answer = await Promise.race([asking, impatience]);
    cancelTimer();
    return answer;
  }

  /** Every answer tells of the clock, whatever it was asked for. */
  #learn(outcome: CallOutcome<unknown>): void {
    // A captive portal's clock says nothing of the service's.
    if (isOfService(outcome) && outcome.facts?.serviceDateMs != null) {
      this.skew.observe(outcome.facts.serviceDateMs, outcome.facts.requestId);
    }
    if (outcome.kind !== 'unknown') this.#lastAnswerAtMs = this.#clock.now();
  }

  #judge(outcome: CallOutcome<unknown>): void {
    if (outcome.kind !== 'unknown') this.connectivity.reached();
    else if (isLimitedLookUp(outcome)) this.connectivity.lookUpNotTaken(outcome.retryAfterMs);
    else if (outcome.recorded === 'maybe' && causeRules[outcome.cause].canBeTheRow) this.connectivity.doubted();
    else this.connectivity.failed(outcome.cause, outcome.retryAfterMs);
  }
}

function isOfService(outcome: CallOutcome<unknown>): boolean {
  return outcome.kind !== 'unknown' || outcome.error !== null;
}

/** The service tells its time also with an error of its own, behind which sales may go out. */
function mayAskAgain(outcome: CallOutcome<unknown>): boolean {
  if (outcome.kind !== 'unknown') return outcome.kind === 'done';
  return outcome.cause === 'service' && outcome.retryAfterMs === null;
}
