import { eq, ne, sql } from 'drizzle-orm';
import {
  type AnySQLiteColumn,
  blob,
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  sqliteView,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { type IdentifierKind, identifierKinds } from '../../../shared/contract/identifier.ts';
import {
  attentionStates,
  endedReversalStates,
  type OperationState,
  openStates,
  operationStates,
  waitingStates,
} from '../../../shared/machines/operation.ts';
import { operationIntents } from '../../../shared/machines/operation-intents.ts';
import type { CashierDay, DayLine } from '../../../shared/till/day-line.ts';
import { type Cause, causes } from '../../../shared/till/state-names.ts';
import { decisions, deliveries, foundLater, givenKinds, instantSources, operationOrigins } from './operation-values.ts';
import { watchReasons, watchSchedules } from './watch-schedule.ts';

/**
 * The tables as the migrations have left them: row types, column lists and statements follow from here. The tables
 * themselves are made by the migrations, and a test holds the two alike; triggers stand in the migrations alone. All
 * instants are milliseconds since 1970 in UTC; amounts are in minor units.
 */

const isPositive = (name: string, column: AnySQLiteColumn) => check(name, sql`${column} > 0`);
const isCount = (name: string, column: AnySQLiteColumn) => check(name, sql`${column} >= 0`);
const isSomeText = (name: string, column: AnySQLiteColumn) => check(name, sql`length(${column}) > 0`);
const isJson = (name: string, column: AnySQLiteColumn) => check(name, sql`json_valid(${column})`);

/** Facts about the database itself, each under a key. */
export const meta = sqliteTable('meta', {
  key: text().primaryKey(),
  value: text().notNull(),
});

/** One write to the service and all that the agent knows of it. */
export const operations = sqliteTable(
  'operations',
  {
    /** Place in the order of saving, and part of generated references: never used twice. */
    rowId: integer('row_id').primaryKey(),
    /** The caller's id of the press or the request: the same id is the same operation. */
    operationId: text('operation_id').notNull().unique(),
    intent: text({ enum: operationIntents }).notNull(),
    origin: text({ enum: operationOrigins }).notNull(),
    /** The POS program that it came from, by its token's name; null at the till's own screen, or when that was not kept. */
    posName: text('pos_name'),
    /** Who took it, by the reference of the cashier or as a POS program said; null: nobody, or it was not kept. Never sent. */
    employeeRef: text('employee_ref'),
    delivery: text({ enum: deliveries }).notNull(),
    state: text({ enum: operationStates }).notNull(),
    /** Grows by one with each change; a line of the history has the version that it made. */
    version: integer().notNull(),
    externalRef: text('external_ref').notNull(),
    // Who the customer is; null once erased after the retention time.
    identifierKind: text('identifier_kind', { enum: identifierKinds }),
    identifierValue: text('identifier_value'),
    customerName: text('customer_name'),
    /** What a reward or a coupon is called, in the card's own words; null for everything else. Never sent. */
    givenName: text('given_name'),
    /** What was given where an operation has no value of its own; null for others, and before there was this column. */
    givenKind: text('given_kind', { enum: givenKinds }),
    cardId: text('card_id'),
    amountMinor: integer('amount_minor'),
    currency: text(),
    points: real(),
    stamps: integer(),
    visits: integer(),
    /** When it happened by what the row says: sent as `occurred_at`. */
    occurredAtMs: integer('occurred_at').notNull(),
    occurredAtFrom: text('occurred_at_from', { enum: instantSources }).notNull(),
    /** `2026-11-20`: the day that the shop counts it to. */
    businessDate: text('business_date').notNull(),
    // The till's clock when it was saved.
    tillTimeMs: integer('till_time').notNull(),
    monotonicMs: real('monotonic_ms').notNull(),
    clockSkewMs: integer('clock_skew_ms'),
    // The frozen request: every attempt sends these bytes to this path. Null once erased after the retention time.
    path: text().notNull(),
    body: text(),
    bodyVersion: integer('body_version').notNull(),
    idempotencyKey: text('idempotency_key'),
    /** How often it was sent. */
    sends: integer().notNull().default(0),
    /** Sends that counted against the row. */
    attempts: integer().notNull().default(0),
    /** True once any attempt may have reached the service and no proof of the contrary came. */
    maybeSent: integer('maybe_sent', { mode: 'boolean' }).notNull().default(false),
    /** The key of the last send; while `maybeSent`, the key under which the service may have it. */
    keyFingerprint: text('key_fingerprint'),
    nextAttemptAtMs: integer('next_attempt_at').notNull().default(0),
    cause: text({ enum: causes }),
    error: text({ mode: 'json' }).$type<unknown>(),
    serviceTransactionId: text('service_transaction_id'),
    /** Whom the service found behind the identifier, once it has applied the operation. */
    serviceCustomerId: text('service_customer_id'),
    /** The card that the service chose, when the caller named none. */
    serviceCardId: text('service_card_id'),
    newBalances: text('new_balances', { mode: 'json' }).$type<unknown>(),
    /** When the service had applied it. */
    completedAtMs: integer('completed_at'),
    savedAtMs: integer('saved_at').notNull(),
    updatedAtMs: integer('updated_at').notNull(),
    /** What the service answered to an immediate write; null before, and for deferred ones. */
    answer: text({ mode: 'json' }).$type<unknown>(),
    /** What was decided while the outcome was not known (design "Unknown outcomes of immediate operations"). */
    decision: text({ enum: decisions }),
    decidedAtMs: integer('decided_at'),
    /** A reversal's original, when that is one of ours. */
    reversesRowId: integer('reverses_row_id').references((): AnySQLiteColumn => operations.rowId),
    /** The operation in whose place this one stands, after the service had recorded that one as failed. */
    replacesRowId: integer('replaces_row_id').references((): AnySQLiteColumn => operations.rowId),
    /** What the books showed of it, against what the till had said. Null: there is nothing to decide about it. */
    found: text({ enum: foundLater }),
    // The steps of a normal life, versions 2 to 4; null where a line of operation_events tells it.
    firstSentAtMs: integer('first_sent_at'),
    answeredAtMs: integer('answered_at'),
    answerStatus: integer('answer_status'),
    answerRequestId: text('answer_request_id'),
    polledAtMs: integer('polled_at'),
    pollStatus: integer('poll_status'),
    pollRequestId: text('poll_request_id'),
    /** Over the frozen request and what names the row (row-seal.ts); null for what was saved before there were seals. */
    seal: blob({ mode: 'buffer' }),
  },
  (t) => [
    isPositive('version_is_some', t.version),
    isSomeText('reference_is_some', t.externalRef),
    isPositive('amount_is_some', t.amountMinor),
    check('currency_is_code', sql`length(${t.currency}) = 3`),
    isPositive('points_are_some', t.points),
    isPositive('stamps_are_some', t.stamps),
    isPositive('visits_are_some', t.visits),
    check('business_date_is_date', sql`length(${t.businessDate}) = 10`),
    isPositive('body_version_is_some', t.bodyVersion),
    check('idempotency_key_is_short', sql`length(${t.idempotencyKey}) <= 128`),
    isCount('sends_are_counted', t.sends),
    isCount('attempts_are_counted', t.attempts),
    isJson('error_is_json', t.error),
    isJson('new_balances_are_json', t.newBalances),
    isJson('answer_is_json', t.answer),
    isSomeText('pos_name_is_some', t.posName),
    isSomeText('employee_ref_is_some', t.employeeRef),
    isSomeText('given_name_is_some', t.givenName),
    check('identifier_is_whole', sql`(${t.identifierKind} IS NULL) = (${t.identifierValue} IS NULL)`),
    check('unsent_is_unknown_to_service', sql`${t.state} <> 'queued' OR ${t.maybeSent} = 0`),
    check(
      'taken_has_service_id',
      sql`${t.state} NOT IN ('accepted','applied') OR ${t.serviceTransactionId} IS NOT NULL`,
    ),
    uniqueIndex('operations_natural_key').on(t.externalRef, t.intent),
    index('operations_service_id').on(t.serviceTransactionId).where(sql`${t.serviceTransactionId} IS NOT NULL`),
    ...waitingStates.map((state) => index(`operations_${state}`).on(t.occurredAtMs, t.rowId).where(eq(t.state, state))),
    ...attentionStates.map((state) => index(`operations_${state}`).on(t.rowId).where(eq(t.state, state))),
    uniqueIndex('operations_reversal')
      .on(t.reversesRowId)
      .where(
        sql.join(
          [sql`${t.reversesRowId} IS NOT NULL`, ...endedReversalStates.map((state) => ne(t.state, state))],
          sql` AND `,
        ),
      ),
    index('operations_reversals').on(t.reversesRowId).where(sql`${t.reversesRowId} IS NOT NULL`),
    uniqueIndex('operations_replacement').on(t.replacesRowId).where(sql`${t.replacesRowId} IS NOT NULL`),
    index('operations_holds')
      .on(t.savedAtMs)
      .where(
        sql`${t.origin} = 'till' AND (${t.intent} = 'reserve' OR ${t.intent} = 'commit' OR ${t.intent} = 'release')`,
      ),
    index('operations_found').on(t.rowId).where(sql`${t.found} IS NOT NULL`),
  ],
);

/** What tells the steps of a normal life. */
export const lifeColumns = [
  'firstSentAtMs',
  'answeredAtMs',
  'answerStatus',
  'answerRequestId',
  'polledAtMs',
  'pollStatus',
  'pollRequestId',
] as const satisfies readonly OperationColumn[];

/** What an operation gets after it was saved; everything else is saved with it. */
export const laterColumns = [
  'version',
  'bodyVersion',
  'sends',
  'attempts',
  'maybeSent',
  'keyFingerprint',
  'nextAttemptAtMs',
  'cause',
  'error',
  'serviceTransactionId',
  'serviceCustomerId',
  'serviceCardId',
  'newBalances',
  'completedAtMs',
  'updatedAtMs',
  'answer',
  'decision',
  'decidedAtMs',
  'found',
  'seal',
  ...lifeColumns,
] as const satisfies readonly OperationColumn[];

/** What matters to those who send it and to nobody else; everything else is told of an operation. */
export const innerColumns = [
  'occurredAtFrom',
  'businessDate',
  'tillTimeMs',
  'monotonicMs',
  'clockSkewMs',
  'path',
  'body',
  'bodyVersion',
  'idempotencyKey',
  'sends',
  'keyFingerprint',
  'nextAttemptAtMs',
  'decidedAtMs',
  'seal',
  ...lifeColumns,
] as const satisfies readonly OperationColumn[];

type OperationColumn = keyof typeof operations.$inferSelect;

/** A line of the history: one change of an operation. */
const historyLine = {
  rowId: integer('row_id').notNull(),
  /** What the row's version was from then on. */
  version: integer().notNull(),
  fromState: text('from_state').$type<OperationState>(),
  toState: text('to_state').$type<OperationState>().notNull(),
  atMs: integer('at').notNull(),
  /** The number of the send that it is about. */
  send: integer().notNull(),
  cause: text().$type<Cause>(),
  httpStatus: integer('http_status'),
  code: text(),
  requestId: text('request_id'),
  keyFingerprint: text('key_fingerprint'),
  // What a person said who decided it, and who that was.
  reason: text(),
  person: text(),
};

/** The lines of the history that the row itself does not tell: all that is not the normal way. */
export const operationEvents = sqliteTable(
  'operation_events',
  {
    ...historyLine,
    rowId: integer('row_id')
      .notNull()
      .references(() => operations.rowId, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.rowId, t.version] })],
);

/** The whole history: a line for each change. A view, whose text stands in the migration that makes it. */
export const operationHistory = sqliteView('operation_history', historyLine).existing();

/** How many operations are in each state, of the rows up to `counted_through` in `meta` (see StateCounts). */
export const stateCounts = sqliteTable(
  'state_counts',
  {
    state: text().$type<OperationState>().primaryKey(),
    count: integer().notNull(),
  },
  (t) => [isCount('rows_are_counted', t.count)],
);

/** Business days that were closed. A trigger keeps them as they were closed. */
export const dayCloses = sqliteTable(
  'day_closes',
  {
    businessDate: text('business_date').primaryKey(),
    closedAtMs: integer('closed_at').notNull(),
    closedBy: text('closed_by').notNull(),
    /** The operation behind whose row nothing was counted: the one that was saved last by then. Null when there was none. */
    lastOperationId: text('last_operation_id'),
    /** The figures as they were counted. */
    lines: text({ mode: 'json' }).$type<readonly DayLine[]>().notNull(),
    /** How many were open and known to be when it was closed. */
    openCount: integer('open_count').notNull(),
    /** The figures of each cashier; null: closed by a program that did not count them. */
    cashiers: text({ mode: 'json' }).$type<readonly CashierDay[]>(),
  },
  (t) => [
    check('business_date_is_date', sql`${t.businessDate} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'`),
    isSomeText('closed_by_somebody', t.closedBy),
    isJson('lines_are_json', t.lines),
    isJson('cashiers_are_json', t.cashiers),
    isCount('open_are_counted', t.openCount),
  ],
);

/** The operations that were open when a day was closed; by operationId, which is theirs in any database. */
export const dayCloseCarried = sqliteTable(
  'day_close_carried',
  {
    businessDate: text('business_date')
      .notNull()
      .references(() => dayCloses.businessDate),
    operationId: text('operation_id').notNull(),
    /** What it was when the day was closed. */
    state: text({ enum: openStates }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.businessDate, t.operationId] })],
);

/**
 * Operations of a closed day that were over before the closing, and came to life after it: another request took the row under
 * a reference that was free again, the service was found to hold it, or a dropped reversal goes out again. By their row they
 * are not among what came later. So do operations that stood in another database when this one's was closed, and have come
 * before the closing's last row since (carried-days.ts). None that the closing carried over. A trigger keeps them.
 */
export const dayCloseLate = sqliteTable(
  'day_close_late',
  {
    businessDate: text('business_date')
      .notNull()
      .references(() => dayCloses.businessDate),
    operationId: text('operation_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.businessDate, t.operationId] })],
);

/** What is to be looked up in the service's books, though it counts as not recorded there. */
export const watches = sqliteTable(
  'watches',
  {
    rowId: integer('row_id')
      .primaryKey()
      .references(() => operations.rowId, { onDelete: 'cascade' }),
    why: text({ enum: watchReasons }).notNull(),
    schedule: text({ enum: watchSchedules }).notNull(),
    /** Looks that are done. */
    looks: integer().notNull(),
    sinceMs: integer('since').notNull(),
    /** When the next look was planned: later than now means that the wall clock was set back meanwhile. */
    plannedAtMs: integer('planned_at').notNull(),
    dueAtMs: integer('due_at').notNull(),
  },
  (t) => [
    isCount('looks_are_counted', t.looks),
    index('watches_due').on(t.dueAtMs),
    index('watches_planned').on(t.plannedAtMs),
  ],
);

/** What an operation was sent as before it was changed: those bytes may still arrive. A trigger keeps them. */
export const earlierVersions = sqliteTable(
  'earlier_versions',
  {
    rowId: integer('row_id')
      .notNull()
      .references(() => operations.rowId, { onDelete: 'cascade' }),
    bodyVersion: integer('body_version').notNull(),
    path: text().notNull(),
    body: text().notNull(),
    cardId: text('card_id'),
    amountMinor: integer('amount_minor'),
    currency: text(),
    points: real(),
    stamps: integer(),
    visits: integer(),
    identifierKind: text('identifier_kind').$type<IdentifierKind>(),
    identifierValue: text('identifier_value'),
  },
  (t) => [primaryKey({ columns: [t.rowId, t.bodyVersion] }), isPositive('body_version_is_some', t.bodyVersion)],
);
