import type { Identifier } from '../../shared/contract/identifier.ts';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import { type CancelTimer, type Clock, toInstant } from '../../shared/lib/clock.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import { isClockFar } from '../../shared/till/limits.ts';
import type { Connection } from '../../shared/till/views.ts';
import { connectionCheckReference } from '../client/connection-check.ts';
import { type CallOutcome, type Refused, unknownOutcome } from '../client/outcome.ts';
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

interface Patience {
  readonly patienceMs?: number;
  /** What is told where the whole answer has not come by then; null: nothing. */
  readonly toldSoFar?: () => Refused | null;
}

interface LineOptions extends ServiceCallsOptions {
  readonly clock: Clock;
  /** The clock by which somebody waits for an answer. No tester moves it. */
  readonly machineClock: Pick<Clock, 'setTimer'>;
  readonly random: RandomSource;
  readonly pacing: Pacing;
  /** Whether `clock` is one that a tester moves and holds: a jump of it is no fault. */
  readonly isTestClock: boolean;
  /** The latest time of the service that the database has, in milliseconds since 1970; null when it has none. */
  readonly lastToldMs: () => number | null;
}

/**
 * The line to the service: every call goes through it, and from every answer it learns how the clocks differ. The way of
 * calling says whether the outcome also opens or closes the gate:
 *
 * - `line.judged.lookUp(...)`: the line is judged by the outcome. For whoever makes a single call.
 * - `line.unjudged.send(...)`: the caller tells `connectivity` itself, when it knows whether the line or a row was the
 *   trouble (Sender), or asks beside another call by which the line is judged (Courier, Ownership).
 * - `line.ask(line.judged.transaction(...))`: somebody waits, who is not kept for long. The call may be an unjudged one, too.
 */
export class Line {
  /** Calls whose outcome opens or closes the gate. */
  readonly judged: ServiceCalls;
  /** Calls whose outcome changes the gate only when their caller says so. */
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

  /**
   * As `gate`, for sales that wait. One of them may go through a closed gate to try the line, but not while the clocks are in
   * doubt: it might be sent with a wrong time.
   */
  get saleGate(): Gate {
    const { saleGate } = this.connectivity;
    // The clocks matter only where a sale may pass a closed gate. To ask about them with every answer would cost time.
    return saleGate !== this.gate && this.skew.isDoubtful ? this.gate : saleGate;
  }

  /** How long look-ups that nobody waits for have to pause. */
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

  /** The earlier of the service's time and the till's; the till's time while no answer has told the service's. */
  toldNowMs(): number {
    return this.#clock.now() + Math.min(0, this.skew.skewMs ?? 0);
  }

  /**
   * The earlier of the service's time and the till's. While no answer has told the service's time, the till's clock is read as
   * if nobody had set it ahead since the agent started.
   */
  earliestNowMs(): number {
    const { skewMs, setByMs } = this.skew;
    return this.#clock.now() + Math.min(0, skewMs ?? -setByMs);
  }

  /**
   * The earliest time that it can be, for what cannot be undone: a clock that was wrong when the agent started must not
   * erase anybody. While no answer of this run has told the time, it is no later than what follows from the times that
   * the service told in earlier runs.
   *
   * @returns milliseconds since 1970; minus infinity while the service has never told a time
   */
  provenNowMs(): number {
    const earliestMs = this.earliestNowMs();
    return this.skew.skewMs === null ? Math.min(earliestMs, this.#toldTime.nowMs()) : earliestMs;
  }

  /** Why nothing gets through now, so that nobody is kept waiting; null while something may get through. */
  get downCause(): PausingCause | null {
    const { state, cause } = this.connectivity.connection;
    if (this.gate !== 'closed' || state === 'online') return null;
    // Before the first answer, and in the random wait after an outage, a call may get through.
    if (state === 'checking' && cause === null) return null;
    return cause === null || cause === 'refused' ? 'offline' : cause;
  }

  /** Asks up to 3 times, until it is sure how far the clocks differ: the times of sales are corrected by that only once. */
  async #probe() {
    // Each look asks for another reference, so that no proxy can answer it from its cache.
    const reference = `${connectionCheckReference}-${this.#clock.now()}`;
    let outcome = await this.unjudged.lookUpOnce(reference);
    for (let more = 0; more < 2 && mayAskAgain(outcome) && this.skew.isDoubtful; more += 1) {
      outcome = await this.unjudged.lookUpOnce(`${reference}-${more}`);
    }
    // The service answers without a time: sales do not wait for one.
    if (isOfService(outcome)) this.skew.wasNotTold();
    return outcome;
  }

  /** After somebody has set the wall clock, the line is looked at first: sales with a wrong time might be refused. */
  lookIfClockWasSet(): void {
    if (!this.#isTestClock && this.skew.takeJump()) this.connectivity.relook();
  }

  /**
   * Waits for a call no longer than a person at the till should: less than a second on a line that is known to be down.
   * The call itself goes on, and the line still learns from its outcome.
   *
   * @param calling a judged or an unjudged call that has begun
   */
  async ask<Answer>(
    calling: Promise<CallOutcome<Answer>>,
    { patienceMs = longestPatienceMs, toldSoFar = () => null }: Patience = {},
  ): Promise<CallOutcome<Answer>> {
    const { state, cause } = this.connectivity.connection;
    // A line that is only throttled does answer: waiting for it is worth the time.
    const isDown = this.gate === 'closed' && (state === 'offline' || (state === 'checking' && cause !== null));
    const answer = await this.within(calling, {
      patienceMs: isDown ? Math.min(patienceMs, patienceWhenDownMs) : patienceMs,
    });
    const told = answer ?? toldSoFar();
    if (told !== null) return told;
    const knownCause = isDown && cause !== null && cause !== 'refused' ? cause : 'timeout';
    return unknownOutcome(knownCause, 'The service did not answer while somebody waited');
  }

  /** Who a customer is, for somebody who waits: a refusal stands where looking once more takes too long. */
  askWho(calls: Pick<ServiceCalls, 'identify'>, identifier: Identifier): Promise<CallOutcome<CustomerProfile>> {
    const refusals: Refused[] = [];
    const asking = calls.identify(identifier, (refusal) => refusals.push(refusal));
    return this.ask(asking, { toldSoFar: () => refusals[0] ?? null });
  }

  /** Waits no longer than a person would. @returns null when it has not come by then; it goes on all the same */
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

  /** Every answer tells the service's time, whatever was asked. */
  #learn(outcome: CallOutcome<unknown>): void {
    // An answer that is not the service's, such as a captive portal's, has the time of another clock.
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

/** The service tells its time also with an error of its own, and it may take sales all the same. */
function mayAskAgain(outcome: CallOutcome<unknown>): boolean {
  if (outcome.kind !== 'unknown') return outcome.kind === 'done';
  return outcome.cause === 'service' && outcome.retryAfterMs === null;
}
