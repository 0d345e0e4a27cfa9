import type { HeldSum } from '../../../shared/till/day-line.ts';
import type { Hold } from './holds.ts';

/** What one hold keeps back, and who asked for it. */
export interface HeldBy extends Pick<HeldSum, 'unit' | 'currency' | 'total'> {
  readonly employeeRef: string | null;
}

/** What is held now, of one business day. @param dateOf the business day of an instant */
export function heldOn(
  holds: readonly Hold[],
  { businessDate, dateOf }: { readonly businessDate: string; readonly dateOf: (epochMs: number) => string },
): readonly HeldBy[] {
  return holds.flatMap(({ reserve, reservation, state }): HeldBy[] => {
    if (state !== 'reserved' || reservation === null || dateOf(reserve.occurredAtMs) !== businessDate) return [];
    const { employeeRef } = reserve;
    const { points, amount_minor, currency } = reservation;
    if (points !== null) return [{ employeeRef, unit: 'points', currency: null, total: points }];
    return [{ employeeRef, unit: 'money', currency, total: amount_minor ?? 0 }];
  });
}
