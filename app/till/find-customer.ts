import type { Identifier } from '../../shared/contract/identifier.ts';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { TillReply } from '../../shared/till/api.ts';
import { shownName } from '../../shared/till/shown-name.ts';
import type { FoundCustomer } from '../../shared/till/views.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { keptCustomer } from '../customers/kept-customer.ts';
import { failed, succeeded } from './replies.ts';

/** A customer and their rewards with names that can be shown, or none. A reward without one is called by an empty text. */
export function shownProfile(profile: CustomerProfile): CustomerProfile {
  const cards = profile.cards.map((card) => ({
    ...card,
    available_rewards: card.available_rewards.map((reward) => ({ ...reward, name: shownName(reward.name) ?? '' })),
  }));
  return { ...profile, name: shownName(profile.name), cards };
}

/** A customer as the service has them. When it cannot be asked, as they were seen last. */
export async function findCustomer(core: AgentCore, identifier: Identifier): Promise<TillReply<FoundCustomer>> {
  const outcome = await core.identify(identifier);
  switch (outcome.kind) {
    case 'done':
      return succeeded({ source: 'service', profile: shownProfile(outcome.answer) });
    case 'refused': {
      const { code, message } = outcome.error;
      if (code === 'CUSTOMER_NOT_FOUND') return failed('customer_not_found', message);
      return failed('refused', message, { service_code: code, details: outcome.error.details ?? [] });
    }
    case 'unknown': {
      const kept = keptCustomer(core, identifier);
      if (kept !== null) return succeeded({ source: 'kept', profile: shownProfile(kept) });
      return failed(outcome.isAboutAnother === true ? 'answered_for_another' : 'offline', outcome.message);
    }
    default:
      return assertNever(outcome);
  }
}
