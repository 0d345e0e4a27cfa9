import type { ConnectionState } from '../../../shared/till/views.ts';
import type { Stage } from '../../find/stage.ts';
import { canAskNow } from '../../operation/operations.ts';

/** Whether a reward can be given now. The service gives it, and the card's balances must be fresh. */
export function isGivenNow(stage: Stage, connection: ConnectionState): boolean {
  return canAskNow(connection) && !(stage.kind === 'customer' && stage.found.source === 'kept');
}
