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
  /** By which waits are kept (`evenClock`). */
  readonly waits: Clock;
  readonly line: Line;
  readonly onWriteFailed: (error: unknown) => void;
}

const rowsAtOnce = 16;
/** A look may begin this much earlier than planned: the clock of a test stands still. */
const leastSleepMs = 100;

/**
 * Finds out what became of immediate writes whose caller no longer waits: it reads, and ends or finishes them as was
 * decided. It never sends again what nobody has decided to give (design "Unknown outcomes of immediate operations").
 */
export class Resolver {
  readonly #options: ResolverOptions;
  readonly #rounds: Rounds;
  readonly #looks = new Map<number, number>();
  /** By row: when it was looked at first, by monotonic time, after how many attempts. Whoever repeats it sends it again. */
  readonly #firstLooks = new Map<number, { readonly attempts: number; readonly atMs: number }>();

  constructor(options: ResolverOptions) {
    this.#options = options;
    const { waits, line, rows, onWriteFailed } = options;
    this.#rounds = new Rounds({
      clock: waits,
      line,
      work: () => this.#work(),
      nextAtMs: () => rows.nextUnknownAtMs(),
      leastSleepMs: () => leastSleepMs,
      onFailed: onWriteFailed,
    });
  }

  /** An outcome may have come to be unknown: its look may be the next one. */
  plan(): void {
    this.#rounds.plan();
  }

  /** There may be something to find out: the line is back, a caller has gone, something was decided. */
  wake(): void {
    this.#rounds.wake();
  }

  close(): Promise<void> {
    return this.#rounds.close();
  }

  async #work(): Promise<void> {
    const { rows, desk, waits } = this.#options;
    for (const { rowId } of rows.dueUnknown(waits.now(), longestLookMs, rowsAtOnce)) {
      if (!this.#rounds.mayGoOn) return;
      // As it stands now: the looks before it took their time, and somebody may have sent it again meanwhile.
      const row = desk.unknownNow(rowId);
      if (row === null) continue;
      // One that cannot be written keeps no other back.
      await this.#resolve(row).catch((error: unknown) => {
        this.#rounds.failed(error);
        return this.#postpone(rowId);
      });
    }
  }

  async #resolve(row: Operation): Promise<void> {
    const { desk, clock } = this.#options;
    const { rowId, intent, decision } = row;
    // Of what was sent before a start, only what has passed since the first look after it is sure.
    const surelyMs = desk.sinceLastSendMs(rowId) ?? this.#sinceFirstLookMs(row);
    const passed = { surelyMs, byWallClockMs: clock.now() - row.updatedAtMs };
    if (isInTheBooks(intent)) {
      const step = nextStep({ intent, decision, passed, isTakenBack: false });
      const isFinal = step === 'cancel' && desk.isUnderThisKey(rowId);
      const shown = await desk.lookUp(rowId, { isWaitedFor: false, isFinal });
      if (shown === 'known') return this.#forget(rowId);
      if (shown === 'unsure') return this.#postpone(rowId);
    }
    // Under another key its books may be others: they prove nothing about what they do not show.
    if (!desk.isUnderThisKey(rowId)) return this.#postpone(rowId);
    const isTakenBack = intent === 'reverse' && (await desk.isTakenBack(rowId));
    // Somebody may have decided while it was looked up.
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
