import type { AgentCore } from '../core/agent-core.ts';
import type { ImmediateOutcome } from '../operations/immediate/immediate-outcome.ts';
import type { NonEarnWrite } from '../operations/requests/write.ts';
import type { Caller } from './tokens.ts';

/** A write of a POS program, as it is sent and kept. */
export function writeOf(
  { caller, idempotencyKey }: { readonly caller: Caller; readonly idempotencyKey: string | null },
  request: Pick<NonEarnWrite, 'operationId' | 'intent' | 'path' | 'body' | 'externalRef' | 'identifier'>,
): NonEarnWrite {
  return {
    ...request,
    origin: 'bridge',
    posName: caller.name,
    customerName: null,
    idempotencyKey,
    reversesRowId: null,
  };
}

/**
 * A POS program repeats requests by itself, so it waits only for the first attempt. An unknown outcome is answered
 * within a second, and the repeat finds it out (design "Others").
 */
export function performOnce(core: Pick<AgentCore, 'perform'>, write: NonEarnWrite): Promise<ImmediateOutcome> {
  return core.perform(write, { waitMs: 0 });
}
