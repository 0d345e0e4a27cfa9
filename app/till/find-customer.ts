import type { Identifier } from '../../shared/contract/identifier.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { TillReply } from '../../shared/till/api.ts';
import type { FoundCustomer } from '../../shared/till/views.ts';
import type { AgentCore } from '../agent-core.ts';
import { earnsOnly } from '../customers/earns-only.ts';
import { failed, succeeded } from './replies.ts';

/** A customer as the service has them; when it cannot be asked, as they were seen last, with earns alone on offer. */
export async function findCustomer(core: AgentCore, identifier: Identifier): Promise<TillReply<FoundCustomer>> {
  const outcome = await core.identify(identifier);
  switch (outcome.kind) {
    case 'done':
      return succeeded({ source: 'service', profile: outcome.answer });
    case 'refused': {
      const { code, message } = outcome.error;
      if (code === 'CUSTOMER_NOT_FOUND') return failed('customer_not_found', message);
      return failed('refused', message, { service_code: code, details: outcome.error.details ?? [] });
    }
    case 'unknown': {
      const kept = core.keptProfile(identifier);
      if (kept !== null) return succeeded({ source: 'kept', profile: earnsOnly(kept) });
      return failed('offline', outcome.message);
    }
    default:
      return assertNever(outcome);
  }
}
