import type { OperationCounts } from './views.ts';

/**
 * How many operations of a till are still to be sent: those that the sending deadline is for. What the service has
 * accepted is sent, and what is only checked was no sale to be sent.
 */
export function unsentCount({
  queued,
  sending,
  unknown,
  checking,
}: Pick<OperationCounts, 'queued' | 'sending' | 'unknown' | 'checking'>): number {
  return queued + sending + unknown - checking;
}
