import { and, asc, eq, getTableColumns, gt, gte, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { given, nulls, type Placeholders, pick, query, read, select, write } from '../../sql/compile.ts';
import {
  dayCloseLate,
  dayCloses,
  lifeColumns,
  meta,
  operationEvents,
  operations,
  stateCounts,
  watches,
} from '../schema/schema.ts';

/** Rows that may have been sent without it standing here: everything deferred that is not proven, and what was under way. */
const isNotProven = or(
  and(eq(operations.delivery, 'deferred'), inArray(operations.state, ['queued', 'refused'])),
  eq(operations.state, 'sending'),
);
/**
 * The key under which such a row may have been sent: that of a send that stands here, or else the one that was in use last.
 * Under any other it could be sent a second time. The history reads the key of the first send from the line behind it, so
 * that line has it, too.
 */
const keyOfDoubt = ($: Placeholders<{ lastKey: string | null }>) => sql<string | null>`iif(
  ${operations.maybeSent} OR ${operations.state} = 'sending',
  coalesce(${operations.keyFingerprint}, ${$.lastKey}),
  coalesce(${$.lastKey}, ${operations.keyFingerprint})
)`;
const hasRowId = ($: Placeholders<{ rowId: number }>) => eq(operations.rowId, $.rowId);
const lastEvent = sql`(SELECT coalesce(max(${operationEvents.version}), 0) FROM ${operationEvents}
  WHERE ${operationEvents.rowId} = ${operations.rowId})`;

/** What a row tells of its own history. */
export const toldByRow = { columns: lifeColumns.map((name) => operations[name].name) };

/** Every column that an operation has in the newest schema. */
export const ownColumns = { operations: Object.values(getTableColumns(operations)).map(({ name }) => name) };

export const carryOverStatements = {
  known: read(($: Placeholders<{ operationId: string }>) =>
    select(pick(operations, 'rowId', 'version'))
      .from(operations)
      .where(eq(operations.operationId, $.operationId)),
  ),
  byRowId: read(($: Placeholders<{ rowId: number }>) =>
    select(pick(operations, 'rowId')).from(operations).where(hasRowId($)),
  ),
  holder: read(($: Placeholders<{ externalRef: string; intent: string }>) =>
    select(pick(operations, 'rowId'))
      .from(operations)
      .where(and(eq(operations.externalRef, $.externalRef), sql`${operations.intent} = ${$.intent}`)),
  ),
  reversalsOf: read(($: Placeholders<{ rowId: number }>) =>
    select(pick(operations, 'rowId', 'externalRef'))
      .from(operations)
      .where(eq(operations.reversesRowId, $.rowId)),
  ),
  /** The operation that replaced it no longer names it. */
  unlink: write(($: Placeholders<{ rowId: number }>) =>
    query.update(operations).set({ replacesRowId: null }).where(eq(operations.replacesRowId, $.rowId)),
  ),
  remove: write(($: Placeholders<{ rowId: number }>) => query.delete(operations).where(hasRowId($))),
  takeDecision: write(($: Placeholders<Pick<typeof operations.$inferSelect, 'rowId' | 'decision' | 'decidedAtMs'>>) =>
    query
      .update(operations)
      .set(given(pick(operations, 'decision', 'decidedAtMs'), $))
      .where(and(hasRowId($), isNull(operations.decision))),
  ),
  forgetEvents: write(($: Placeholders<{ rowId: number }>) =>
    query.delete(operationEvents).where(eq(operationEvents.rowId, $.rowId)),
  ),
  link: write(($: Placeholders<Pick<typeof operations.$inferSelect, 'rowId' | 'reversesRowId' | 'replacesRowId'>>) =>
    query
      .update(operations)
      .set(given(pick(operations, 'reversesRowId', 'replacesRowId'), $))
      .where(hasRowId($)),
  ),
  closedDays: read(() =>
    select(pick(dayCloses, 'businessDate', 'closedAtMs', 'closedBy', 'lastOperationId')).from(dayCloses),
  ),
  /** Some thousands at a time: a database may hold years. */
  datedAfter: read(($: Placeholders<{ rowId: number }>) =>
    select(pick(operations, 'rowId', 'operationId', 'businessDate'))
      .from(operations)
      .where(gt(operations.rowId, $.rowId))
      .orderBy(asc(operations.rowId))
      .limit(10_000),
  ),
  insertLate: write(($: Placeholders<typeof dayCloseLate.$inferInsert>) =>
    query
      .insert(dayCloseLate)
      .values(given(getTableColumns(dayCloseLate), $))
      .onConflictDoNothing(),
  ),
};

export const suspicionStatements = {
  refused: read(() => select(pick(operations, 'rowId')).from(operations).where(eq(operations.state, 'refused'))),
  notProven: read(() => select(pick(operations, 'rowId')).from(operations).where(isNotProven)),
  insertEvent: write(($: Placeholders<{ rowId: number; atMs: number; reason: string; lastKey: string | null }>) =>
    query.insert(operationEvents).select(
      select({
        ...nulls(getTableColumns(operationEvents)),
        rowId: operations.rowId,
        // In what a damaged page has given, the history may be longer than its row says.
        version: sql`1 + max(${operations.version}, ${lastEvent})`,
        fromState: operations.state,
        toState: sql`'unknown'`,
        atMs: sql`${$.atMs}`,
        send: operations.sends,
        // The history reads the key of the first send from the line behind it, so this line has it.
        keyFingerprint: keyOfDoubt($),
        reason: sql`${$.reason}`,
      })
        .from(operations)
        .where(and(hasRowId($), isNotProven)),
    ),
  ),
  suspect: write(($: Placeholders<{ rowId: number; updatedAtMs: number; lastKey: string | null }>) =>
    query
      .update(operations)
      .set({
        ...given(pick(operations, 'updatedAtMs'), $),
        state: 'unknown',
        maybeSent: true,
        keyFingerprint: keyOfDoubt($),
        sends: sql`max(${operations.sends}, 1)`,
        nextAttemptAtMs: 0,
        version: lastEvent,
      })
      .where(hasRowId($)),
  ),
};

/** What is done once, when all rows are there. */
export const afterwardsStatements = {
  recount: write(() =>
    query.update(stateCounts).set({
      count: sql`(SELECT count(*) FROM ${operations} WHERE ${operations.state} = ${stateCounts.state})`,
    }),
  ),
  noteCountedThrough: write(() =>
    query
      .insert(meta)
      .select(
        select({
          key: sql`'counted_through'`,
          value: sql`CAST(coalesce(max(${operations.rowId}), 0) AS TEXT)`,
        })
          .from(operations)
          .where(sql`true`),
      )
      .onConflictDoUpdate({ target: meta.key, set: { value: sql`excluded.value` } }),
  ),
  noteLastRowId: write(() =>
    query
      .update(meta)
      .set({
        value: sql`max(CAST(${meta.value} AS INTEGER), (SELECT coalesce(max(${operations.rowId}), 0) FROM ${operations}))`,
      })
      .where(eq(meta.key, 'last_deleted_row_id')),
  ),
  /**
   * What a copy shows as applied may have been taken back since, and what it shows as cancelled may have been sent.
   * The copy's age is that of its newest change which is past: one may have been made while the clock was ahead. Where
   * the clock is behind all of them, all are looked up.
   */
  watchPutBack: write(($: Placeholders<{ nowMs: number; doubtedBeforeMs: number }>) =>
    query
      .insert(watches)
      .select(
        select({
          rowId: operations.rowId,
          why: sql`'put_back'`,
          schedule: sql`'at_once'`,
          looks: sql`0`,
          sinceMs: sql`${$.nowMs}`,
          plannedAtMs: sql`${$.nowMs}`,
          dueAtMs: sql`${$.nowMs}`,
        })
          .from(operations)
          .where(
            and(
              inArray(operations.intent, ['earn', 'redeem', 'commit', 'reverse']),
              inArray(operations.state, ['applied', 'cancelled']),
              isNotNull(operations.body),
              gte(
                operations.updatedAtMs,
                sql`coalesce((SELECT max(${operations.updatedAtMs}) FROM ${operations} WHERE ${lt(operations.updatedAtMs, $.nowMs)}), 0)
                  - ${$.doubtedBeforeMs}`,
              ),
            ),
          ),
      )
      .onConflictDoNothing(),
  ),
};
