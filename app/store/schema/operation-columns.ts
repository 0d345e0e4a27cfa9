import { and, getViewSelectedFields, inArray, isNotNull, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { except, pick } from '../../sql/compile.ts';
import { seldomNames } from './new-operation.ts';
import { innerColumns, laterColumns, operationHistory, operations } from './schema.ts';

/** What is written when an operation is saved. */
export const savedColumns = except(operations, ...laterColumns);

/** The same of a row of which the seldom ones are null. */
export const usualColumns = except(operations, ...laterColumns, ...seldomNames);

/**
 * When the request of a row was saved. Another request may have taken the row after the first was refused, with a till time
 * of its own. A sale sent under another number has the till time of the first sale, which is earlier.
 */
export const requestedAtMs = ({ savedAtMs, tillTimeMs }: Record<'savedAtMs' | 'tillTimeMs', SQLiteColumn>) =>
  sql<number>`max(${savedAtMs}, ${tillTimeMs})`;

/** What an Operation is made from (toOperation). */
export const operationColumns = {
  ...except(operations, ...innerColumns, 'identifierKind', 'identifierValue'),
  requestedAtMs: requestedAtMs(operations),
  /** Kind and value, which are both there or both not. */
  identifier: sql<string | null>`${operations.identifierKind} || ':' || ${operations.identifierValue}`,
};

/** What a SendableOperation is, as it was sent last; the next send has one number more. */
export const sentColumns = {
  rowId: operations.rowId,
  intent: operations.intent,
  occurredAtMs: operations.occurredAtMs,
  lane: sql<string>`coalesce(${operations.identifierKind} || ':' || ${operations.identifierValue}, 'row:' || ${operations.rowId})`,
  externalRef: operations.externalRef,
  path: operations.path,
  // It is erased only when there is nothing more to send.
  body: sql<string>`${operations.body}`,
  idempotencyKey: operations.idempotencyKey,
  attempts: operations.attempts,
  maybeSent: operations.maybeSent,
  lastKeyFingerprint: operations.keyFingerprint,
  send: operations.sends,
  operationId: operations.operationId,
  bodyVersion: operations.bodyVersion,
  seal: operations.seal,
};

/** What the service tells of its record of an operation. */
export const recordNames = [
  'serviceTransactionId',
  'serviceCustomerId',
  'serviceCardId',
  'newBalances',
  'completedAtMs',
] as const;

export const recordColumns = pick(operations, ...recordNames);

/** A person has to decide about what the books showed. */
export const isFound = and(isNotNull(operations.found), inArray(operations.state, ['applied', 'accepted']));

/** A line of the history, whoever tells it. */
export const historyColumns = getViewSelectedFields(operationHistory);
