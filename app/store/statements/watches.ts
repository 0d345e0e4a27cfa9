import { and, asc, desc, eq, getTableColumns, gt, inArray, isNotNull, lt, lte, min, or, sql } from 'drizzle-orm';
import { given, nulls, type Placeholders, pick, query, read, select, write } from '../../sql/compile.ts';
import type { NewOperation } from '../schema/new-operation.ts';
import { isFound } from '../schema/operation-columns.ts';
import { earlierVersions, operations, watches } from '../schema/schema.ts';

type WatchRow = typeof watches.$inferSelect;

const versioned = [
  'path',
  'cardId',
  'amountMinor',
  'currency',
  'points',
  'stamps',
  'visits',
  'identifierKind',
  'identifierValue',
  'bodyVersion',
] as const;
const sentVersion = { ...pick(operations, ...versioned), body: sql<string>`${operations.body}` };
const { bodyVersion: _, ...putBack } = pick(operations, ...versioned, 'body');

export const watchStatements = {
  schedule: read(($: Placeholders<{ rowId: number }>) =>
    select(pick(watches, 'schedule')).from(watches).where(eq(watches.rowId, $.rowId)),
  ),
  put: write(($: Placeholders<WatchRow>) =>
    query
      .insert(watches)
      .values(given(getTableColumns(watches), $))
      .onConflictDoUpdate({
        target: watches.rowId,
        // drizzle knows no EXCLUDED.
        set: {
          why: sql`excluded.why`,
          schedule: sql`excluded.schedule`,
          looks: sql`excluded.looks`,
          sinceMs: sql`excluded.since`,
          plannedAtMs: sql`excluded.planned_at`,
          dueAtMs: sql`excluded.due_at`,
        },
      }),
  ),
  due: read(($: Placeholders<{ nowMs: number; limit: number }>) =>
    select(pick(watches, 'rowId', 'why', 'schedule', 'looks', 'sinceMs'))
      .from(watches)
      .where(or(lte(watches.dueAtMs, $.nowMs), gt(watches.plannedAtMs, $.nowMs)))
      .orderBy(asc(watches.dueAtMs))
      .limit($.limit),
  ),
  /** Of the newest operation that had been completed before a moment. */
  completedBefore: read(($: Placeholders<{ lastRowId: number; beforeMs: number }>) =>
    select(pick(operations, 'completedAtMs'))
      .from(operations)
      .where(
        and(
          lte(operations.rowId, $.lastRowId),
          lt(operations.updatedAtMs, $.beforeMs),
          isNotNull(operations.completedAtMs),
        ),
      )
      .orderBy(desc(operations.rowId))
      .limit(1),
  ),
  next: read(() => select({ atMs: min(watches.dueAtMs) }).from(watches)),
  plan: write(($: Placeholders<Pick<WatchRow, 'rowId' | 'looks' | 'plannedAtMs' | 'dueAtMs'>>) =>
    query
      .update(watches)
      .set(given(pick(watches, 'looks', 'plannedAtMs', 'dueAtMs'), $))
      .where(eq(watches.rowId, $.rowId)),
  ),
  end: write(($: Placeholders<{ rowId: number }>) => query.delete(watches).where(eq(watches.rowId, $.rowId))),
  shift: write(($: Placeholders<{ byMs: number }>) =>
    query.update(watches).set({
      plannedAtMs: sql`${watches.plannedAtMs} + ${$.byMs}`,
      dueAtMs: sql`${watches.dueAtMs} + ${$.byMs}`,
    }),
  ),
  /** As it is now; none once it was erased. */
  version: read(($: Placeholders<{ rowId: number }>) =>
    select(sentVersion)
      .from(operations)
      .where(and(eq(operations.rowId, $.rowId), isNotNull(operations.body))),
  ),
  /** The newest first. */
  earlierVersions: read(($: Placeholders<{ rowId: number }>) =>
    select(pick(earlierVersions, ...versioned, 'body'))
      .from(earlierVersions)
      .where(eq(earlierVersions.rowId, $.rowId))
      .orderBy(desc(earlierVersions.bodyVersion)),
  ),
  putBack: write(($: Placeholders<Pick<NewOperation, 'rowId' | keyof typeof putBack>>) =>
    query
      .update(operations)
      .set({
        ...given(putBack, $),
        // What was decided was about the request in whose place it comes.
        ...nulls(pick(operations, 'decision', 'decidedAtMs')),
        bodyVersion: sql`${operations.bodyVersion} + 1`,
      })
      .where(eq(operations.rowId, $.rowId)),
  ),
  setFound: write(($: Placeholders<Pick<typeof operations.$inferSelect, 'rowId' | 'found'>>) =>
    query
      .update(operations)
      .set(given(pick(operations, 'found'), $))
      .where(eq(operations.rowId, $.rowId)),
  ),
  foundCount: read(() => select({ count: sql<number>`count(*)` }).from(operations).where(isFound)),
  droppedReversal: read(($: Placeholders<{ rowId: number }>) =>
    select(pick(operations, 'rowId'))
      .from(operations)
      .where(and(eq(operations.reversesRowId, $.rowId), eq(operations.state, 'cancelled')))
      .orderBy(desc(operations.rowId))
      .limit(1),
  ),
  defer: write(($: Placeholders<{ rowId: number }>) =>
    query
      .update(operations)
      .set({ delivery: 'deferred' })
      .where(and(eq(operations.rowId, $.rowId), inArray(operations.state, ['queued', 'sending', 'unknown']))),
  ),
};
