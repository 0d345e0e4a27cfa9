import { expect, test } from 'vitest';
import { joined } from '../../app/bridge/joined-record.ts';
import type { Transaction } from '../../shared/contract/transaction.ts';
import { fakeOperation } from '../support/fake-records.ts';

const record = (part: Partial<Transaction>): Transaction => ({
  transaction_id: 'txn_local_1',
  intent: 'earn',
  status: 'pending',
  external_ref: 'R-1',
  customer_id: null,
  card_id: null,
  amount_minor: 12_500,
  currency: 'KWD',
  points: null,
  stamps: null,
  visits: null,
  new_balances: null,
  error: null,
  occurred_at: '2026-11-20T18:13:00.000Z',
  completed_at: null,
  ...part,
});
const theirs = (status: Transaction['status']) => record({ transaction_id: 'txn_9', status, customer_id: 'cus_1' });

test.each([
  { what: 'sent without an answer', own: 'pending', theirs: 'success', told: 'success' },
  { what: 'sent without an answer', own: 'pending', theirs: 'failed', told: 'failed' },
  { what: 'done, and reversed elsewhere', own: 'success', theirs: 'reversed', told: 'reversed' },
  { what: 'done', own: 'success', theirs: 'failed', told: 'success' },
  { what: 'refused', own: 'failed', theirs: 'success', told: 'failed' },
] as const)('what was $what is told as $told beside a record that says $theirs', (row) => {
  const { own, told } = row;
  const view = joined(
    fakeOperation({ maybeSent: true, serviceTransactionId: null }),
    record({ status: own }),
    theirs(row.theirs),
  );
  expect(view).toMatchObject({ transaction_id: 'txn_local_1', status: told });
});

test.each(['pending', 'processing'] as const)('the service’s %s says nothing newer than ours', (status) => {
  const own = record({});
  expect(joined(fakeOperation({ maybeSent: true }), own, theirs(status))).toBe(own);
});
