import { expect, it } from 'vitest';
import { customerHandlers } from '../../app/till/customer-history.ts';
import type { Transaction } from '../../shared/contract/transaction.ts';
import { customerCommands } from '../../shared/till/customer-commands.ts';
import { fakeOperation } from '../support/fake-records.ts';

const own = { operationId: 'op-of-ali', externalRef: 'R-1', intent: 'redeem', serviceTransactionId: null } as const;
const told: Transaction = {
  transaction_id: 'txn_9',
  intent: 'redeem',
  status: 'success',
  external_ref: 'R-1',
  customer_id: 'cus_fatima',
  card_id: 'card_of_fatima',
  amount_minor: null,
  currency: null,
  points: null,
  stamps: null,
  visits: null,
  new_balances: null,
  error: null,
  occurred_at: '2026-11-20T14:13:00.000Z',
  completed_at: '2026-11-20T14:13:00.000Z',
};

/** The names of what a customer was given, where this till has an operation of the same number on a card. */
async function givenBeside(cardId: string | null): Promise<readonly (string | null)[]> {
  const operation = fakeOperation({ ...own, cardId, givenName: 'Free coffee' });
  const { 'customer.history': historyOf } = customerHandlers({
    lastTransactions: async () => ({ source: 'service', as_of: '2026-11-20T14:14:00.000Z', transactions: [told] }),
    operationsOfCustomer: () => [],
    operationByTransactionId: () => null,
    operationsByReference: () => [operation],
  });
  const asked = { identifier: { loyalty_id: 'LC-1' }, customer_id: 'cus_fatima', card_ids: ['card_of_fatima'] };
  const reply = await historyOf(asked);
  if (!reply.ok) throw new Error('There is no history');
  const { last } = customerCommands['customer.history'].answer.parse(reply.value);
  return (last?.transactions ?? []).map(({ given_name }) => given_name);
}

it('a redemption at another till has no reward of another card that this till gave under the same number', async () => {
  expect(await givenBeside('card_of_ali')).toEqual([null]);
  expect(await givenBeside('card_of_fatima')).toEqual(['Free coffee']);
  // The service may choose the card.
  expect(await givenBeside(null)).toEqual(['Free coffee']);
});
