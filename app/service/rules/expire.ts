import type { Store } from '../store/store.ts';
import { reservationStateAfter } from './reservation-view.ts';

/** Written down in one transaction of the store. */
const batchSize = 250;

/** Writes down which reservations have run out; what they held is free again. */
export function expireDue(store: Store, nowMs: number): void {
  store.write(() => {
    for (const { reservationId, state } of store.reservations.runOut(nowMs, batchSize)) {
      const next = reservationStateAfter(state, 'expire');
      if (next !== 'expired') throw new Error(`A ${state} reservation cannot expire`);
      store.reservations.setState(reservationId, next);
    }
  });
}
