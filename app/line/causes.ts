import type { Backoff } from '../../shared/lib/backoff.ts';
import type { Cause, ConnectionState } from '../../shared/till/views.ts';
import type { Unknown } from '../client/outcome.ts';

/** What a cause means for the line and for the row that met it. */
interface CauseRule {
  /** What the top bar says while this keeps the queue back. */
  readonly connection: ConnectionState;
  /** How long the queue waits before a cheap read asks again. */
  readonly pause: Backoff;
  /**
   * Whether one row alone can be the cause. When a read passes and this row fails again, the row is put aside, and the
   * others go on.
   */
  readonly canBeTheRow: boolean;
}

/** THE table of causes (design "Causes are told apart"). `refused` is about the row alone and pauses nothing. */
export const causeRules: Readonly<Record<Exclude<Cause, 'refused'>, CauseRule>> = {
  offline: { connection: 'offline', pause: { baseMs: 1_000, capMs: 10_000 }, canBeTheRow: true },
  tls: { connection: 'offline', pause: { baseMs: 5_000, capMs: 60_000 }, canBeTheRow: false },
  timeout: { connection: 'offline', pause: { baseMs: 1_000, capMs: 15_000 }, canBeTheRow: true },
  not_the_service: { connection: 'offline', pause: { baseMs: 2_000, capMs: 60_000 }, canBeTheRow: true },
  service: { connection: 'offline', pause: { baseMs: 1_000, capMs: 30_000 }, canBeTheRow: true },
  throttled: { connection: 'online', pause: { baseMs: 1_000, capMs: 60_000 }, canBeTheRow: false },
  unauthenticated: { connection: 'key_refused', pause: { baseMs: 10_000, capMs: 300_000 }, canBeTheRow: false },
  suspended: { connection: 'suspended', pause: { baseMs: 10_000, capMs: 300_000 }, canBeTheRow: false },
};

/** How long a row that fails while others pass is put aside. */
export const rowBackoff: Backoff = { baseMs: 2_000, capMs: 300_000 };

/** Whether the service takes no look-up for a while. It may take writes all the same. */
export function isLimitedLookUp(outcome: Unknown): boolean {
  return outcome.cause === 'throttled' && outcome.isLookUp === true;
}
