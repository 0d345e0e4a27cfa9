import type { NonEarnWrite } from '../../app/operations/requests/write.ts';
import type { Operation } from '../../app/store/schema/operation.ts';
import type { KillableShop } from './killable.ts';
import { identifier } from './scenario.ts';

export const id = (last: string) => `00000000-0000-4000-8000-00000000${last}`;
const atOnce = { waitMs: 0 };

/** The sales of a counter; each is always the same one. */
const sales = {
  'X-1': { operationId: id('feed'), request: { identifier, points: 5 } },
  /** Of the same customer. */
  'X-2': { operationId: id('b002'), request: { identifier, points: 6 } },
  /** Of another one. */
  'X-3': { operationId: id('b003'), request: { identifier: { loyalty_id: 'LC-1009' }, points: 7 } },
  /** With a card that the service refuses. */
  'X-4': { operationId: id('b004'), request: { identifier: { loyalty_id: 'LC-1011' }, points: 8 } },
  /** The one after everything. */
  'X-9': { operationId: id('b009'), request: { identifier, points: 9 } },
} as const;

export const earn = (at: KillableShop, reference: keyof typeof sales = 'X-1') =>
  at.ask(`earn ${reference}`, () =>
    at.shop.core.saveEarn({
      origin: 'bridge',
      operationId: sales[reference].operationId,
      request: { ...sales[reference].request, external_ref: reference },
      customerName: null,
      receiptNumber: null,
      idempotencyKey: null,
    }),
  );

export async function appliedEarn(at: KillableShop): Promise<void> {
  await earn(at);
  await untilState(at, 'X-1', 'applied');
}

export async function untilState(at: KillableShop, reference: string, state: string): Promise<Operation> {
  for (let time = 0; time < 200; time += 1) {
    const [row] = at.shop.core.operationsByReference(reference);
    if (row?.state === state) return row;
    await at.pass(250);
  }
  throw new Error(`${reference} did not come to be ${state}`);
}

const redemption = (at: KillableShop, value: object, part: Partial<NonEarnWrite> = {}) => ({
  ...at.shop.redemption('X-1', value),
  operationId: id('cafe'),
  ...part,
});

export const redeem = (at: KillableShop, value: object = { points: 7 }, waitMs = 0, part: Partial<NonEarnWrite> = {}) =>
  at.ask('redeem', () => at.shop.core.perform(redemption(at, value, part), { waitMs }));

/** Each press of its own: two that share an id are one operation. */
const presses = { reserve: 'a001', release: 'a002', commit: 'a003', enroll: 'a004', verify: 'a005' } as const;

export const write = (at: KillableShop, what: keyof typeof presses, part: Partial<NonEarnWrite>, { waitMs } = atOnce) =>
  at.ask(what, () =>
    at.shop.core.perform(
      { ...redemption(at, {}), identifier: null, operationId: id(presses[what]), ...part },
      { waitMs },
    ),
  );

export async function reverse(at: KillableShop, intent: 'earn' | 'redeem'): Promise<void> {
  const row = at.shop.core.operationsByReference('X-1').find((operation) => operation.intent === intent);
  // It could not be saved.
  if (row === undefined) return;
  const asked = await at.ask('reverse', () =>
    at.shop.core.reverse(row.rowId, {
      origin: 'till',
      operationId: id('fade'),
      reversalRef: null,
      reason: null,
      idempotencyKey: null,
    }),
  );
  if (asked.kind === 'immediate') await at.ask('reversal', () => at.shop.core.perform(asked.write, atOnce));
}

export async function reserved(at: KillableShop): Promise<string> {
  const outcome = await write(at, 'reserve', {
    intent: 'reserve',
    path: '/redemptions/reserve',
    externalRef: 'CART-1#1',
    body: { identifier, external_ref: 'CART-1', points: 245 },
  });
  if (outcome.kind !== 'done') throw new Error(outcome.kind);
  return (outcome.answer as { reservation_id: string }).reservation_id;
}

export const enroll = (at: KillableShop) =>
  write(at, 'enroll', {
    intent: 'enroll',
    path: '/customers/enroll',
    externalRef: 'EN-1#1',
    body: { external_ref: 'EN-1', phone: '+96550009977', name: 'Huda' },
  });
