import { and, asc, desc, eq, getTableColumns, gt, gte, inArray, isNull, lt, ne, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { OperationState } from '../../../shared/machines/operation.ts';
import { given, givenOrKept, nulls, type Placeholders, pick, query, read, select, write } from '../../sql/compile.ts';
import type { NewOperation, SeldomName } from '../schema/new-operation.ts';
import type { OperationValues } from '../schema/operation.ts';
import {
  historyColumns,
  operationColumns,
  recordColumns,
  recordNames,
  requestedAtMs,
  savedColumns,
  usualColumns,
} from '../schema/operation-columns.ts';
import { meta, operationEvents, operationHistory, operations } from '../schema/schema.ts';

type OperationRow = typeof operations.$inferSelect;
type EventRow = typeof operationEvents.$inferSelect;

type SavedRow = NewOperation & { readonly seal: Buffer | null };

const selectOperations = () => select(operationColumns).from(operations);
const original = alias(operations, 'original');
const { rowId: _rowId, version: _version, fromState, toState, atMs, send, ...explanation } = historyColumns;

interface Marking {
  /** Row ids, as JSON. */
  readonly ids: string;
  readonly from: OperationState;
  readonly atMs: number;
  readonly keyFingerprint: string;
}
const isAmong = ($: Placeholders<Pick<Marking, 'ids'>>) =>
  inArray(operations.rowId, sql`(SELECT value FROM json_each(${$.ids}))`);
const isMarked = ($: Placeholders<Marking>) => and(isAmong($), eq(operations.state, $.from));
/** A row that may be at the service keeps the key under which it may be there. Where none is known it gets that of this send. */
const keyOnRecord = ($: Placeholders<Marking>) =>
  sql<string>`coalesce(iif(${operations.maybeSent}, ${operations.keyFingerprint}, NULL), ${$.keyFingerprint})`;

const changed = pick(
  operations,
  'state',
  'version',
  'updatedAtMs',
  'cause',
  'error',
  'attempts',
  'maybeSent',
  'nextAttemptAtMs',
);
type Change = Pick<OperationRow, 'rowId' | keyof typeof changed | keyof typeof recordColumns>;
type Told = Change & Pick<EventRow, 'httpStatus' | 'requestId'>;
type FirstAnswer = Pick<OperationRow, 'rowId' | 'state' | 'updatedAtMs' | (typeof recordNames)[number]> &
  Pick<EventRow, 'httpStatus' | 'requestId'>;
// What the service tells of its record stays when it is not told again.
const changeOf = ($: Placeholders<Change>) => ({ ...given(changed, $), ...givenOrKept(recordColumns, $) });

export const operationStatements = {
  insert: write(($: Placeholders<SavedRow>) => {
    const saved = given({ ...savedColumns, seal: operations.seal }, $);
    return query
      .insert(operations)
      .values({ ...saved, updatedAtMs: saved.savedAtMs, version: 1, bodyVersion: 1 })
      .onConflictDoNothing();
  }),
  // To bind nothing costs as much as to bind something.
  insertUsual: write(($: Placeholders<Omit<SavedRow, SeldomName>>) => {
    const saved = given({ ...usualColumns, seal: operations.seal }, $);
    return query
      .insert(operations)
      .values({ ...saved, updatedAtMs: saved.savedAtMs, version: 1, bodyVersion: 1 })
      .onConflictDoNothing();
  }),
  insertEvent: write(($: Placeholders<Omit<EventRow, 'reason' | 'person'>>) =>
    query
      .insert(operationEvents)
      .values(
        given(
          pick(
            operationEvents,
            'rowId',
            'version',
            'fromState',
            'toState',
            'atMs',
            'send',
            'cause',
            'httpStatus',
            'code',
            'requestId',
            'keyFingerprint',
          ),
          $,
        ),
      ),
  ),
  insertMarkEvents: write(($: Placeholders<Marking>) =>
    query.insert(operationEvents).select(
      select({
        ...nulls(getTableColumns(operationEvents)),
        rowId: operations.rowId,
        version: sql`${operations.version} + 1`,
        fromState: operations.state,
        toState: sql`'sending'`,
        atMs: sql`${$.atMs}`,
        send: sql`${operations.sends} + 1`,
        keyFingerprint: keyOnRecord($),
      })
        .from(operations)
        .where(isMarked($)),
    ),
  ),
  // Most are: one pass over them, and no line of the history.
  markFirst: write(($: Placeholders<Omit<Marking, 'from'>>) =>
    query
      .update(operations)
      .set({
        state: 'sending',
        version: 2,
        sends: 1,
        updatedAtMs: sql`${$.atMs}`,
        firstSentAtMs: sql`${$.atMs}`,
        keyFingerprint: sql`${$.keyFingerprint}`,
      })
      .where(and(isAmong($), eq(operations.version, 1), sql`+${operations.state} = 'queued'`)),
  ),
  mark: write(($: Placeholders<Marking>) =>
    query
      .update(operations)
      .set({
        state: 'sending',
        version: sql`${operations.version} + 1`,
        sends: sql`${operations.sends} + 1`,
        updatedAtMs: sql`${$.atMs}`,
        keyFingerprint: keyOnRecord($),
      })
      .where(isMarked($)),
  ),
  current: read(($: Placeholders<{ rowId: number }>) =>
    select(
      pick(
        operations,
        'intent',
        'state',
        'version',
        'sends',
        'maybeSent',
        'bodyVersion',
        'keyFingerprint',
        'reversesRowId',
      ),
    )
      .from(operations)
      .where(eq(operations.rowId, $.rowId)),
  ),
  change: write(($: Placeholders<Change>) =>
    query.update(operations).set(changeOf($)).where(eq(operations.rowId, $.rowId)),
  ),
  // Two steps of a normal life, told by the row itself. The first changes nothing where the row is not as it was marked:
  // most rows are, and so need not be read before.
  answeredFirst: write(($: Placeholders<FirstAnswer>) =>
    query
      .update(operations)
      .set({
        ...given(pick(operations, 'state', 'updatedAtMs', ...recordNames), $),
        version: sql`3`,
        answeredAtMs: sql`${$.updatedAtMs}`,
        answerStatus: sql`${$.httpStatus}`,
        answerRequestId: sql`${$.requestId}`,
      })
      .where(
        and(
          eq(operations.rowId, $.rowId),
          sql`${operations.version} = 2 AND ${operations.sends} = 1 AND NOT ${operations.maybeSent}`,
          sql`+${operations.state} = 'sending'`,
          isNull(operations.reversesRowId),
        ),
      ),
  ),
  answered: write(($: Placeholders<Told>) =>
    query
      .update(operations)
      .set({
        ...changeOf($),
        answeredAtMs: sql`${$.updatedAtMs}`,
        answerStatus: sql`${$.httpStatus}`,
        answerRequestId: sql`${$.requestId}`,
      })
      .where(eq(operations.rowId, $.rowId)),
  ),
  polled: write(($: Placeholders<Told>) =>
    query
      .update(operations)
      .set({
        ...changeOf($),
        polledAtMs: sql`${$.updatedAtMs}`,
        pollStatus: sql`${$.httpStatus}`,
        pollRequestId: sql`${$.requestId}`,
      })
      .where(eq(operations.rowId, $.rowId)),
  ),
  // The id was not this row's at the service, so what was told under it was about another operation.
  forgetRecord: write(($: Placeholders<{ rowId: number }>) =>
    query.update(operations).set(nulls(recordColumns)).where(eq(operations.rowId, $.rowId)),
  ),
  byRowId: read(($: Placeholders<{ rowId: number }>) => selectOperations().where(eq(operations.rowId, $.rowId))),
  byOperationId: read(($: Placeholders<{ operationId: string }>) =>
    selectOperations().where(eq(operations.operationId, $.operationId)),
  ),
  byNaturalKey: read(($: Placeholders<Pick<OperationRow, 'externalRef' | 'intent'>>) =>
    selectOperations().where(and(eq(operations.externalRef, $.externalRef), eq(operations.intent, $.intent))),
  ),
  withReference: read(($: Placeholders<{ externalRef: string }>) =>
    select(pick(operations, 'rowId')).from(operations).where(eq(operations.externalRef, $.externalRef)).limit(1),
  ),
  byReference: read(($: Placeholders<{ externalRef: string }>) =>
    selectOperations().where(eq(operations.externalRef, $.externalRef)).orderBy(asc(operations.rowId)),
  ),
  byServiceTransactionId: read(($: Placeholders<{ serviceTransactionId: string }>) =>
    selectOperations()
      .where(eq(operations.serviceTransactionId, $.serviceTransactionId))
      .orderBy(asc(operations.rowId))
      .limit(16),
  ),
  // Of one that is only accepted the id is not proven: its poll will say whose it is.
  provenOriginalId: read(($: Placeholders<{ rowId: number }>) =>
    select(pick(operations, 'serviceTransactionId'))
      .from(operations)
      .where(
        and(
          eq(
            operations.rowId,
            query.select({ rowId: original.reversesRowId }).from(original).where(eq(original.rowId, $.rowId)),
          ),
          inArray(operations.state, ['applied', 'reversed']),
        ),
      ),
  ),
  recent: read(($: Placeholders<{ beforeRowId: number; limit: number }>) =>
    selectOperations().where(lt(operations.rowId, $.beforeRowId)).orderBy(desc(operations.rowId)).limit($.limit),
  ),
  // Applied earns and redemptions alone: the id of an accepted row is not proven, and a reversal may be filed under its
  // original's reference. Looked for among the newest rows, so none is found behind a very long backlog.
  newestInBooks: read(($: Placeholders<{ exceptReference: string; keyFingerprint: string; settledBeforeMs: number }>) =>
    select({
      externalRef: operations.externalRef,
      serviceTransactionId: sql<string>`${operations.serviceTransactionId}`,
    })
      .from(operations)
      .where(
        and(
          gt(operations.rowId, sql`(SELECT max(${operations.rowId}) FROM ${operations}) - 20000`),
          // A CHECK of the table sees to it that an applied row has the service's id.
          eq(operations.state, 'applied'),
          inArray(operations.intent, ['earn', 'redeem']),
          eq(operations.keyFingerprint, $.keyFingerprint),
          ne(operations.externalRef, $.exceptReference),
          lt(operations.updatedAtMs, $.settledBeforeMs),
        ),
      )
      .orderBy(desc(operations.rowId))
      .limit(1),
  ),
  earnsOfValues: read(($: Placeholders<OperationValues & { sinceMs: number }>) =>
    selectOperations()
      .where(
        and(
          gt(operations.rowId, sql`(SELECT max(${operations.rowId}) FROM ${operations}) - 2000`),
          gte(requestedAtMs(operations), $.sinceMs),
          eq(operations.intent, 'earn'),
          sql`${operations.amountMinor} IS ${$.amountMinor}`,
          sql`${operations.currency} IS ${$.currency}`,
          sql`${operations.points} IS ${$.points}`,
          sql`${operations.stamps} IS ${$.stamps}`,
          sql`${operations.visits} IS ${$.visits}`,
        ),
      )
      .orderBy(desc(operations.rowId)),
  ),
  redemptionsSince: read(($: Placeholders<{ sinceMs: number }>) =>
    selectOperations()
      .where(
        and(
          gt(operations.rowId, sql`(SELECT max(${operations.rowId}) FROM ${operations}) - 2000`),
          gte(requestedAtMs(operations), $.sinceMs),
          eq(operations.intent, 'redeem'),
        ),
      )
      .orderBy(desc(operations.rowId)),
  ),
  unknownRedemptions: read(() =>
    selectOperations()
      .where(and(eq(operations.state, 'unknown'), eq(operations.intent, 'redeem')))
      .orderBy(desc(operations.occurredAtMs), desc(operations.rowId)),
  ),
  history: read(($: Placeholders<{ rowId: number }>) =>
    select({ from: fromState, to: toState, atMs, send, ...explanation })
      .from(operationHistory)
      .where(eq(operationHistory.rowId, $.rowId))
      .orderBy(asc(operationHistory.version)),
  ),
  /** The greatest number that was ever given out. */
  lastRowId: read(() =>
    select({
      rowId: sql<number>`max(coalesce((SELECT max(${operations.rowId}) FROM ${operations}), 0), CAST(${meta.value} AS INTEGER))`,
    })
      .from(meta)
      .where(eq(meta.key, 'last_deleted_row_id')),
  ),
};
