import type { Database } from 'better-sqlite3';
import { errorCode } from '../../../shared/lib/error-code.ts';
import { operationStates } from '../../../shared/machines/operation.ts';
import { prepareAll } from '../../sql/prepare.ts';
import { afterwardsStatements, suspicionStatements } from '../statements/carry-over.ts';
import { countsIn } from '../tables/counts.ts';
import { isTable } from '../versions/table-columns.ts';
import { carryDayCloses } from './carried-days.ts';
import { carryPeople } from './carried-people.ts';
import { type CarryNote, CarryTarget, suspect } from './carry-target.ts';
import { carryLastKey, lastKeyIn } from './last-key.ts';
import { carryWatches, watchPutBack } from './put-back.ts';
import { type AnyRow, numberOf, readableRows } from './readable-rows.ts';
import { withRowsInLog } from './rows-in-log.ts';

/** What became of the rows of another database. */
export interface CarriedOver {
  /** Operations that were not here and now are. */
  readonly carried: number;
  /** Operations that were here as they had been earlier, and are now as they were there. */
  readonly renewed: number;
  /** Operations that are known to have been there and could not be read; null when nobody knows how many. */
  readonly unreadable: number | null;
}

export interface CarriedRows extends CarriedOver {
  /** Rows of `into` that are refused, and were so in the other database. */
  readonly refusedRowIds: ReadonlySet<number>;
  /** References in `into` that have given way to operations of the other database, and what takes those back. */
  readonly gaveWay: readonly string[];
  /**
   * References of operations that stay in the other database alone, because `into` has another one under them, and of what
   * takes those back.
   */
  readonly leftBehind: readonly string[];
}

/**
 * Takes the operations of a database into another: after damage, what can still be read; after a restore, what was
 * saved since the backup. What may have been sent without it standing there becomes `unknown`: it is sent again as it
 * is, or looked up, and never cancelled or corrected before that. May be run again after a crash.
 *
 * @param views of the one database; more than one when its log is broken: as it was before the break, and with what can
 * be read behind it
 * @param note.reason stands in the history of each operation that it changes. Null: into a copy that is nobody's database
 * yet, as it stands; what is to be suspected, and whom the till knows, is decided when that takes a place
 * @param inLog operations of that database to which none of the views need lead
 */
export function carryOver(
  views: Iterable<Database>,
  into: Database,
  note: CarryNote | null,
  inLog: readonly AnyRow[] = [],
): CarriedRows {
  const sum = { carried: 0, renewed: 0, failed: 0 };
  const read = new Set<string>();
  const refusedRowIds = new Set<number>();
  const gaveWay: string[] = [];
  const leftBehind = new Set<string>();
  let expected: number | null = null;
  for (const from of views) {
    const view = carryViewOrNothing(from, into, { note, inLog });
    if (view === null) continue;
    sum.carried += view.carried;
    sum.renewed += view.renewed;
    sum.failed += view.failed;
    for (const operationId of view.read) read.add(operationId);
    for (const rowId of view.refusedRowIds) refusedRowIds.add(rowId);
    gaveWay.push(...view.gaveWay);
    for (const reference of view.leftBehind) leftBehind.add(reference);
    if (view.expected !== null) expected = Math.max(expected ?? 0, view.expected);
  }
  const { carried, renewed, failed } = sum;
  const unreadable = expected === null ? null : Math.max(0, expected - read.size, failed);
  return { carried, renewed, unreadable, refusedRowIds, gaveWay, leftBehind: [...leftBehind] };
}

/** What one view has brought. */
interface CarriedView {
  readonly carried: number;
  readonly renewed: number;
  /** Rows whose page could be read and whose content is not a row of ours. */
  readonly failed: number;
  /** Operation ids. */
  readonly read: ReadonlySet<string>;
  readonly refusedRowIds: ReadonlySet<number>;
  readonly gaveWay: readonly string[];
  readonly leftBehind: readonly string[];
  /** How many there were, by the counts that are kept; null when they cannot be read. */
  readonly expected: number | null;
}

interface Carried {
  readonly note: CarryNote | null;
  readonly inLog: readonly AnyRow[];
}

/** @returns null when its operations cannot be read at all; nothing of it is carried over then */
function carryViewOrNothing(from: Database, into: Database, what: Carried): CarriedView | null {
  try {
    return into.transaction(() => carryView(from, into, what))();
  } catch (error) {
    if (isOfTheDisk(error)) throw error;
    return null;
  }
}

function carryView(from: Database, into: Database, { note, inLog }: Carried): CarriedView {
  const tally = { carried: 0, renewed: 0, failed: 0 };
  const read = new Set<string>();
  const refusedRowIds = new Set<number>();
  const links: {
    readonly fromRowId: number;
    readonly reference: string;
    readonly rowId: number;
    readonly isNew: boolean;
    readonly reverses: number | null;
    readonly replaces: number | null;
  }[] = [];
  const newRowIds = new Map<number, number>();
  const broughtRowIds = new Set<number>();
  const gaveWay: string[] = [];
  const leftBehind: string[] = [];
  /** In `from`. */
  const leftRowIds = new Set<number>();
  if (!isTable(from, 'operations')) throw new Error('What is called operations is no table');
  const target = new CarryTarget(into, { from, note, hasRowsInLog: inLog.length > 0 });
  const rows = withRowsInLog(readableRows(from, { table: 'operations', key: 'row_id' }), inLog);
  for (const row of rows) {
    try {
      const holder = note?.takesReferences === true ? target.otherHolder(row) : null;
      // What this very database has brought stays.
      const isInTheWay = holder !== null && !broughtRowIds.has(holder);
      const { gone, ...taken } = isInTheWay ? target.takeThePlaceOf(holder, row) : { ...target.takeIn(row), gone: [] };
      gaveWay.push(...gone);
      broughtRowIds.add(taken.rowId);
      newRowIds.set(Number(row.row_id), taken.rowId);
      read.add(String(row.operation_id));
      if (taken.isRefused) refusedRowIds.add(taken.rowId);
      if (taken.kind === 'known') continue;
      tally[taken.kind] += 1;
      links.push({
        fromRowId: Number(row.row_id),
        reference: String(row.external_ref),
        rowId: taken.rowId,
        isNew: taken.kind === 'carried',
        reverses: numberOf(row.reverses_row_id),
        replaces: numberOf(row.replaces_row_id),
      });
    } catch (error) {
      if (isOfTheDisk(error)) throw error;
      if (errorCode(error) === 'SQLITE_CONSTRAINT_UNIQUE' && target.otherHolder(row) !== null) {
        read.add(String(row.operation_id));
        leftRowIds.add(Number(row.row_id));
        leftBehind.push(String(row.external_ref));
        continue;
      }
      tally.failed += 1;
    }
  }
  for (const link of links) {
    // Its request names its original by reference, and would take back the one that is here under it.
    if (link.isNew && link.reverses !== null && leftRowIds.has(link.reverses)) {
      target.remove(link.rowId);
      newRowIds.delete(link.fromRowId);
      leftRowIds.add(link.fromRowId);
      tally.carried -= 1;
      leftBehind.push(link.reference);
      continue;
    }
    const { rowId, reverses, replaces } = link;
    target.link({ rowId, reversesRowId: mapped(newRowIds, reverses), replacesRowId: mapped(newRowIds, replaces) });
  }
  if (note !== null) {
    carryPeople(from, into);
    carryLastKey(from, into);
  }
  const newHere = new Set(links.filter(({ isNew }) => isNew).map(({ rowId }) => rowId));
  carryDayCloses(from, into, { newRowIds, leftRowIds, broughtRowIds: newHere });
  carryWatches(from, into, newRowIds);
  recount(into);
  return { ...tally, read, refusedRowIds, gaveWay, leftBehind, expected: expectedCount(from) };
}

/**
 * Of a database that was brought back from an earlier time: what waits there may have been sent since.
 *
 * @param known.refusedRowIds known to be refused to this day
 */
export function suspectWaiting(
  into: Database,
  note: Pick<CarryNote, 'atMs' | 'reason'>,
  { refusedRowIds }: Pick<CarriedRows, 'refusedRowIds'>,
): void {
  into.transaction(() => {
    const statements = prepareAll(into, suspicionStatements);
    const doubt = { ...note, lastKey: lastKeyIn(into) };
    for (const { rowId } of statements.notProven.all()) {
      if (!refusedRowIds.has(rowId)) suspect(statements, rowId, doubt);
    }
    watchPutBack(into, note.atMs);
    recount(into);
  })();
}

/**
 * How many operations there were, by the counts that are kept beside them; null when one of those is lost, or when some
 * are counted by looking at their rows and the rows cannot be trusted.
 */
function expectedCount(from: Database): number | null {
  try {
    const counts = countsIn(from);
    const isOfRows = counts.some(({ behind }) => behind > 0);
    if (isOfRows && from.pragma(`quick_check('operations')`, { simple: true }) !== 'ok') return null;
    return counts.length < operationStates.length ? null : counts.reduce((sum, { count }) => sum + count, 0);
  } catch {
    return null;
  }
}

function recount(into: Database): void {
  const statements = prepareAll(into, afterwardsStatements);
  statements.recount.run();
  statements.noteCountedThrough.run();
  statements.noteLastRowId.run();
}

function mapped(newRowIds: ReadonlyMap<number, number>, rowId: number | null): number | null {
  return rowId === null ? null : (newRowIds.get(rowId) ?? null);
}

/** The new database cannot be written, which says nothing of the row. */
function isOfTheDisk(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|NOMEM|READONLY|BUSY|CANTOPEN)/.test(errorCode(error));
}
