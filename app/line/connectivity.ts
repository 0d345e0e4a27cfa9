import { fullJitterMs } from '../../shared/lib/backoff.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { minuteMs } from '../../shared/lib/durations.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import type { Cause, Connection } from '../../shared/till/views.ts';
import type { CallOutcome } from '../client/outcome.ts';
import { causeRules } from './causes.ts';
import { FlapDamper } from './flap-damper.ts';
import { LookTimer } from './look-timer.ts';
import { LookUpPause } from './look-up-pause.ts';
import { SaleTries } from './sale-tries.ts';
import { SendingPause } from './sending-pause.ts';
import { ToldConnection } from './told-connection.ts';

/** How many writes may be on their way: all that the sender wants, a single one to try the line, or none. */
export type Gate = 'open' | 'trial' | 'closed';

/** A cause that can close the gate. */
export type PausingCause = Exclude<Cause, 'refused'>;

interface ConnectivityOptions {
  readonly clock: Clock;
  readonly random: RandomSource;
  /** A cheap read of the service. */
  readonly probe: () => Promise<CallOutcome<unknown>>;
  /** After a pause, sending starts within this random time, so that a street of tills does not come back in step. */
  readonly reconnectSpreadMs: number;
  /** With no answer for this long, the line is looked at. */
  readonly idleProbeMs: number;
  /** How long a line that comes and goes has to be good before it counts as good, the first time. */
  readonly flapSettleMs: number;
}

/** The queue honours no longer a Retry-After that came with the answer to a look-up: then a sale tries. */
const longestLookUpWaitMs = minuteMs;

/** A line that flaps is called offline once it was down for this long without a break, or is going to be. */
const surelyDownMs = 10_000;

/** A pause shorter than this ends without the spread: a glitch is not an outage. */
const outageMs = 5_000;

/** So many failures since a write last passed make the next opening a trial. */
const failuresForTrial = 2;

/** With these nothing at all comes from the service. */
const deadLine: ReadonlySet<Cause> = new Set<Cause>(['offline', 'tls']);

/**
 * The line to the service, as a circuit breaker. A failure that is not one row's own closes the gate. A cheap read that
 * passes opens it for a trial, and the first write that passes opens it wholly. So no row is blamed for a bad line. Where
 * the service itself answers the read with an error, a single sale tries now and then.
 */
export class Connectivity {
  readonly #options: ConnectivityOptions;
  readonly #told: ToldConnection;
  #gate: Gate = 'closed';
  /** Failures since a write last passed: what the pauses grow by. */
  #streak = 0;
  #closedAtMs: number;
  readonly #pause: SendingPause;
  readonly #timer: LookTimer;
  /** When the service last answered anything, also an answer that it takes no look-up. */
  #heardAtMs = Number.NEGATIVE_INFINITY;
  #isProbing = false;
  #isSpreading = false;
  readonly #damper: FlapDamper;
  /** To be asked before each look-up that no person waits for. */
  readonly lookUps: LookUpPause;
  readonly #tries: SaleTries;
  #downSinceMs: number;
  /** A line that flapped is good again and not trusted yet: rows are sent one at a time. */
  #isSettling = false;
  #isStopped = false;

  constructor(options: ConnectivityOptions) {
    this.#options = options;
    this.#told = new ToldConnection(options.clock);
    this.#timer = new LookTimer(options.clock);
    this.#damper = new FlapDamper(options.flapSettleMs);
    this.lookUps = new LookUpPause(options.clock, options.random);
    this.#pause = new SendingPause(options.clock);
    this.#tries = new SaleTries(options.clock, options.random);
    this.#closedAtMs = options.clock.now();
    this.#downSinceMs = options.clock.monotonicMs();
  }

  get gate(): Gate {
    return this.#gate;
  }

  /** As `gate`, for sales that wait: while the service answers looks with an error of its own, a single sale may try. */
  get saleGate(): Gate {
    if (this.#gate !== 'closed') return this.#gate;
    return this.#pause.leftMs === 0 && !this.#isSpreading && this.#tries.isDue ? 'trial' : 'closed';
  }

  get connection(): Connection {
    const { until: lookUpsUntil } = this.lookUps;
    const until = this.#gate === 'closed' ? this.#pause.until : null;
    return {
      ...this.#told.connection,
      ...(until !== null && { waits_until: until }),
      ...(lookUpsUntil !== null && { look_ups_wait_until: lookUpsUntil }),
    };
  }

  /** Looks at the line for the first time. */
  start(): void {
    void this.#probe();
  }

  stop(): void {
    this.#isStopped = true;
    this.#gate = 'closed';
    this.#timer.cancel();
    this.#told.stop();
  }

  /** Called when the gate or what the top bar says has changed. */
  onChange(listener: () => void): () => void {
    return this.#told.onChange(listener);
  }

  /** Any answer of the service itself, also a refusal: the line is good. */
  reached(): void {
    this.#tries.answered();
    this.#goOn();
  }

  /** A single call failed, for a cause that may be its own: the line is looked at before the gate is closed. */
  doubted(): void {
    if (this.#gate === 'closed') return;
    this.#told.doubt();
    void this.#probe();
  }

  /** What the last answers told is no longer true, such as how far the clocks differ: nothing is sent before a look. */
  relook(): void {
    if (this.#isStopped || this.#gate === 'closed') return;
    this.lookUps.end();
    this.#gate = 'closed';
    this.#closedAtMs = this.#options.clock.now();
    void this.#probe();
  }

  /**
   * The machine has slept: what was known of the line is old, and its timers stood still meanwhile. It is looked at now,
   * unless the service has asked to wait, or the till waits its turn after an outage.
   */
  lookNow(): void {
    if (this.#isStopped || this.#isSpreading) return;
    if (this.#gate !== 'closed') this.relook();
    else if (this.#pause.leftMs === 0) void this.#probe();
  }

  /** A sale goes out though the line is closed: no other does until its answer is there. */
  saleTries(): void {
    this.#tries.begin();
  }

  /** The sale that tried has its answer, or was not sent after all. What its answer told of the line was said before. */
  saleTried(): void {
    this.#tries.end();
  }

  /** A write got its answer: nothing holds the others back. */
  writePassed(): void {
    if (this.#isStopped) return;
    this.#streak = 0;
    this.#pause.forgetRefusals();
    const isNews = this.#tries.passed();
    if (this.#gate === 'closed') {
      // This write was under way when the gate closed. The pause goes on, because Retry-After is honoured all the same.
      if (isNews && this.#pause.leftMs === 0) this.lookUpNotTaken(null);
      return;
    }
    this.#told.endDoubt();
    if (this.#isSettling) return;
    const hasOpened = this.#gate !== 'open';
    this.#gate = 'open';
    this.#heard();
    if (hasOpened) this.#told.notify();
  }

  /**
   * The service takes no look-ups now: it limits them (429), or fails to answer them while it takes sales.
   *
   * @param isBesideSale it may not have been asked at all, because look-ups wait already
   */
  lookUpNotTaken(retryAfterMs: number | null, { isBesideSale = false } = {}): void {
    if (this.#isStopped) return;
    if (isBesideSale) this.lookUps.beginOnce(retryAfterMs);
    else this.lookUps.begin(retryAfterMs);
    this.#letASaleTry();
    this.#told.notify();
  }

  /**
   * A call brought no answer, for a cause that is not its own. While the gate is closed this changes nothing, unless
   * a look or a sale that tries the line is under way, or nothing comes from the service any more.
   *
   * @param isLookUp it was asked beside a sale, which has to be asked about again
   */
  failed(cause: PausingCause, retryAfterMs: number | null, { isLookUp = false } = {}): void {
    if (this.#isStopped) return;
    // The queue waits on a good line, for example for Retry-After, and now the line breaks.
    const isNews = this.#told.connection.state === 'online' && deadLine.has(cause);
    if (this.#gate === 'closed' && !this.#isProbing && !this.#tries.isUnderWay && !isNews) return;
    if (isLookUp && cause === 'service' && this.#tries.areTaken) {
      this.lookUpNotTaken(retryAfterMs, { isBesideSale: true });
      return;
    }
    this.#tries.failed(cause);
    this.#close(cause, retryAfterMs, { isLookUp });
  }

  #close(cause: PausingCause, retryAfterMs: number | null, { isLookUp = false } = {}): void {
    if (cause !== 'throttled') this.lookUps.end();
    else if (isLookUp) this.lookUps.beginOnce(retryAfterMs);
    const rule = causeRules[cause];
    const monotonicMs = this.#options.clock.monotonicMs();
    if (this.#gate !== 'closed') {
      this.#closedAtMs = this.#options.clock.now();
      this.#downSinceMs = monotonicMs;
      if (rule.connection === 'offline') this.#damper.lost(monotonicMs);
    }
    this.#told.endDoubt();
    this.#isSpreading = false;
    this.#isSettling = false;
    this.#gate = 'closed';
    this.#streak += 1;
    const askedMs = retryAfterMs !== null && isLookUp ? Math.min(retryAfterMs, longestLookUpWaitMs) : retryAfterMs;
    if (askedMs !== null) this.#pause.begin(askedMs);
    // There is no look before the time for which the service has asked to wait, so the line stays down until then.
    const downMs = monotonicMs - this.#downSinceMs + (askedMs ?? 0);
    const isFlapping = this.#damper.settleMs(monotonicMs) > 0 && downMs < surelyDownMs;
    this.#told.set(isFlapping && rule.connection === 'offline' ? 'checking' : rule.connection, cause);
    // With any other cause than `service`, what the service has asked for before no longer counts.
    const quietMs = cause === 'service' ? this.#pause.leftMs : (askedMs ?? 0);
    this.#probeAfter(Math.max(quietMs, fullJitterMs(rule.pause, this.#streak, this.#options.random.next())));
    this.#told.notify();
  }

  /**
   * Many rows one after another were refused for the same reason: then not the rows are wrong, but something about this
   * till. The queue waits, longer each time. Then a single row tries whether it was put right.
   */
  refusedAlike(): void {
    if (this.#isStopped || this.#gate === 'closed') return;
    this.#gate = 'closed';
    this.#closedAtMs = this.#options.clock.now();
    this.#streak += failuresForTrial;
    this.#pause.beginForRefusals();
    this.#waitOut();
  }

  /** A person has repaired what was wrong: the queue need not wait any longer. */
  resume(): void {
    if (this.#pause.cause === 'refused') void this.tryNow();
  }

  /** A person wants the line to be tried now, even if the service has asked to wait. */
  async tryNow(): Promise<void> {
    const isGood = this.#gate !== 'closed' && this.#told.connection.state === 'online' && this.lookUps.leftMs === 0;
    this.#pause.end();
    this.lookUps.end();
    this.#tries.hurry();
    if (isGood) return;
    await this.#probe();
    this.#told.notify();
  }

  async #probe(): Promise<void> {
    if (this.#isProbing || this.#isStopped) return;
    // A look is a look-up, too, and these have to wait: a sale tries the line instead.
    if (this.lookUps.leftMs > 0) {
      this.#letASaleTry();
      return;
    }
    this.#isProbing = true;
    const outcome = await this.#options.probe();
    // The service never refuses this question: a refusal comes from something else that answers in its place.
    const cause = outcome.kind === 'refused' ? 'not_the_service' : outcome.kind === 'unknown' ? outcome.cause : null;
    const retryAfterMs = outcome.kind === 'unknown' ? outcome.retryAfterMs : null;
    this.#tries.looked(cause);
    if (cause === null) this.reached();
    else if (cause === 'throttled') this.lookUpNotTaken(retryAfterMs);
    else if (this.#tries.areTaken) this.#lookAtSales(retryAfterMs);
    else if (!this.#isStopped) this.#close(cause, retryAfterMs);
    this.#isProbing = false;
  }

  /** Looks still fail: before many sales are sent, a single one shows whether sales still pass. */
  #lookAtSales(retryAfterMs: number | null): void {
    if (this.#gate === 'open') this.#gate = 'trial';
    this.lookUpNotTaken(retryAfterMs);
  }

  /** Where the service takes no look-up, a single sale finds out whether sales are taken. */
  #letASaleTry(): void {
    if (this.#gate === 'closed') this.#streak = Math.max(failuresForTrial, this.#streak);
    this.#goOn();
  }

  #goOn(): void {
    if (this.#isStopped || this.#isSpreading) return;
    this.#told.endDoubt();
    if (this.#gate !== 'closed') this.#heard();
    else if (this.#pause.leftMs > 0) this.#waitOut();
    else this.#reopen();
  }

  #reopen(): void {
    const { clock, random, reconnectSpreadMs } = this.#options;
    const wasOutage = clock.now() - this.#closedAtMs >= outageMs;
    const settleMs = this.#damper.settleMs(clock.monotonicMs());
    const spreadMs = wasOutage ? Math.floor(random.next() * reconnectSpreadMs) : 0;
    // This may also become false: the losses of the line are forgotten during a long pause for refusals.
    this.#isSettling = settleMs > 0;
    if (this.#isSettling) {
      this.#told.set('checking', null);
      this.#gate = 'trial';
      this.#timer.set(() => this.#settled(), settleMs);
    } else if (spreadMs === 0) {
      this.#openGate();
    } else {
      // Nothing is sent until this random time has passed.
      this.#told.set('checking', null);
      this.#isSpreading = true;
      this.#timer.set(() => {
        this.#isSpreading = false;
        this.#openGate();
        this.#told.notify();
      }, spreadMs);
    }
    this.#told.notify();
  }

  #openGate(): void {
    this.#gate = this.#streak >= failuresForTrial ? 'trial' : 'open';
    this.#heard();
  }

  /** No failure for long enough: after one more look that passes, the line is trusted again. */
  #settled(): void {
    this.#isSettling = false;
    void this.#probe();
  }

  /** The line is good, and the service has asked to wait. */
  #waitOut(): void {
    this.#probeAfter(this.#pause.leftMs);
    this.#told.set('online', this.#pause.cause);
    this.#told.notify();
  }

  /** Called for every answer. It moves no timer, which would cost time: when the idle timer ends, it looks how old this is. */
  #heard(): void {
    this.#heardAtMs = this.#options.clock.monotonicMs();
    if (this.#isSettling) return;
    this.#tell();
    if (!this.#timer.isIdle) this.#probeWhenIdle(this.#options.idleProbeMs);
  }

  /**
   * A line that may be used is online; where looks fail, only while an answer proves it. Without one no sale waits: a
   * single one goes out, and is the next proof.
   */
  #tell(): void {
    const isOffline = this.#tries.isProofOld;
    if (isOffline && this.#gate === 'open') this.#gate = 'trial';
    if (this.#told.set(isOffline ? 'offline' : 'online', isOffline ? 'service' : null)) this.#told.notify();
  }

  #probeWhenIdle(delayMs: number): void {
    const { clock, idleProbeMs } = this.#options;
    const look = () => {
      if (this.#tries.isProofOld) this.#tell();
      // While looks fail and sales pass, answers to sales do not put off the next look.
      const heardAtMs = this.#tries.areTaken ? Number.NEGATIVE_INFINITY : this.#heardAtMs;
      const restMs = Math.max(heardAtMs + idleProbeMs - clock.monotonicMs(), this.lookUps.leftMs);
      if (restMs > 0) this.#probeWhenIdle(Math.min(restMs, idleProbeMs));
      else void this.#probe();
    };
    this.#timer.set(look, delayMs, { isIdle: true });
  }

  #probeAfter(delayMs: number): void {
    this.#timer.set(() => void this.#probe(), delayMs);
  }
}
