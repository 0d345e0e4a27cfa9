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
