import { expect, test } from 'vitest';
import { isBalancePresent } from '../../app/receipts/present-balance.ts';
import type { Operation } from '../../app/store/schema/operation.ts';
import { FakeCore } from '../support/fake-core.ts';
import { fakeNowMs, fakeOperation } from '../support/fake-records.ts';

const core = new FakeCore();
const done = { state: 'applied', cardId: 'card_1', completedAtMs: fakeNowMs - 60_000, updatedAtMs: fakeNowMs } as const;
const operation = fakeOperation({ ...done, rowId: 1, operationId: 'op-1' });

/** Whether the balance is told beside another operation, which this till heard of a minute before. */
const isToldBeside = (change: Partial<Operation>): boolean => {
  const heard = { rowId: 2, operationId: 'op-2', updatedAtMs: fakeNowMs - 60_000 };
  const other = fakeOperation({ ...done, ...heard, completedAtMs: fakeNowMs - 120_000, ...change });
  return isBalancePresent(
    { clock: core.clock, status: () => core.status(), operationsOfCustomer: () => [operation, other] },
    operation,
  );
};

test('a balance that was found late is not told where another sale of the card was done after it', () => {
  expect(isToldBeside({})).toBe(true);
  expect(isToldBeside({ completedAtMs: fakeNowMs - 30_000 })).toBe(false);
});

test('a sale of another card of the customer changes no balance of this one, and one whose card is unknown may', () => {
  const later = { updatedAtMs: fakeNowMs + 1, completedAtMs: fakeNowMs };
  expect(isToldBeside({ ...later, cardId: 'card_2' })).toBe(true);
  expect(isToldBeside({ ...later, cardId: null, serviceCardId: 'card_2' })).toBe(true);
  expect(isToldBeside({ ...later, cardId: null, serviceCardId: null })).toBe(false);
  expect(isToldBeside({ ...later, cardId: 'card_1' })).toBe(false);
});
