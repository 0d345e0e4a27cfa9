import { type CancelTimer, type Clock, toInstant } from '../../shared/lib/clock.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import { greatestSkewMs } from '../../shared/till/limits.ts';
import type { Connection } from '../../shared/till/views.ts';
import type { ServiceClient } from '../client/client.ts';
import type { CallOutcome, Unknown } from '../client/outcome.ts';
import { causeRules } from './causes.ts';
import { ClockSkew } from './clock-skew.ts';
import { Connectivity, type PausingCause } from './connectivity.ts';

/** How patient the agent is, and how considerate. */
export interface Pacing {
  readonly answerTimeoutMs: number;
  readonly idleProbeMs: number;
  readonly reconnectSpreadMs: number;
  readonly flapSettleMs: number;
  /** So many sales may be on their way at the most; how many are, InFlightLimit decides. */
  readonly maxInFlight: number;
}

export const networkPacing: Pacing = {
  answerTimeoutMs: 15_000,
  idleProbeMs: 15_000,
  reconnectSpreadMs: 15_000,
  flapSettleMs: 5_000,
  maxInFlight: 16,
};

/** For a service that no street of tills shares: nothing is gained by coming back slowly, and testers look at once. */
export const sandboxPacing: Pacing = {
  ...networkPacing,
  idleProbeMs: 3_000,
  reconnectSpreadMs: 0,
  flapSettleMs: 1_000,
};

/** How long somebody at the till waits for a look-up, on a line that seems good and on one that is known to be down. */
const longestPatienceMs = 5_000;
const patienceWhenDownMs = 800;

/** A reference that no sale can have: reading it is the cheapest question there is. */
const probeReference = 'tillbridge-connection-check';

/** The calls to the service and what their answers tell besides: how the line is, and how the clocks differ. */
export class ServiceLine {
  readonly connectivity: Connectivity;
  readonly skew: ClockSkew;
  readonly #clock: Clock;
  #lastAnswerAtMs: number | null = null;
  #clockWrongSince: string | null = null;

  constructor(options: {
    readonly client: ServiceClient;
    readonly clock: Clock;
    readonly random: RandomSource;
    readonly pacing: Pacing;
  }) {
    const { client, clock, random, pacing } = options;
    this.#clock = clock;
    this.skew = new ClockSkew(clock);
    this.connectivity = new Connectivity({
      clock,
      random,
      probe: () => this.observe(client.call('transactionsByReference', { query: { external_ref: probeReference } })),
      reconnectSpreadMs: pacing.reconnectSpreadMs,
      idleProbeMs: pacing.idleProbeMs,
      flapSettleMs: pacing.flapSettleMs,
    });
  }

  /** What the top bar says of the line: a good one is of little use while this machine's clock is wrong. */
  get connection(): Connection {
    const { connection } = this.connectivity;
    const isClockWrong = Math.abs(this.skew.skewMs ?? 0) > greatestSkewMs;
    if (!isClockWrong || connection.state !== 'online') {
      this.#clockWrongSince = null;
      return connection;
    }
    this.#clockWrongSince ??= toInstant(this.#clock.now());
    return { state: 'clock_wrong', cause: connection.cause, since: this.#clockWrongSince };
  }

  /** When the service last answered about a request; null before. */
  get lastAnswerAtMs(): number | null {
    return this.#lastAnswerAtMs;
  }

  /** The service's time, as far as its answers have told. */
  serviceNowMs(): number {
    return this.#clock.now() + (this.skew.skewMs ?? 0);
  }

  /** Why nobody has to be kept waiting: nothing gets through now. Null while something may. */
  get downCause(): PausingCause | null {
    const { state, cause } = this.connectivity.connection;
    if (this.connectivity.gate !== 'closed' || state === 'online') return null;
    // Before the first answer, and while the till waits its turn to come back, something may get through.
    if (state === 'checking' && cause === null) return null;
    return cause === null || cause === 'refused' ? 'offline' : cause;
  }

  /** For a call whose caller judges the line: every answer tells of the clock, whatever it was asked for. */
  async observe<Answer>(calling: Promise<CallOutcome<Answer>>): Promise<CallOutcome<Answer>> {
    const outcome = await calling;
    // A captive portal's clock says nothing of the service's.
    const isTheService = outcome.kind !== 'unknown' || outcome.error !== null;
    if (isTheService && outcome.facts?.serviceDateMs != null) this.skew.observe(outcome.facts.serviceDateMs);
    if (outcome.kind !== 'unknown') this.#lastAnswerAtMs = this.#clock.now();
    return outcome;
  }

  /** For a read that nobody waits for. */
  async read<Answer>(calling: Promise<CallOutcome<Answer>>): Promise<CallOutcome<Answer>> {
    const outcome = await this.observe(calling);
    if (outcome.kind !== 'unknown') this.connectivity.reached();
    else if (outcome.recorded === 'maybe' && causeRules[outcome.cause].canBeTheRow) this.connectivity.doubted();
    else this.connectivity.failed(outcome.cause, outcome.retryAfterMs);
    return outcome;
  }

  /**
   * For somebody who waits: on a line that is known to be down the answer comes within a second, and no silent one
   * keeps a queue of customers. The call itself goes on, and what it brings is still learned.
   */
  async ask<Answer>(
    calling: Promise<CallOutcome<Answer>>,
    { patienceMs = longestPatienceMs }: { readonly patienceMs?: number } = {},
  ): Promise<CallOutcome<Answer>> {
    const { state, cause } = this.connectivity.connection;
    // A line that is only throttled answers, and waiting for it is worth a while.
    const isDown =
      this.connectivity.gate === 'closed' && (state === 'offline' || (state === 'checking' && cause !== null));
    let cancelTimer: CancelTimer = () => undefined;
    const impatience = new Promise<Unknown>((resolve) => {
      const outcome = noAnswerYet(isDown && cause !== null && cause !== 'refused' ? cause : 'timeout');
      cancelTimer = this.#clock.setTimer(
        () => resolve(outcome),
        isDown ? Math.min(patienceMs, patienceWhenDownMs) : patienceMs,
      );
    });
    const answer = await Promise.race([this.read(calling), impatience]);
    cancelTimer();
    return answer;
  }
}

function noAnswerYet(cause: Unknown['cause']): Unknown {
  const message = 'The service did not answer while somebody waited';
  return { kind: 'unknown', cause, recorded: 'maybe', message, error: null, facts: null, retryAfterMs: null };
}
