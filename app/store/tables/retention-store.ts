import type { Database } from 'better-sqlite3';
import { prepareAll } from '../../sql/prepare.ts';
import { emptyLog } from '../files/empty-log.ts';
import { erasedWords } from '../schema/erased-words.ts';
import { lastStatements } from '../statements/last.ts';
import { retentionStatements } from '../statements/retention.ts';

/** A database of this size is written again in a fraction of a second; a larger one would keep a sale waiting. */
const mostRewrittenBytes = 64 * 1024 * 1024;

/**
 * One look for a time that the service has told reads no more rows than this: a sale may wait for it, and their pages stay
 * in memory.
 */
const rowsPerLook = 2_000;

/** Erases who the customers were from operations that are long over; what was earned and spent stays. */
export class RetentionStore {
  readonly #database: Database;
  readonly #statements;
  /** Where the next look for a told time begins; null: at the newest row. */
  #lookThroughRowId: number | null = null;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepareAll(database, { ...retentionStatements, ...lastStatements });
  }

  /** Whether there is anything to erase among these rows: a commit that changes nothing would write all the same. */
  hasErasable(rows: { readonly from: number; readonly to: number }, settledBeforeMs: number): boolean {
    return this.#statements.firstErasable.get({ ...rows, beforeMs: settledBeforeMs }) !== null;
  }

  /**
   * Inside a transaction of the Writer.
   *
   * @param why what is left in the place of an error's words
   * @returns how many operations were erased among these rows
   */
  erase(
    rows: { readonly from: number; readonly to: number },
    settledBeforeMs: number,
    why: keyof typeof erasedWords = 'retention_time',
  ): number {
    return this.#statements.erase.run({ ...rows, beforeMs: settledBeforeMs, message: erasedWords[why] });
  }

  /** The operation that was saved last; null when there is none. */
  get last(): { readonly rowId: number; readonly savedAtMs: number } | null {
    return this.#statements.last.get();
  }

  /**
   * Looks for the newest operation of which the service has told when it had applied it: further among the older rows where
   * the last look found none, and among the newest again after one that did, or that came to the end.
   *
   * @returns that time, milliseconds since 1970; null: not found yet
   */
  lookForToldMs(): number | null {
    const throughRowId = this.#lookThroughRowId ?? this.last?.rowId ?? 0;
    const afterRowId = throughRowId - rowsPerLook;
    const found = this.#statements.lastCompleted.get({ afterRowId, throughRowId });
    this.#lookThroughRowId = found === null && afterRowId > 0 ? afterRowId : null;
    return found?.completedAtMs ?? null;
  }

  /**
   * Removes what was erased from the file and its log too, outside of any transaction: when SQLite moves rows from page
   * to page it leaves copies in the gaps, `secure_delete` or not. A large file keeps those until they are overwritten.
   *
   * @returns false while another program reads the database: the log is as it was
   */
  tidy(): boolean {
    const [pages, free, pageBytes] = ['page_count', 'freelist_count', 'page_size'].map((fact) =>
      Number(this.#database.pragma(fact, { simple: true })),
    );
    const usedBytes = ((pages ?? 0) - (free ?? 0)) * (pageBytes ?? 0);
    if (usedBytes <= mostRewrittenBytes) this.#database.exec('VACUUM');
    return emptyLog(this.#database);
  }
}
