import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, min, ne, notInArray, or, sql } from 'drizzle-orm';
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { attentionStates, deadStates, endedReversalStates } from '../../../shared/machines/operation.ts';
import { changedOnDiskCode } from '../../../shared/till/own-errors.ts';
import { given, nulls, ofEach, type Placeholders, pick, query, read, select, write } from '../../sql/compile.ts';
import type { NewOperation } from '../schema/new-operation.ts';
import {
  historyColumns,
  isFound,
  operationColumns,
  recordColumns,
  requestedAtMs,
  savedColumns,
  sentColumns,
} from '../schema/operation-columns.ts';
import type { Decision } from '../schema/operation-values.ts';
import { operationEvents, operationHistory, operations } from '../schema/schema.ts';

type OperationRow = typeof operations.$inferSelect;

const selectOperations = () => select(operationColumns).from(operations);
const hasRowId = ($: Placeholders<{ rowId: number }>) => eq(operations.rowId, $.rowId);
const latestVersion = ($: Placeholders<{ rowId: number }>) =>
  query.select({ version: operations.version }).from(operations).where(hasRowId($));
/** Of the unknown ones: found to be changed on the disk, and not sent. */
const isChanged = sql`json_extract(${operations.error}, '$.code') = ${sql.raw(`'${changedOnDiskCode}'`)}`;

const hasBody = isNotNull(operations.body);
const isUnknownImmediate = and(eq(operations.state, 'unknown'), eq(operations.delivery, 'immediate'));

const copied = alias(operations, 'copied');
const nextBodyVersion = sql`${operations.bodyVersion} + 1`;

const corrected = pick(
  operations,
  'body',
  'cardId',
  'amountMinor',
  'currency',
  'points',
  'stamps',
  'visits',
  'occurredAtMs',
  'clockSkewMs',
);
/** What was found out and decided about an earlier request. */
const findings = pick(operations, 'decision', 'decidedAtMs', 'cause', 'error');
/** Everything that is saved with a request, but what names the row. */
const {
  rowId: _rowId,
  operationId: _operationId,
  externalRef: _externalRef,
  intent: _intent,
  state: _state,
  savedAtMs: _savedAtMs,
  replacesRowId: _replacesRowId,
  ...replaced
} = savedColumns;

/** What a commit has spent stands in its answer alone. @param name of the field there */
const spent = (column: SQLiteColumn, name: 'amount_minor' | 'points', $: Placeholders<{ answer: string }>) => {
  // drizzle knows no `->>`.
  const value = sql`${$.answer} ->> ${`$.${name}`}`;
  return sql`iif(${operations.intent} = 'commit' AND ${value} > 0, ${value}, ${column})`;
};

/** What may stand of writes that have a row each time, under the caller's reference with an id of the agent's behind it. */
const isKeptUnder = ($: Placeholders<{ reference: string }>) =>
  and(
    // The dollar sign is what comes after the number sign.
    sql`${operations.externalRef} > ${$.reference} || '#' AND ${operations.externalRef} < ${$.reference} || '$'`,
    // Told by no part of the body: one that was erased keeps its reference taken.
    sql`${operations.externalRef} = ${$.reference} || '#' || ${operations.operationId}`,
    notInArray(operations.state, [...deadStates]),
  );

type SentBytes = Pick<NewOperation, 'intent' | 'path' | 'body'>;

const isImmediateLike = ($: Placeholders<SentBytes>) =>
  and(
    eq(operations.delivery, 'immediate'),
    eq(operations.intent, $.intent),
    eq(operations.path, $.path),
    eq(operations.body, $.body),
  );

export const rowStatements = {
  unknownCounts: read(() =>
    select({
      changed: sql<number>`count(*) FILTER (WHERE ${isChanged})`,
      checking: sql<number>`count(*) FILTER (WHERE ${operations.delivery} = 'immediate')`,
    })
      .from(operations)
      .where(eq(operations.state, 'unknown')),
  ),
  /** Only while its request is there: it is erased after the retention time. */
  sent: read(($: Placeholders<{ rowId: number }>) =>
    select(sentColumns)
      .from(operations)
      .where(and(hasRowId($), hasBody)),
  ),
  // A commit's request has no values: what it spent stays when the answer is erased after the retention time.
  setAnswer: write(($: Placeholders<{ rowId: number; answer: string }>) =>
    query
      .update(operations)
      .set({
        answer: sql`${$.answer}`,
        amountMinor: spent(operations.amountMinor, 'amount_minor', $),
        points: spent(operations.points, 'points', $),
        currency: sql`iif(${operations.intent} = 'commit' AND length(${$.answer} ->> '$.currency') = 3,
          ${$.answer} ->> '$.currency', ${operations.currency})`,
      })
      .where(hasRowId($)),
  ),
  correct: write(($: Placeholders<Pick<OperationRow, 'rowId' | keyof typeof corrected>>) =>
    query
      .update(operations)
      .set({ ...given(corrected, $), ...nulls(findings), bodyVersion: nextBodyVersion })
      .where(and(hasRowId($), eq(operations.state, 'queued'))),
  ),
  keptRequest: read(($: Placeholders<{ rowId: number }>) =>
    select(
      pick(
        operations,
        'operationId',
        'intent',
        'path',
        'body',
        'identifierKind',
        'identifierValue',
        'cardId',
        'amountMinor',
        'currency',
        'points',
        'stamps',
        'visits',
        'occurredAtMs',
        'occurredAtFrom',
        'tillTimeMs',
        'monotonicMs',
        'clockSkewMs',
        'reversesRowId',
        'idempotencyKey',
        'replacesRowId',
      ),
    )
      .from(operations)
      .where(hasRowId($)),
  ),
  replaceRequest: write(($: Placeholders<Pick<NewOperation, 'rowId' | keyof typeof replaced>>) =>
    query
      .update(operations)
      .set({
        ...given(replaced, $),
        ...nulls(findings),
        ...nulls(recordColumns),
        ...nulls(pick(operations, 'answer', 'found')),
        bodyVersion: nextBodyVersion,
        attempts: 0,
      })
      .where(and(hasRowId($), eq(operations.state, 'queued'), eq(operations.maybeSent, false))),
  ),
  linkReversal: write(($: Placeholders<{ rowId: number; reversesRowId: number }>) =>
    query
      .update(operations)
      .set(given(pick(operations, 'reversesRowId'), $))
      .where(and(hasRowId($), isNull(operations.reversesRowId))),
  ),
  // One that was passed on goes on to mean this till's own when it comes again.
  unlinkDropped: write(($: Placeholders<{ rowId: number }>) =>
    query
      .update(operations)
      .set({ reversesRowId: null })
      .where(
        and(
          eq(operations.reversesRowId, $.rowId),
          eq(operations.state, 'cancelled'),
          eq(operations.delivery, 'deferred'),
        ),
      ),
  ),
  clockAtSave: read(($: Placeholders<{ rowId: number }>) =>
    select({
      ...pick(operations, 'occurredAtMs', 'businessDate', 'tillTimeMs', 'monotonicMs', 'replacesRowId'),
      from: operations.occurredAtFrom,
      skewMs: operations.clockSkewMs,
    })
      .from(operations)
      .where(hasRowId($)),
  ),
  correctInstant: write(($: Placeholders<{ rowId: number; occurredAtMs: number; body: string; clockSkewMs: number }>) =>
    query
      .update(operations)
      .set(given(pick(operations, 'occurredAtMs', 'body', 'clockSkewMs'), $))
      .where(and(hasRowId($), eq(operations.sends, 0))),
  ),
  changeInstant: write(($: Placeholders<{ rowId: number; occurredAtMs: number; body: string; clockSkewMs: number }>) =>
    query
      .update(operations)
      .set({
        ...given(pick(operations, 'occurredAtMs', 'body', 'clockSkewMs'), $),
        bodyVersion: nextBodyVersion,
      })
      .where(and(hasRowId($), eq(operations.state, 'queued'), eq(operations.maybeSent, false))),
  ),
  giveInstant: write(($: Placeholders<{ rowId: number; occurredAtMs: number; body: string }>) =>
    query
      .update(operations)
      .set({
        ...given(pick(operations, 'occurredAtMs', 'body'), $),
        occurredAtFrom: 'caller',
        bodyVersion: nextBodyVersion,
      })
      .where(and(hasRowId($), eq(operations.state, 'queued'), eq(operations.maybeSent, false))),
  ),
  decide: write(($: Placeholders<{ rowId: number; decision: Decision; decidedAtMs: number }>) =>
    query
      .update(operations)
      .set(given(pick(operations, 'decision', 'decidedAtMs'), $))
      .where(hasRowId($)),
  ),
  lookUpsDue: read(($: Placeholders<{ nowMs: number; latestMs: number; limit: number }>) =>
    selectOperations()
      .where(
        and(
          isUnknownImmediate,
          or(lte(operations.nextAttemptAtMs, $.nowMs), gt(operations.nextAttemptAtMs, $.latestMs)),
        ),
      )
      .orderBy(asc(operations.occurredAtMs), asc(operations.rowId))
      .limit($.limit),
  ),
  nextLookUp: read(() =>
    select({ atMs: min(operations.nextAttemptAtMs) })
      .from(operations)
      .where(isUnknownImmediate),
  ),
  unknownCopiesOf: read(($: Placeholders<{ rowId: number }>) =>
    selectOperations().where(
      and(
        isUnknownImmediate,
        sql`(${operations.intent}, ${operations.path}, ${operations.body}) = ${query
          .select(pick(copied, 'intent', 'path', 'body'))
          .from(copied)
          .where(eq(copied.rowId, $.rowId))}`,
      ),
    ),
  ),
  unknownReleasesBefore: read(($: Placeholders<{ rowId: number; path: string }>) =>
    selectOperations().where(
      and(
        isUnknownImmediate,
        eq(operations.intent, 'release'),
        eq(operations.path, $.path),
        // Their index has another order: with the key as it is, SQLite would go through all operations.
        sql`+${operations.rowId} < ${$.rowId}`,
      ),
    ),
  ),
  enrollmentsUnder: read(($: Placeholders<{ reference: string }>) =>
    selectOperations()
      .where(and(eq(operations.intent, 'enroll'), isKeptUnder($)))
      .orderBy(desc(operations.rowId)),
  ),
  reservedUnder: read(($: Placeholders<{ reference: string; body: string }>) =>
    select(pick(operations, 'rowId'))
      .from(operations)
      .where(and(eq(operations.intent, 'reserve'), isKeptUnder($), eq(operations.body, $.body)))
      .limit(1),
  ),
  sendingLike: read(($: Placeholders<SentBytes>) =>
    select(pick(operations, 'rowId'))
      .from(operations)
      .where(and(eq(operations.state, 'sending'), isImmediateLike($))),
  ),
  unknownLike: read(($: Placeholders<SentBytes>) =>
    selectOperations()
      .where(and(eq(operations.state, 'unknown'), isImmediateLike($)))
      .limit(1),
  ),
  // By the references that are made for them: a caller's own is looked up by itself.
  passedOnReversals: read(($: Placeholders<{ serviceTransactionId: string; path: string; byReferencePath: string }>) =>
    selectOperations()
      .where(
        and(
          // The point is what comes after the hyphen.
          sql`${operations.externalRef} > 'reverse-' AND ${operations.externalRef} < 'reverse.'`,
          eq(operations.intent, 'reverse'),
          isNull(operations.reversesRowId),
          or(
            and(
              inArray(operations.state, ['sending', 'unknown']),
              sql`${operations.path} IN (${$.path}, ${$.byReferencePath})`,
            ),
            and(
              inArray(operations.state, ['accepted', 'applied']),
              sql`${operations.answer} ->> '$.reverses_transaction_id' = ${$.serviceTransactionId}`,
            ),
          ),
        ),
      )
      // What is known first.
      .orderBy(asc(operations.state)),
  ),
  postpone: write(($: Placeholders<{ rowId: number; nextAttemptAtMs: number }>) =>
    query
      .update(operations)
      .set(given(pick(operations, 'nextAttemptAtMs'), $))
      .where(hasRowId($)),
  ),
  reversalOf: read(($: Placeholders<{ rowId: number }>) =>
    selectOperations().where(
      and(
        eq(operations.reversesRowId, $.rowId),
        // One by one, as in the condition of their index.
        ...endedReversalStates.map((state) => ne(operations.state, state)),
      ),
    ),
  ),
  failedReversalCount: read(($: Placeholders<{ rowId: number }>) =>
    select({ count: sql<number>`count(*)` })
      .from(operations)
      .where(and(eq(operations.reversesRowId, $.rowId), inArray(operations.state, ['failed', 'written_off']))),
  ),
  replacementOf: read(($: Placeholders<{ rowId: number }>) =>
    selectOperations().where(eq(operations.replacesRowId, $.rowId)),
  ),
  rowToCopy: read(($: Placeholders<{ rowId: number }>) =>
    select({ ...savedColumns, state: sql<'queued'>`'queued'`, body: sql<string>`${operations.body}` })
      .from(operations)
      .where(and(hasRowId($), hasBody)),
  ),
  // The row itself tells the lines of a normal life, and has no room for a reason or a person: a line that gets these is
  // written out as an event first.
  writeOutLatest: write(($: Placeholders<{ rowId: number }>) =>
    query
      .insert(operationEvents)
      .select(
        select(historyColumns)
          .from(operationHistory)
          .where(and(eq(operationHistory.rowId, $.rowId), eq(operationHistory.version, latestVersion($)))),
      )
      .onConflictDoNothing(),
  ),
  // The line of the latest change. What it says already stays.
  annotate: write(($: Placeholders<{ rowId: number; reason: string; person: string | null; between: string }>) =>
    query
      .update(operationEvents)
      .set({
        ...given(pick(operationEvents, 'person'), $),
        reason: sql`coalesce(${operationEvents.reason} || ${$.between}, '') || ${$.reason}`,
      })
      .where(and(eq(operationEvents.rowId, $.rowId), eq(operationEvents.version, latestVersion($)))),
  ),
};

interface Attention {
  readonly afterRowId: number;
  readonly limit: number;
  readonly unknownSinceMs: number;
}

/** What waits for a person: refused and failed, unknown for long, found against what was said. */
export const attentionStatements = {
  ...ofEach(attentionStates, (state) =>
    read(($: Placeholders<Attention>) =>
      selectOperations()
        .where(and(eq(operations.state, state), gt(operations.rowId, $.afterRowId)))
        .orderBy(asc(operations.rowId))
        .limit($.limit),
    ),
  ),
  unknown: read(($: Placeholders<Attention>) =>
    selectOperations()
      .where(
        and(
          eq(operations.state, 'unknown'),
          or(lte(requestedAtMs(operations), $.unknownSinceMs), isChanged),
          // Their index has another order: with the key as it is, SQLite would go through all operations.
          sql`+${operations.rowId} > ${$.afterRowId}`,
        ),
      )
      .orderBy(sql`+${operations.rowId}`)
      .limit($.limit),
  ),
  found: read(($: Placeholders<Attention>) =>
    selectOperations()
      .where(and(isFound, gt(operations.rowId, $.afterRowId)))
      .orderBy(asc(operations.rowId))
      .limit($.limit),
  ),
};
