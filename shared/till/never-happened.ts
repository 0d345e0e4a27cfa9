import type { OperationIntent } from '../machines/operation-intents.ts';

interface Cancelled {
  readonly intent: OperationIntent;
  /** What the service refused it with; null: it was not refused. */
  readonly error: unknown;
}

/**
 * Whether a cancelled operation never happened: the service refused it, or somebody waited for it in vain. If not, it is
 * an earn or a reversal that was taken back before it was sent.
 */
export function neverHappened({ intent, error }: Cancelled): boolean {
  return error !== null || (intent !== 'earn' && intent !== 'reverse');
}
