import type { CardEntry, CustomerProfile } from '../../../shared/contract/profile.ts';
import { toInstant } from '../../../shared/lib/clock.ts';
import type { ServiceContext } from '../context.ts';
import type { Card } from '../store/card-store.ts';
import type { Customer } from '../store/customer-store.ts';
import { allowedOperations, availableRewards, shownBalances } from './mechanics.ts';
import { holdsOnRewards } from './reward-holds.ts';
import { findTemplate } from './templates.ts';

/** A customer as the interface shows one, with all cards (spec "CustomerProfile"). */
export function customerProfile(context: ServiceContext, customer: Customer): CustomerProfile {
  const { store, clock } = context;
  return {
    customer_id: customer.customerId,
    name: customer.name,
    phone: customer.phone,
    email: customer.email,
    verified: customer.verified,
    balances_as_of: toInstant(clock.now()),
    cards: store.cards.ofCustomer(customer.customerId).map((card) => cardEntry(context, card)),
  };
}

/** All fields are always present (gap: Cards, templates, mechanics). */
export function cardEntry({ store, clock, settings }: ServiceContext, card: Card): CardEntry {
  const holds = holdsOnRewards(store, card, clock.now());
  const template = findTemplate(card.templateId);
  const mechanics = template?.mechanics ?? null;
  return {
    card_id: card.cardId,
    template_name: template?.name ?? card.templateId,
    card_type: template?.card_type ?? 6,
    balances: shownBalances(mechanics, { ...card, holds }),
    available_rewards: availableRewards(mechanics, { ...card, holds }, settings.current.currency),
    allowed_operations: allowedOperations(mechanics, card),
  };
}
