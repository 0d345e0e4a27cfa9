import type { CardEntry } from '../../shared/contract/profile.ts';
import type { Balance } from '../../shared/till/balances.ts';
import type { RewardGoal } from '../../shared/till/progress.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Operation } from '../store/schema/operation.ts';
import { isBalancePresent } from './present-balance.ts';

/** What a receipt is made from. */
export interface ReceiptFacts {
  readonly operation: Operation;
  /** The receipt number, as the printing screen or program knows it. */
  readonly reference: string;
  /** The card as it was seen last; null when this till has not seen it lately. */
  readonly card: CardEntry | null;
  /** Whether the operation's balances can still be those of the card. */
  readonly isBalancePresent: boolean;
  /** How much a purchase added; null when that is unknown. */
  readonly gain: Balance | null;
  readonly goals: readonly RewardGoal[];
  readonly shop: string | null;
  readonly till: string;
  /** The cashier's name; null when it is nobody of this till. */
  readonly cashier: string | null;
  readonly isOnline: boolean;
  readonly timeZone: string;
}

type Core = Pick<
  AgentCore,
  'settings' | 'keptProfile' | 'people' | 'cards' | 'status' | 'clock' | 'operationsOfCustomer'
>;

export function receiptFacts(core: Core, operation: Operation, reference: string): ReceiptFacts {
  const { shop_name: shop, device_name: till, time_zone: timeZone } = core.settings;
  return {
    operation,
    reference,
    card: cardOf(core, operation),
    isBalancePresent: isBalancePresent(core, operation),
    gain: core.cards.gainOf(operation),
    goals: core.cards.goals(),
    shop,
    till,
    cashier: cashierOf(core, operation),
    isOnline: core.status().connection.state === 'online',
    timeZone,
  };
}

/** Looks only among cashiers. Managers have no reference, so a sale without one would seem to be theirs. */
function cashierOf({ people }: Pick<Core, 'people'>, { employeeRef: taker }: Operation): string | null {
  const isTaker = ({ role, employeeRef }: ReturnType<typeof people.list>[number]) =>
    role === 'cashier' && employeeRef === taker;
  return taker === null ? null : (people.list().find(isTaker)?.name ?? null);
}

function cardOf(core: Core, { serviceCustomerId, identifier, cardId, serviceCardId }: Operation): CardEntry | null {
  const customer =
    serviceCustomerId !== null
      ? { customer_id: serviceCustomerId }
      : identifier === null
        ? null
        : { [identifier.kind]: identifier.value };
  const profile = customer === null ? null : core.keptProfile(customer);
  const wanted = cardId ?? serviceCardId;
  return profile?.cards.find(({ card_id }) => card_id === wanted) ?? null;
}
