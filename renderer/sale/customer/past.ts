import { cardTypeOf } from '../../../shared/contract/card-names.ts';
import type { CardEntry } from '../../../shared/contract/profile.ts';
import type { ValueField } from '../../../shared/contract/value-fields.ts';
import { isWaiting } from '../../../shared/machines/operation.ts';
import { roundPoints } from '../../../shared/points.ts';
import type { CustomerHistory, PastTransaction } from '../../../shared/till/customer-commands.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import type { EarnValue } from '../../operation/entry.ts';

/** What was done with a card, for the customer's history. */
export interface Did {
  readonly way: 'earn' | 'spend';
  /** Null: a reward or a coupon. */
  readonly value: EarnValue | null;
  /** The name of the reward or coupon; null when it is unknown. */
  readonly given: string | null;
  readonly isCoupon: boolean;
}

/** One line of what a customer did last. */
export interface PastRow {
  readonly id: string;
  readonly atMs: number;
  readonly did: Did;
  readonly state: 'done' | 'on_the_way' | 'taken_back';
}

const mostRows = 5;

/** The customer's last five operations: those of this till, and those that only the service knows. */
export function lastFive({ last, operations }: CustomerHistory, cards: readonly CardEntry[]): readonly PastRow[] {
  const own = operations.flatMap((operation) => rowOfOperation(operation) ?? []);
  const known = new Set(operations.map(({ operation_id }) => operation_id));
  const others = (last?.transactions ?? []).flatMap((transaction) =>
    transaction.operation_id !== null && known.has(transaction.operation_id)
      ? []
      : (rowOfTransaction(transaction, cards) ?? []),
  );
  return [...own, ...others].toSorted((left, right) => right.atMs - left.atMs).slice(0, mostRows);
}

/** When the customer was here last, as far as is known. */
export function lastVisitMs(rows: readonly PastRow[]): number | null {
  return rows.find(({ state }) => state !== 'taken_back')?.atMs ?? null;
}

function rowOfOperation(operation: OperationView): PastRow | null {
  const { intent, given_name: given, is_coupon: isCoupon } = operation;
  const state = stateOfOperation(operation);
  if (state === null) return null;
  const atMs = Date.parse(operation.occurred_at);
  const did = didOf(intent === 'earn' ? 'earn' : 'spend', operation, { given, isCoupon });
  return { id: operation.operation_id, atMs, did, state };
}

/** Null: it did not happen, or its outcome is unknown. */
function stateOfOperation({ intent, state }: OperationView): PastRow['state'] | null {
  if (state === 'applied') return 'done';
  if (state === 'reversed') return 'taken_back';
  return intent === 'earn' && isWaiting(state) ? 'on_the_way' : null;
}

function rowOfTransaction(transaction: PastTransaction, cards: readonly CardEntry[]): PastRow | null {
  const { intent, status } = transaction;
  if (intent !== 'earn' && intent !== 'redeem') return null;
  const state = stateOfStatus(status);
  if (state === null) return null;
  // The service tells only the card, by whose type a coupon is known.
  const card = cards.find(({ card_id }) => card_id === transaction.card_id);
  const isCoupon = card !== undefined && cardTypeOf(card) === 'Coupon';
  const did = didOf(intent === 'earn' ? 'earn' : 'spend', transaction, { given: transaction.given_name, isCoupon });
  return { id: transaction.transaction_id, atMs: Date.parse(transaction.occurred_at), did, state };
}

function stateOfStatus(status: PastTransaction['status']): PastRow['state'] | null {
  switch (status) {
    case 'success':
      return 'done';
    case 'pending':
    case 'processing':
      return 'on_the_way';
    case 'reversed':
      return 'taken_back';
    case 'failed':
      return null;
  }
}

type Values = Pick<OperationView, ValueField | 'currency'>;

function didOf(way: Did['way'], values: Values, what: Pick<Did, 'given' | 'isCoupon'>): Did {
  return { way, value: earnValueOf(values), ...what };
}

function earnValueOf({ amount_minor, currency, points, stamps, visits }: Values): EarnValue | null {
  if (points !== null) return { points };
  if (stamps !== null) return { stamps };
  if (visits !== null) return { visits };
  return amount_minor === null ? null : { amount_minor, currency: currency ?? '' };
}

/** Sums up what was earned but is not on the card yet. Each currency and each other unit has one sum. */
export function onTheWay(operations: readonly OperationView[], isTheirs: (cardId: string | null) => boolean) {
  const sums = new Map<string, EarnValue>();
  for (const operation of operations) {
    const value = operation.intent === 'earn' && isWaiting(operation.state) ? earnValueOf(operation) : null;
    if (value === null || !isTheirs(operation.card_id)) continue;
    const unit = 'currency' in value ? value.currency : (Object.keys(value)[0] ?? '');
    const sum = sums.get(unit);
    sums.set(unit, sum === undefined ? value : added(sum, value));
  }
  return [...sums.values()];
}

function added(left: EarnValue, right: EarnValue): EarnValue {
  if ('amount_minor' in left && 'amount_minor' in right) {
    return { ...left, amount_minor: left.amount_minor + right.amount_minor };
  }
  if ('points' in left && 'points' in right) return { points: roundPoints(left.points + right.points) };
  if ('stamps' in left && 'stamps' in right) return { stamps: left.stamps + right.stamps };
  if ('visits' in left && 'visits' in right) return { visits: left.visits + right.visits };
  return left;
}
