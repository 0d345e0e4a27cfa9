/** Where a fault strikes. */
type FaultPlace = 'line' | 'service' | 'till' | 'disk' | 'for_ever';

interface FaultFact {
  readonly place: FaultPlace;
  readonly what: string;
  /** For faults of the line: how likely one request meets it, before the plan's rate. */
  readonly probability?: number;
}

/** Every fault there is. The seed switches a random half of them off. */
export const faults = {
  refuse: { place: 'line', probability: 0.04, what: 'No connection is made.' },
  drop_request: { place: 'line', probability: 0.05, what: 'The request is lost.' },
  drop_response: { place: 'line', probability: 0.06, what: 'The request is done and its answer is lost.' },
  cut_response: { place: 'line', probability: 0.02, what: 'The connection ends in the middle of the answer.' },
  slow: { place: 'line', probability: 0.06, what: 'The request takes seconds.' },
  late: { place: 'line', probability: 0.04, what: 'A write arrives after its sender gave up: seconds to a day later.' },
  twice: { place: 'line', probability: 0.05, what: 'A write arrives twice within seconds.' },
  twice_late: { place: 'line', probability: 0.03, what: 'A copy of a write arrives minutes to a day later.' },
  swap: { place: 'line', probability: 0.08, what: 'Two requests get each other’s answers.' },
  keep: { place: 'line', probability: 0.05, what: 'A request gets the answer that was given to an earlier one.' },
  gateway_timeout: { place: 'line', probability: 0.03, what: 'A write is done, and 504 is said.' },
  portal: { place: 'line', probability: 0.02, what: 'A web page answers instead of the service.' },
  throttle: { place: 'line', probability: 0.02, what: 'The service says 429, and does nothing.' },
  outage: { place: 'till', what: 'A till’s line is down for a while.' },
  fails_later: { place: 'service', probability: 0.06, what: 'What was accepted fails when it would be applied.' },
  suspend: { place: 'service', what: 'A card is suspended for a while.' },
  service_restored: { place: 'service', what: 'The service is restored from an older copy of its data.' },
  kill: { place: 'till', what: 'The agent is killed at any moment.' },
  kill_at_commit: { place: 'till', what: 'The agent is killed right before or right after a commit.' },
  stop: { place: 'till', what: 'The agent is stopped in good order and started again.' },
  older_database: { place: 'till', what: 'The agent’s database is replaced by an older copy of it.' },
  upgraded: { place: 'till', what: 'The last till begins with an older version’s database, and a sale in it.' },
  clock_jump: { place: 'till', what: 'The till’s clock is set forward or back.' },
  rekey: { place: 'till', what: 'The agent gets another key: of the same partner, or of another one.' },
  practice: { place: 'till', what: 'The screen is in sandbox mode for a while; production’s sales go on being sent.' },
  disk_full: { place: 'disk', what: 'The disk takes nothing for a while.' },
  commit_refused: { place: 'disk', what: 'Every COMMIT fails for a while.' },
  stuck_customer: { place: 'for_ever', what: 'The service never answers about one customer.' },
  stuck_row: { place: 'for_ever', what: 'The service always has a fault of its own over one reference.' },
  stuck_key: { place: 'for_ever', what: 'One till’s key is refused from some moment on.' },
} as const satisfies Readonly<Record<string, FaultFact>>;

export type FaultName = keyof typeof faults;

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(faults, name);
}

/** How likely one request meets a fault; null for what is no fault of the line. */
export function probabilityOf(name: FaultName): number | null {
  const fact: FaultFact = faults[name];
  return fact.probability ?? null;
}

export const faultNames: readonly FaultName[] = Object.keys(faults).filter(isFaultName);

/** How the tills are used, beside the plain way. */
const mixes = {
  same_reference: 'A reference is used again: for the same sale, or for another one.',
  same_order: 'An order’s or a cart’s id is used again.',
  same_reversal_reference: 'A reversal’s reference is used again.',
  same_receipts: 'Two tills count their receipts alike.',
  manager: 'A manager decides what needs attention.',
  days: 'The history goes over several business days.',
  enrollment: 'Customers are enrolled.',
} as const satisfies Readonly<Record<string, string>>;

export type MixName = keyof typeof mixes;

export function isMixName(name: string): name is MixName {
  return Object.hasOwn(mixes, name);
}

export const mixNames: readonly MixName[] = Object.keys(mixes).filter(isMixName);
