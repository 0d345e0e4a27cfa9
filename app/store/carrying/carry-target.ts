import type { Database, Statement } from 'better-sqlite3';
import { type Prepared, prepareAll } from '../../sql/prepare.ts';
import { erasedWords } from '../schema/erased-words.ts';
import { decisions } from '../schema/operation-values.ts';
import { carryOverStatements, ownColumns, suspicionStatements, toldByRow } from '../statements/carry-over.ts';
import { lastStatements } from '../statements/last.ts';
import { retentionStatements } from '../statements/retention.ts';
import { commonColumns } from '../versions/table-columns.ts';
import { lastKeyIn } from './last-key.ts';
import { type AnyRow, numberOf } from './readable-rows.ts';

/** What stands in the history of operations that another database has brought. */
export interface CarryNote {
  readonly atMs: number;
  readonly reason: string;
  /**
   * What the other database shows as refused is the last word on it: nobody has sent it again since. A person decides
   * about it there as here; sent again by itself it could be a second sale beside the one that was entered in its place.
   */
  readonly keepsRefusals: boolean;
  /**
   * Two tills may have numbered their receipts alike. What this till took under a reference stays under it, and what
   * stands here of another operation gives way: it is in the backup that it came from.
   */
  readonly takesReferences: boolean;
}

/** What became of a row of the other database. */
interface Taken {
  readonly kind: 'carried' | 'renewed' | 'known';
  readonly rowId: number;
  /** In both databases, from now on. */
  readonly isRefused: boolean;
}

const targetStatements = { ...carryOverStatements, ...lastStatements, erase: retentionStatements.erase };

/**
 * The database into which the operations of another one are taken, row by row. Which columns both have is known only when
 * both are open: what copies rows is SQL that is made then.
 */
export class CarryTarget {
  readonly #into: Database;
  readonly #from: Database;
  readonly #note: CarryNote | null;
  readonly #lastKey: string | null;
  readonly #columns: readonly string[];
  readonly #eventColumns: readonly string[];
  readonly #statements: Prepared<typeof targetStatements>;
  readonly #suspicion: Prepared<typeof suspicionStatements>;
  readonly #insertRow: Statement;
  readonly #renewRow: Statement;
  readonly #insertEvent: Statement;
  #events: Statement<[number], AnyRow> | null = null;

  /** @param source.note null: operations are taken in as they stand, and none is suspected */
  constructor(
    into: Database,
    source: { readonly from: Database; readonly note: CarryNote | null; readonly hasRowsInLog: boolean },
  ) {
    const { from, note, hasRowsInLog } = source;
    this.#into = into;
    this.#from = from;
    this.#note = note;
    this.#lastKey = lastKeyIn(from) ?? lastKeyIn(into);
    // What only the log holds may have columns that an older file does not have yet.
    const common = (hasRowsInLog ? ownColumns.operations : commonColumns(from, into, 'operations')).filter(
      (name) => !['row_id', 'reverses_row_id', 'replaces_row_id'].includes(name),
    );
    // What tells the history goes with the rows, as its events do: where the one has no such columns, it has the events.
    const columns = [...new Set([...common, ...toldByRow.columns])];
    const eventColumns = commonColumns(from, into, 'operation_events').filter((name) => name !== 'row_id');
    this.#columns = columns;
    this.#eventColumns = eventColumns;
    this.#statements = prepareAll(into, targetStatements);
    this.#suspicion = prepareAll(into, suspicionStatements);
    this.#insertRow = into.prepare(
      `INSERT INTO operations (row_id, ${columns.join(', ')}) VALUES (?, ${columns.map(() => '?').join(', ')})`,
    );
    this.#renewRow = into.prepare(
      `UPDATE operations SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE row_id = ?`,
    );
    this.#insertEvent = into.prepare(
      `INSERT OR IGNORE INTO operation_events (${['row_id', ...eventColumns].join(', ')})
       VALUES (${['?', ...eventColumns.map(() => '?')].join(', ')})`,
    );
  }

  /** @returns the row id of another operation that stands under the reference; null when none does */
  otherHolder(row: AnyRow): number | null {
    const { known, holder } = this.#statements;
    if (known.get({ operationId: String(row.operation_id) }) !== null) return null;
    return holder.get({ externalRef: String(row.external_ref), intent: String(row.intent) })?.rowId ?? null;
  }

  /** Takes in an operation that is not here yet, or is here as it had been earlier. */
  takeIn(row: AnyRow): Taken {
    const here = this.#statements.known.get({ operationId: String(row.operation_id) });
    if (here === null) return this.#insert(row);
    if (Number(row.version) > here.version) return this.#renew(here.rowId, row);
    const isSameVersion = row.version === here.version;
    if (isSameVersion) this.#takeWhatChangesNoVersion(here.rowId, row);
    return { kind: 'known', rowId: here.rowId, isRefused: isSameVersion && row.state === 'refused' };
  }

  /**
   * A row that is no operation of ours takes nobody's place. What takes back the one that stands there goes with it: its
   * request names its original by reference, and would take back ours.
   *
   * @returns with the references of all that is gone
   */
  takeThePlaceOf(rowId: number, row: AnyRow): Taken & { readonly gone: readonly string[] } {
    const { reversalsOf, remove } = this.#statements;
    return this.#into.transaction(() => {
      const reversals = reversalsOf.all({ rowId });
      for (const reversal of reversals) remove.run({ rowId: reversal.rowId });
      this.remove(rowId);
      const gone = [String(row.external_ref), ...reversals.map(({ externalRef }) => externalRef)];
      return { ...this.takeIn(row), gone };
    })();
  }

  remove(rowId: number): void {
    this.#statements.unlink.run({ rowId });
    this.#statements.remove.run({ rowId });
  }

  /** Has a row name its original, and the operation whose place it takes, by the row ids that they have here. */
  link(row: { readonly rowId: number; readonly reversesRowId: number | null; readonly replacesRowId: number | null }) {
    this.#statements.link.run(row);
  }

  #insert(row: AnyRow): Taken {
    const { byRowId, last } = this.#statements;
    const wanted = Number(row.row_id);
    const rowId = byRowId.get({ rowId: wanted }) === null ? wanted : (last.get()?.rowId ?? 0) + 1;
    this.#insertRow.run(rowId, ...this.#valuesOf(row));
    this.#copyEvents(wanted, rowId);
    this.#suspectIfDoubted(rowId, row);
    return { kind: 'carried', rowId, isRefused: row.state === 'refused' };
  }

  #renew(rowId: number, row: AnyRow): Taken {
    this.#renewRow.run(...this.#valuesOf(row), rowId);
    this.#statements.forgetEvents.run({ rowId });
    this.#copyEvents(Number(row.row_id), rowId);
    this.#suspectIfDoubted(rowId, row);
    return { kind: 'renewed', rowId, isRefused: row.state === 'refused' };
  }

  /** A decision, and that the customer was erased: either may stand in one of two rows of the same version alone. */
  #takeWhatChangesNoVersion(rowId: number, row: AnyRow): void {
    const { takeDecision, erase } = this.#statements;
    const decision = decisions.find((one) => one === row.decision);
    // Where something was decided here, that stands.
    if (decision !== undefined) takeDecision.run({ rowId, decision, decidedAtMs: numberOf(row.decided_at) });
    // Who was erased must not come back with a restore.
    if (row.body === null) {
      const only = { from: rowId, to: rowId + 1, beforeMs: Number.MAX_SAFE_INTEGER };
      const isOnRequest = String(row.error).includes(erasedWords.request);
      erase.run({ ...only, message: erasedWords[isOnRequest ? 'request' : 'retention_time'] });
    }
  }

  #suspectIfDoubted(rowId: number, row: AnyRow): void {
    const note = this.#note;
    const isDoubted = note !== null && !(row.state === 'refused' && note.keepsRefusals);
    if (isDoubted) suspect(this.#suspicion, rowId, { ...note, lastKey: this.#lastKey });
  }

  #copyEvents(fromRowId: number, rowId: number): void {
    const columns = this.#eventColumns;
    let history: readonly AnyRow[] = [];
    if (columns.length === 0) return;
    try {
      this.#events ??= this.#from.prepare<[number], AnyRow>(
        'SELECT * FROM operation_events WHERE row_id = ? ORDER BY version',
      );
      history = this.#events.all(fromRowId);
    } catch {
      // The operation counts; its history may be lost with a page.
    }
    for (const event of history) this.#insertEvent.run(rowId, ...columns.map((name) => event[name] ?? null));
  }

  #valuesOf(row: AnyRow) {
    return this.#columns.map((name) => row[name] ?? null);
  }
}

/**
 * Marks an operation as one that may have been sent without it standing here, unless what stands here proves otherwise.
 *
 * @param doubt.lastKey under which it may have been sent, where no send of it stands here
 */
export function suspect(
  { insertEvent, suspect: mark }: Prepared<typeof suspicionStatements>,
  rowId: number,
  { atMs, reason, lastKey }: Pick<CarryNote, 'atMs' | 'reason'> & { readonly lastKey: string | null },
): void {
  if (insertEvent.run({ rowId, atMs, reason, lastKey }) > 0) mark.run({ rowId, updatedAtMs: atMs, lastKey });
}
