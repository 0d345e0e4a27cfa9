import type { CustomerProfile } from '../../shared/contract/profile.ts';

/**
 * A saved customer as it may be shown while the service cannot be asked: only earns are on offer, because a balance that
 * is not known now cannot be spent (design "Customers").
 */
export function earnsOnly(profile: CustomerProfile): CustomerProfile {
  return {
    ...profile,
    cards: profile.cards.map((card) => ({
      ...card,
      allowed_operations: card.allowed_operations.filter((operation) => operation.startsWith('earn_')),
    })),
  };
}
