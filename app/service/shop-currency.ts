import { currency as currencySchema } from '../../shared/contract/primitives.ts';
import { defaultSettings } from './settings.ts';
import type { Store } from './store/store.ts';

/** The shop's currency: as it is kept, and as it is to be. */
interface ShopCurrency {
  readonly before: string;
  readonly now: string;
}

/** @param asked what the owner of this data names; undefined leaves it as it was */
export function readShopCurrency({ state }: Store, asked: string | undefined): ShopCurrency {
  const before = state.read('currency', currencySchema) ?? defaultSettings.currency;
  return { before, now: asked ?? before };
}

/**
 * A shop that sells in another currency from now on practises with the same cards: money that was in its currency
 * before counts as so many minor units of the new one. Cards in a third currency stay. Runs inside a transaction.
 */
export function keepShopCurrency(store: Store, { before, now }: ShopCurrency): void {
  if (now === before) return;
  store.state.write('currency', now);
  store.cards.changeCurrency(before, now);
  store.reservations.changeCurrency(before, now);
}
