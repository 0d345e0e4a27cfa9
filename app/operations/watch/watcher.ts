import type { Clock } from '../../../shared/lib/clock.ts';
import { hourMs } from '../../../shared/lib/durations.ts';
import type { OperationState } from '../../../shared/machines/operation.ts';
import type { Line } from '../../line/line.ts';
import { ClockJump } from '../../machine/clock-jump.ts';
import type { Writer } from '../../store/database/writer.ts';
import { linesOfRequest } from '../../store/rows/request-lines.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { Watch } from '../../store/tables/watch-store.ts';
import type { Sender } from '../delivery/sender.ts';
import type { Desk } from '../immediate/desk.ts';
import { Rounds } from '../immediate/rounds.ts';
import { mayHaveArrived } from '../ownership/first-send.ts';
import type { Ownership } from '../ownership/ownership.ts';
import type { RecordedVersion } from '../ownership/recorded-version.ts';
import type { ToldRecord } from '../ownership/same-record.ts';
import type { OwnedRow } from '../ownership/verdict.ts';
import { asksForTheSame } from '../requests/same-request.ts';
import { type LateSuccessParts, settleFound } from './late-success.ts';
import { lookUpBooks } from './look-up-books.ts';
import { isOlderThanCopy, wasEverSent } from './unsent-in-copy.ts';

interface WatcherOptions extends Omit<LateSuccessParts, 'nowMs'> {
  readonly writer: Writer;
  readonly clock: Clock;
  readonly line: Line;
  /** While it works off a backlog there is a single look at a time. */
  readonly sender: Pick<Sender, 'isBusy'>;
  /** Knows for which rows somebody waits, and which were sent under the key of this run. */
  readonly desk: Pick<Desk, 'isServing' | 'isUnderThisKey'>;
  /** So long after its last change the customer of an operation may be known. */
  readonly retentionMs: number;
  readonly ownership: Ownership;
  /** Told after the commit. */
  readonly onChanged: (rowIds: readonly number[]) => void;
  readonly onFound: (operation: Operation) => void;
  readonly onWriteFailed: (error: unknown) => void;
}

/** What a look has learned. `unread`: nothing. */
type Look = RecordedVersion | 'absent' | 'unread';

const looksAtOnce = 4;
/** A look that learned nothing is made again after so long; one of a row that is under way, too. */
const againMs = 120_000;
/** A look into the books of another key counts as none, and is made again after so long. */
const otherKeyAgainMs = hourMs;
const leastSleepMs = 100;
const busySleepMs = 1_000;

/**
 * Looks operations up again that count as not recorded while their bytes may still arrive (design
 * "Promises", 7). What is due stands in the database, so that no restart forgets it and nothing of it is held in memory.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #rounds: Rounds;
  readonly #jump: ClockJump;

  constructor(options: WatcherOptions) {
    this.#options = options;
    const { clock, line, sender, stores, onWriteFailed } = options;
    this.#jump = new ClockJump(clock);
    this.#rounds = new Rounds({
      clock,
      line,
      work: () => this.#work(),
      nextAtMs: () => stores.operations.watches.nextAtMs(),
      leastSleepMs: () => (sender.isBusy ? busySleepMs : leastSleepMs),
      onFailed: onWriteFailed,
    });
  }

  /** Something was refused or written off: its look may be the next one. */
  plan(): void {
    this.#rounds.plan();
  }

  /** There may be something to look up: the line is back, or a look is due. */
  wake(): void {
    this.#rounds.wake();
  }

  /**
   * Whether an operation stands at the service as it is, or as it was before it was changed.
   *
   * @returns null when nobody knows
   */
  async holdsAnyVersion(operation: Operation): Promise<boolean | null> {
    const look = await this.#read(operation);
    if (look === 'unread') return null;
    return look !== 'absent' && look.record.status !== 'failed';
  }

  /** No later start could know that somebody has set the clock since the last round. */
  async close(): Promise<void> {
    await this.#rounds.close();
    await this.#followTheClock().catch(this.#options.onWriteFailed);
  }

  async #work(): Promise<void> {
    const { stores, clock, line, sender } = this.#options;
    await this.#followTheClock();
    for (;;) {
      if (!this.#rounds.mayGoOn) return;
      const due = stores.operations.watches.due(clock.now(), sender.isBusy || line.gate === 'trial' ? 1 : looksAtOnce);
      await Promise.all(due.map((watch) => this.#look(watch)));
      if (due.length === 0 || this.#rounds.hasFailed || sender.isBusy) return;
    }
  }

  /** What waits, waits for time to pass: a wall clock that somebody sets moves it along. */
  async #followTheClock(): Promise<void> {
    const { stores, writer } = this.#options;
    const { byMs } = this.#jump;
    if (byMs === 0) return;
    await writer.lazy(() => stores.operations.watches.shift(byMs));
    this.#jump.followed(byMs);
  }

  async #look(watch: Watch): Promise<void> {
    const { stores, writer, desk } = this.#options;
    const { watches } = stores.operations;
    try {
      const operation = stores.operations.operation(watch.rowId);
      if (operation === null || ends.has(operation.state)) {
        await writer.lazy(() => watches.end(watch.rowId));
        return;
      }
      if (!looked.has(operation.state) || desk.isServing(watch.rowId)) return await this.#postpone(watch);
      const look = await this.#read(operation, watch);
      if (look === 'unread') return await this.#postpone(watch);
      if (look === 'absent' && !desk.isUnderThisKey(watch.rowId)) await this.#waitForItsKey(watch, operation);
      else if (look === 'absent') await writer.lazy(() => watches.looked(watch, this.#options.clock.now()));
      else await this.#settle(watch, look);
    } catch (error) {
      this.#rounds.failed(error);
    }
  }

  /** That key may never come back: no longer than the customer may be known. */
  async #waitForItsKey(watch: Watch, { updatedAtMs }: Operation): Promise<void> {
    const { stores, writer, line, retentionMs } = this.#options;
    const restMs = updatedAtMs + retentionMs - line.provenNowMs();
    if (restMs > 0) return this.#postpone(watch, Math.min(otherKeyAgainMs, restMs));
    await writer.lazy(() => stores.operations.watches.end(watch.rowId));
  }

  async #settle(watch: Watch, look: RecordedVersion): Promise<void> {
    const { stores, writer, clock, newRows, ownership, onChanged, onFound } = this.#options;
    const isSurelyOwn = ownership.isSurelyOwn(look.row, look.record);
    const nowMs = clock.now();
    const touched = await writer.urgent(() => {
      const operation = stores.operations.operation(watch.rowId);
      return operation === null ? [] : settleFound({ stores, newRows, nowMs }, operation, { ...look, isSurelyOwn });
    });
    if (touched.length > 0) onChanged([...new Set(touched)]);
    const operation = stores.operations.operation(watch.rowId);
    if (operation !== null && touched.includes(watch.rowId)) onFound(operation);
  }

  /**
   * Reads the books, and makes sure that what they show is this operation.
   *
   * @param watch for which it is read; null: for none
   */
  async #read(operation: Operation, watch: Watch | null = null): Promise<Look> {
    const { stores, line, ownership } = this.#options;
    const nowMs = line.serviceNowMs();
    const history = stores.operations.history(operation.rowId);
    // What was taken back since, is no witness of the copy.
    const copied = watch?.why === 'put_back' && operation.updatedAtMs < watch.sinceMs ? watch : null;
    const versions = stores.operations.watches.versions(operation.rowId);
    // What came of one request under the number says nothing of another one.
    const linesOf = (row: OwnedRow) =>
      linesOfRequest(history, versions, (version) => asksForTheSame(version, row, row.intent));
    const maybeSent = (row: OwnedRow) => copied !== null || mayHaveArrived(linesOf(row));
    const unsentUntilMs = (row: OwnedRow) =>
      copied === null || wasEverSent(linesOf(row)) ? Number.NEGATIVE_INFINITY : this.#knownUntilMs(copied);
    const isOfAnotherTime = (row: OwnedRow, record: ToldRecord) =>
      isOlderThanCopy(row, record, unsentUntilMs(row)) ||
      // Each try was refused, so that nothing of it is on its way: only what was noted at one of them can be its own.
      (!row.maybeSent && !ownership.mayBeOfOwnSend(row, record));
    const books = await lookUpBooks({ ...stores, line }, operation, (sent, record) => {
      const row = { ...sent, maybeSent: maybeSent(sent) };
      return isOfAnotherTime(row, record) ? ['occurred_at'] : ownership.differing(row, record, nowMs);
    });
    if (books === null) return 'unread';
    let look: Look = 'absent';
    for (const found of books.candidates) {
      // It was said not to be there: of somebody who is no customer now nothing says that it is.
      const row = { ...found.row, maybeSent: maybeSent(found.row) };
      const asking = { nowMs, isWaitedFor: false, isStrangerOurs: false };
      const verdict = await ownership.ofRecord(row, found.record, asking);
      if (verdict.kind === 'ours') return found;
      // A reversal whose original stands for good is another's: that look counts.
      if (verdict.kind === 'unknown' || verdict.kind === 'undecided') look = 'unread';
    }
    return look;
  }

  /** Until when a copy of the database that was put back knows everything, by the service's clock. */
  #knownUntilMs(watch: Watch): number {
    const { operations } = this.#options.stores;
    return operations.watches.knownBeforePutBackMs(watch, operations.lastRowIdBefore) ?? Number.NEGATIVE_INFINITY;
  }

  async #postpone(watch: Watch, byMs = againMs): Promise<void> {
    const { stores, writer, clock } = this.#options;
    await writer.lazy(() => stores.operations.watches.postpone(watch, clock.now(), byMs));
  }
}

/** States in which the books are asked; in others it is under way. */
const looked: ReadonlySet<OperationState> = new Set(['refused', 'cancelled', 'written_off', 'applied']);
/** Nothing more can come: its reference is used up. */
const ends: ReadonlySet<OperationState> = new Set(['failed', 'reversed']);
