import { sql } from 'drizzle-orm';
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type { CardOperation } from '../../../shared/contract/card-names.ts';
import type { ErrorObject } from '../../../shared/contract/errors.ts';
import { intents } from '../../../shared/contract/primitives.ts';
import type { Balances } from '../../../shared/contract/profile.ts';
import { reservationStates } from '../../../shared/contract/reservation.ts';
import { transactionStatuses } from '../../../shared/contract/transaction.ts';
import { enrollmentStates } from '../../../shared/machines/enrollment.ts';
import type { Deltas } from '../rules/mechanics.ts';

/**
 * The tables as the migrations have left them: row types, column lists and statements follow from here. The tables
 * themselves are made by the migrations, and a test holds the two alike. All instants are milliseconds since 1970 in
 * UTC; points are thousandths.
 */

const isJson = (name: string, column: AnySQLiteColumn) => check(name, sql`json_valid(${column})`);
const isJsonOrNull = (name: string, column: AnySQLiteColumn) =>
  check(name, sql`${column} IS NULL OR json_valid(${column})`);

export const stateNames = ['settings', 'clock', 'starts', 'currency'] as const;

export const state = sqliteTable(
  'state',
  {
    name: text({ enum: stateNames }).primaryKey(),
    value: text({ mode: 'json' }).$type<unknown>().notNull(),
  },
  (t) => [isJson('value_is_json', t.value)],
);

export const apiKeys = sqliteTable(
  'api_keys',
  {
    apiKey: text('api_key').primaryKey(),
    /** The partner: what the natural key of a write is scoped by. A rotated key keeps it. */
    source: text().notNull(),
    expiresAtMs: integer('expires_at_ms'),
    /** Addresses or networks that may use it; null for any. */
    allowedAddresses: text('allowed_addresses', { mode: 'json' }).$type<readonly string[]>(),
    revoked: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (t) => [isJsonOrNull('allowed_addresses_are_json', t.allowedAddresses)],
);

export const customers = sqliteTable('customers', {
  customerId: text('customer_id').primaryKey(),
  /** The order in which they were made. */
  position: integer().notNull().unique(),
  name: text(),
  /** E.164. */
  phone: text().unique(),
  /** Lower case. */
  email: text().unique(),
  verified: integer({ mode: 'boolean' }).notNull(),
  createdAtMs: integer('created_at_ms').notNull(),
  /** Of the customer's newest transaction: the history goes back from there. */
  lastPosition: integer('last_position'),
});

/** What partners call the customers. */
export const externalIds = sqliteTable(
  'external_ids',
  {
    source: text().notNull(),
    externalId: text('external_id').notNull(),
    customerId: text('customer_id')
      .notNull()
      .references(() => customers.customerId),
  },
  (t) => [primaryKey({ columns: [t.source, t.externalId] }), index('external_ids_by_customer').on(t.customerId)],
);

export const cards = sqliteTable(
  'cards',
  {
    /** The order in which they were issued. */
    position: integer().primaryKey(),
    cardId: text('card_id').notNull().unique(),
    customerId: text('customer_id')
      .notNull()
      .references(() => customers.customerId),
    templateId: text('template_id').notNull(),
    loyaltyId: text('loyalty_id').notNull().unique(),
    suspended: integer({ mode: 'boolean' }).notNull().default(false),
    // The balances: null for a dimension that the card does not have.
    points: integer(),
    cashback_minor: integer('cashback_minor'),
    stamps: integer(),
    visits: integer(),
    rewards_available: integer('rewards_available'),
    /** Null for a card that holds no money. */
    currency: text(),
  },
  (t) => [index('cards_by_customer').on(t.customerId, t.position)],
);

/** How a pending transaction will end when the control API has said so. */
export interface PlannedFailure {
  readonly code: ErrorObject['code'];
  readonly message: string;
}

export const transactions = sqliteTable(
  'transactions',
  {
    /** The key that pages of a history are cut by. */
    position: integer().primaryKey(),
    transactionId: text('transaction_id').notNull().unique(),
    source: text().notNull(),
    /** Holds the intent and the reference (idempotency.ts). */
    naturalKey: text('natural_key').notNull(),
    intent: text({ enum: intents }).notNull(),
    status: text({ enum: transactionStatuses }).notNull(),
    externalRef: text('external_ref').notNull(),
    customerId: text('customer_id').references(() => customers.customerId),
    cardId: text('card_id').references(() => cards.cardId),
    operation: text().$type<CardOperation>(),
    amountMinor: integer('amount_minor'),
    currency: text(),
    points: integer(),
    stamps: integer(),
    visits: integer(),
    rewardId: text('reward_id'),
    reversesTransactionId: text('reverses_transaction_id'),
    /** The request's known fields as JSON, in the contract's order: equal texts are equal requests. */
    request: text().notNull(),
    requestId: text('request_id').notNull(),
    occurredAtMs: integer('occurred_at_ms').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    completedAtMs: integer('completed_at_ms'),
    /** From when on a pending one shows as processing; null once it is final. */
    processAtMs: integer('process_at_ms'),
    /** When a pending one becomes final; null once it is. */
    applyAtMs: integer('apply_at_ms'),
    plannedFailure: text('planned_failure', { mode: 'json' }).$type<PlannedFailure>(),
    /** The ledger: what it changed on its card when it was applied; null before that, and when it failed. */
    deltas: text({ mode: 'json' }).$type<Deltas>(),
    newBalances: text('new_balances', { mode: 'json' }).$type<Balances>(),
    error: text({ mode: 'json' }).$type<ErrorObject>(),
    /** Of the same customer's transaction before this one; null for the first. */
    previousPosition: integer('previous_position'),
  },
  (t) => [
    unique().on(t.source, t.naturalKey),
    check(
      'due_until_final',
      sql`(${t.applyAtMs} IS NOT NULL) = (${t.status} = 'pending' OR ${t.status} = 'processing')`,
    ),
    isJsonOrNull('planned_failure_is_json', t.plannedFailure),
    isJsonOrNull('new_balances_are_json', t.newBalances),
    isJsonOrNull('error_is_json', t.error),
    index('transactions_due').on(t.applyAtMs, t.position).where(sql`${t.applyAtMs} IS NOT NULL`),
    uniqueIndex('one_reversal_each')
      .on(t.reversesTransactionId)
      .where(sql`${t.reversesTransactionId} IS NOT NULL AND ${t.status} <> 'failed'`),
    index('foreign_reversals').on(t.source, t.externalRef).where(sql`${t.naturalKey} GLOB 'reverse:id:*'`),
  ],
);

/** What each Idempotency-Key was first used for. */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    source: text().notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    endpoint: text().notNull(),
    naturalKey: text('natural_key').notNull(),
  },
  (t) => [primaryKey({ columns: [t.source, t.idempotencyKey] })],
);

export const enrollments = sqliteTable(
  'enrollments',
  {
    position: integer().primaryKey(),
    enrollmentId: text('enrollment_id').notNull().unique(),
    source: text().notNull(),
    externalRef: text('external_ref').notNull(),
    state: text({ enum: enrollmentStates }).notNull(),
    /** E.164. */
    phone: text().notNull(),
    /** Lower case. */
    email: text(),
    name: text(),
    templateId: text('template_id').notNull(),
    channel: text(),
    /** The request's known fields as JSON, in the contract's order: equal texts are equal requests. */
    request: text().notNull(),
    /** The code that was sent last, and what it has been through. */
    otp: text().notNull(),
    otpSentAtMs: integer('otp_sent_at_ms').notNull(),
    otpExpiresAtMs: integer('otp_expires_at_ms').notNull(),
    /** How often a code was sent, this one included. */
    sends: integer().notNull(),
    /** Wrong codes since this one was sent. */
    attempts: integer().notNull(),
    // Customer and card are there once it is enrolled.
    customerId: text('customer_id').references(() => customers.customerId),
    cardId: text('card_id').references(() => cards.cardId),
  },
  (t) => [
    unique().on(t.source, t.externalRef),
    isJson('request_is_json', t.request),
    check('sent_once_at_least', sql`${t.sends} >= 1`),
    check('attempts_are_counted', sql`${t.attempts} >= 0`),
    check(
      'enrolled_is_issued',
      sql`(${t.state} = 'enrolled') = (${t.customerId} IS NOT NULL AND ${t.cardId} IS NOT NULL)`,
    ),
    index('enrollments_waiting').on(t.state, t.position).where(sql`${t.state} = 'awaiting_otp'`),
  ],
);

export const reservations = sqliteTable(
  'reservations',
  {
    position: integer().primaryKey(),
    reservationId: text('reservation_id').notNull().unique(),
    source: text().notNull(),
    externalRef: text('external_ref').notNull(),
    state: text({ enum: reservationStates }).notNull(),
    customerId: text('customer_id')
      .notNull()
      .references(() => customers.customerId),
    cardId: text('card_id')
      .notNull()
      .references(() => cards.cardId),
    // Exactly one of points and amount is there.
    points: integer(),
    amountMinor: integer('amount_minor'),
    currency: text(),
    discountValueMinor: integer('discount_value_minor'),
    /** The request's known fields as JSON, in the contract's order: equal texts are equal requests. */
    request: text().notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    expiresAtMs: integer('expires_at_ms').notNull(),
    /** The redeem transaction that a commit made. */
    committedTransactionId: text('committed_transaction_id').references(() => transactions.transactionId),
  },
  (t) => [
    isJson('request_is_json', t.request),
    check('points_are_some', sql`${t.points} > 0`),
    check('amount_is_some', sql`${t.amountMinor} > 0`),
    check('one_value', sql`(${t.points} IS NULL) <> (${t.amountMinor} IS NULL)`),
    check('committed_is_spent', sql`(${t.state} = 'committed') = (${t.committedTransactionId} IS NOT NULL)`),
    uniqueIndex('one_live_reservation').on(t.source, t.externalRef).where(sql`${t.state} IN ('reserved', 'committed')`),
    index('holds_by_card').on(t.cardId).where(sql`${t.state} = 'reserved'`),
    index('reservations_running_out').on(t.expiresAtMs, t.position).where(sql`${t.state} = 'reserved'`),
  ],
);
