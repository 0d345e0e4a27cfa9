import { beforeEach } from 'vitest';
import type { OperationIntent } from '../../shared/machines/operation-intents.ts';
import type { CounterShop } from './counter-shop.ts';
import { openShop } from './open-shop.ts';

/** The shop of the running test. */
export let shop: CounterShop;

/** Opens a shop before each test. Its clock begins on 20 November, 21:13 in Kuwait; a business day ends at 05:00. */
export function openSameNumberShop(): void {
  beforeEach(async () => {
    shop = await openShop();
  });
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
/** From the shop's beginning to 04:59. */
export const untilFive = 7 * hourMs + 46 * minuteMs;

export const rowOf = (ref: string, intent?: OperationIntent) => shop.operation(ref, intent);
export const earn = (ref: string, request: object = {}, part: object = {}) =>
  shop.saveEarn(ref, { points: 10, ...request }, { origin: 'bridge', ...part });
export const redeem = (ref: string, value: object = { points: 5 }, part: object = {}) =>
  shop.passUntil(shop.core.perform(shop.redemption(ref, value, part), { waitMs: 0 }));

export const duplicate = { kind: 'saved', duplicate: true };
export const otherTime = (firstBusinessDate: string) => ({
  kind: 'reference_taken',
  differingFields: ['occurred_at'],
  firstBusinessDate,
});
/** A redemption and a commit name no time. */
export const otherDay = (firstBusinessDate: string) => ({
  ...otherTime(firstBusinessDate),
  differingFields: ['business_date'],
});
/** Time passes, and the machine is awake. */
export const elapse = (durationMs: number) => shop.pass(durationMs, Math.max(250, durationMs / 60));
