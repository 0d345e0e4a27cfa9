import type { Clock } from '../../../shared/lib/clock.ts';
import { isInTheBooks } from '../../../shared/machines/operation-intents.ts';
import type { Line } from '../../line/line.ts';
import type { Writer } from '../../store/database/writer.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { RowStore } from '../../store/tables/row-store.ts';
import type { Desk } from './desk.ts';
import { longestLookMs, lookAgainMs, nextStep } from './immediate-settlement.ts';
import { Rounds } from './rounds.ts';

interface ResolverOptions {
  readonly rows: RowStore;
  readonly writer: Writer;
  readonly desk: Desk;
  readonly clock: Clock;
  /** The clock by which waits are reckoned (`evenClock`). */
  readonly waits: Clock;
  readonly line: Line;
  readonly onWriteFailed: (error: unknown) => void;
}

const rowsAtOnce = 16;
/** A look may begin this much earlier than planned: the clock of a test stands still. */
const leastSleepMs = 100;

/**
 * Finds out what became of immediate writes whose caller no longer waits: it reads the books, and then ends or finishes
 * the write as the cashier chose (design "Unknown outcomes of immediate operations"). It sends again only what the cashier
 * chose to give, a release, and a reversal whose original is reversed already: of these a repeat does no harm.
 */
export class Resolver {
  readonly #options: ResolverOptions;
  readonly #rounds: Rounds;
  readonly #looks = new Map<number, number>();
  /** By row: when this run first looked at it, by monotonic time, and after how many attempts. Another attempt begins anew. */
  readonly #firstLooks = new Map<number, { readonly attempts: number; readonly atMs: number }>();

  constructor(options: ResolverOptions) {
    this.#options = options;
    const { waits, line, rows, onWriteFailed } = options;
    this.#rounds = new Rounds({
      clock: waits,
      line,
      work: () => this.#work(),
      nextAtMs: () => rows.nextLookUpAtMs(),
      leastSleepMs: () => leastSleepMs,
      onFailed: onWriteFailed,
    });
  }

  /** Plans the next look again: another outcome may have become unknown. */
  plan(): void {
    this.#rounds.plan();
  }

  /** Looks now: the line is back, a caller has gone, or a cashier has chosen. */
  wake(): void {
    this.#rounds.wake();
  }

  close(): Promise<void> {
    return this.#rounds.close();
  }

  async #work(): Promise<void> {
    const { rows, desk, waits } = this.#options;
    for (const { rowId } of rows.lookUpsDue(waits.now(), longestLookMs, rowsAtOnce)) {
      if (!this.#rounds.mayGoOn) return;
      // The row is read anew: the looks before it took time, and somebody may have sent it again meanwhile.
      const row = desk.unknownNow(rowId);
      if (row === null) continue;
      // A row that cannot be written must not keep the others back.
      await this.#resolve(row).catch((error: unknown) => {
        this.#rounds.failed(error);
        return this.#postpone(rowId);
      });
    }
  }

  async #resolve(row: Operation): Promise<void> {
    const { desk, clock } = this.#options;
    const { rowId, intent, decision } = row;
    // For a row that an earlier run sent, only the time since this run's first look is sure.
    const surelyMs = desk.sinceLastSendMs(rowId) ?? this.#sinceFirstLookMs(row);
    const passed = { surelyMs, byWallClockMs: clock.now() - row.updatedAtMs };
    if (isInTheBooks(intent)) {
      const step = nextStep({ intent, decision, passed, isTakenBack: false });
      const isFinal = step === 'cancel' && desk.isUnderThisKey(rowId);
      const shown = await desk.lookUp(rowId, { isWaitedFor: false, isFinal });
      if (shown === 'known') return this.#forget(rowId);
      if (shown === 'unsure') return this.#postpone(rowId);
    }
    // Another key may have other books: a row that they do not show may be recorded all the same.
    if (!desk.isUnderThisKey(rowId)) return this.#postpone(rowId);
    const isTakenBack = intent === 'reverse' && (await desk.isTakenBack(rowId));
    // Somebody may have decided while the row was looked up.
    const now = desk.unknownNow(rowId);
    if (now?.attempts !== row.attempts) return this.#postpone(rowId);
    switch (nextStep({ intent, decision: now.decision, passed, isTakenBack })) {
      case 'cancel':
        return (await desk.cancelAbsent(now)) ? this.#forget(rowId) : this.#postpone(rowId);
      case 'send':
        await desk.sendAgain(rowId);
        return this.#postpone(rowId);
      case 'wait':
        return this.#postpone(rowId);
    }
  }

  async #postpone(rowId: number): Promise<void> {
    const { rows, writer, waits } = this.#options;
    const looks = this.#looks.get(rowId) ?? 0;
    this.#looks.set(rowId, looks + 1);
    await writer.lazy(() => rows.postpone(rowId, waits.now() + lookAgainMs('alone', looks)));
  }

  #sinceFirstLookMs({ rowId, attempts }: Pick<Operation, 'rowId' | 'attempts'>): number {
    const nowMs = this.#options.clock.monotonicMs();
    const known = this.#firstLooks.get(rowId);
    const first = known?.attempts === attempts ? known : { attempts, atMs: nowMs };
    this.#firstLooks.set(rowId, first);
    return nowMs - first.atMs;
  }

  #forget(rowId: number): void {
    this.#looks.delete(rowId);
    this.#firstLooks.delete(rowId);
  }
}
