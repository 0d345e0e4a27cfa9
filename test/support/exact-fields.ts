import { expect } from 'vitest';

/** The fields of each shape, as the specification's tables list them. Written by hand: the contract is not its own judge. */
const fieldsOf = {
  CustomerProfile: ['customer_id', 'name', 'phone', 'email', 'verified', 'balances_as_of', 'cards'],
  CardEntry: ['card_id', 'template_name', 'card_type', 'balances', 'available_rewards', 'allowed_operations'],
  Balances: ['points', 'cashback_minor', 'stamps', 'visits', 'rewards_available', 'currency'],
  Transaction: [
    'transaction_id',
    'intent',
    'status',
    'external_ref',
    'customer_id',
    'card_id',
    'amount_minor',
    'currency',
    'points',
    'stamps',
    'visits',
    'new_balances',
    'error',
    'occurred_at',
    'completed_at',
  ],
  TransactionAccepted: ['transaction_id', 'status', 'duplicate'],
  ReversalAccepted: ['transaction_id', 'status', 'duplicate', 'reverses_transaction_id'],
  TransactionPage: ['data', 'next_cursor'],
  TransactionList: ['data'],
  EnrollResult: ['status', 'customer_id', 'card_id', 'wallet_install_url', 'verified', 'duplicate'],
  EnrollPending: ['enrollment_id', 'status', 'otp_expires_at'],
  AlreadyEnrolled: ['error', 'customer'],
  Reservation: [
    'reservation_id',
    'state',
    'card_id',
    'points',
    'amount_minor',
    'discount_value_minor',
    'currency',
    'expires_at',
    'duplicate',
  ],
  ErrorBody: ['error'],
  Error: ['code', 'message', 'retryable', 'request_id'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Shape = keyof typeof fieldsOf;

/** Exactly these fields: none is left out where it could be null, and none is there that the table lacks. */
export function expectExactFields(
  value: object,
  shape: Shape,
  options: { readonly also?: readonly string[] } = {},
): void {
  expect(Object.keys(value).sort()).toEqual([...fieldsOf[shape], ...(options.also ?? [])].sort());
}

/** A Transaction of a write has `duplicate`, one of a read has not. */
export function expectTransaction(value: { readonly new_balances: object | null }, from: 'write' | 'read'): void {
  expectExactFields(value, 'Transaction', { also: from === 'write' ? ['duplicate'] : [] });
  if (value.new_balances !== null) expectExactFields(value.new_balances, 'Balances');
}

/** `details` is the one field of an error that may be left out. */
export function expectError(
  answer: {
    readonly status: number;
    readonly headers: object;
    readonly body: { readonly error: Record<string, unknown> };
  },
  expected: {
    readonly status: number;
    readonly code: string;
    readonly retryable?: boolean;
    readonly details?: unknown;
  },
): void {
  const { error } = answer.body;
  expect({ status: answer.status, code: error.code }).toEqual({ status: expected.status, code: expected.code });
  expectExactFields(error, 'Error', { also: 'details' in error ? ['details'] : [] });
  expect(error.retryable).toBe(expected.retryable ?? false);
  expect(error.request_id).toBe(Reflect.get(answer.headers, 'x-request-id'));
  if (expected.details !== undefined) expect(error.details).toEqual(expected.details);
}
