import type { Clock } from '../../../shared/lib/clock.ts';
import { errorText } from '../../../shared/lib/error-code.ts';
import { attentionStates, type OperationState, waitingStates } from '../../../shared/machines/operation.ts';
import type { CashierDay, DayLine } from '../../../shared/till/day-line.ts';
import type { OpenCounts } from '../../../shared/till/day-views.ts';
import type { Audit, AuditEvent } from '../../audit/audit-events.ts';
import type { ClockSkew } from '../../line/clock-skew.ts';
import type { Writer } from '../../store/database/writer.ts';
import type { CarriedOperation, DayClose, DayStore } from '../../store/tables/day-store.ts';
import type { BusinessCalendar } from '../requests/business-date.ts';
import { tillSaysMs } from '../requests/corrected-instant.ts';
import { heldOn } from './day-held.ts';
import { cashierDays, countOf, dayLines } from './day-lines.ts';
import type { Hold } from './holds.ts';

/** At most so many of the operations that a closing carried over are told one by one. */
const mostCarriedTold = 200;

/** What came to a day after its closing. */
export interface LateComers {
  readonly count: number;
  readonly lines: readonly DayLine[];
  readonly cashiers: readonly CashierDay[];
}

/** What a closing carried over, as it stands now. */
export interface CarriedOver {
  readonly businessDate: string;
  readonly states: ReadonlyMap<OperationState, number>;
  readonly operations: readonly CarriedOperation[];
}

/** A business day, counted. */
export interface DayFacts {
  readonly businessDate: string;
  readonly today: string;
  readonly countedAtMs: number;
  readonly close: DayClose | null;
  readonly lines: readonly DayLine[];
  /** Null: closed by a program that did not count them. */
  readonly cashiers: readonly CashierDay[] | null;
  readonly sinceClosing: LateComers | null;
  readonly open: OpenCounts;
  readonly carriedIn: CarriedOver | null;
  readonly afterEarlier: LateComers | null;
  readonly carriedOut: CarriedOver | null;
}

type CloseOutcome =
  | { readonly kind: 'closed'; readonly close: DayClose }
  | { readonly kind: 'already_closed'; readonly close: DayClose }
  | { readonly kind: 'needs_acknowledgement'; readonly open: OpenCounts }
  | { readonly kind: 'not_begun'; readonly today: string }
  | { readonly kind: 'not_saved'; readonly message: string };

/** Who closes a day, as the audit log tells it. */
export type ClosedByWhom = Pick<Extract<AuditEvent, { event: 'day_closed' }>, 'by' | 'person'>;

/** Counts business days and closes them. */
export interface DayCommands {
  read(businessDate: string | null): Promise<DayFacts>;
  /** @param closing.acknowledgedOpen so many open operations the person has seen: neither more nor fewer may there be */
  close(
    businessDate: string,
    closing: { readonly closedBy: string; readonly acknowledgedOpen: number; readonly who?: ClosedByWhom },
  ): Promise<CloseOutcome>;
  /** Newest first. */
  list(page: { readonly limit: number; readonly before: string | null }): readonly DayClose[];
}

interface DayBooksOptions {
  readonly store: DayStore;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly skew: Pick<ClockSkew, 'skewMs'>;
  readonly audit: Audit;
  /** What this till holds for orders. */
  readonly holds: () => readonly Hold[];
  /** Lets sales through between two looks at a large database. */
  readonly pause: () => Promise<void>;
}

/**
 * The books of business days. A closed day's figures stay as they were counted; what comes to it later is told beside
 * them. A closing carries over everything that is open, of whatever day, so that nothing falls between two days.
 */
export class DayBooks implements DayCommands {
  readonly #options: DayBooksOptions;

  constructor(options: DayBooksOptions) {
    this.#options = options;
  }

  get #today(): string {
    const { clock, calendar, skew } = this.#options;
    return calendar.dateOf(tillSaysMs(clock.now(), skew.skewMs));
  }

  async read(date: string | null): Promise<DayFacts> {
    await this.#learn();
    const { store, clock } = this.#options;
    const today = this.#today;
    const businessDate = date ?? today;
    const close = store.closeOf(businessDate);
    const earlier = store.closeBefore(businessDate);
    const counted = close ?? this.#counted(businessDate);
    return {
      businessDate,
      today,
      countedAtMs: clock.now(),
      close,
      lines: counted.lines,
      cashiers: counted.cashiers,
      sinceClosing: close === null ? null : this.#lateComers(close),
      open: this.#open(businessDate, today),
      carriedIn: earlier === null ? null : this.#carriedOver(earlier),
      afterEarlier: earlier === null ? null : this.#lateComers(earlier),
      carriedOut: close === null ? null : this.#carriedOver(close),
    };
  }

  async close(
    businessDate: string,
    { closedBy, acknowledgedOpen, who = { by: null } }: Parameters<DayCommands['close']>[1],
  ): Promise<CloseOutcome> {
    const { store, writer, clock, audit } = this.#options;
    const today = this.#today;
    if (businessDate > today) return { kind: 'not_begun', today };
    await this.#learn();
    try {
      // A row's number may be given before its neighbours in the commit have theirs: behind all of them none is missed.
      const outcome = await writer.urgentLast((): CloseOutcome => {
        const standing = store.closeOf(businessDate);
        if (standing !== null) return { kind: 'already_closed', close: standing };
        const open = this.#open(businessDate, today);
        const openCount = open.waiting + open.attention;
        if (openCount !== acknowledgedOpen) return { kind: 'needs_acknowledgement', open };
        const close: DayClose = {
          businessDate,
          closedAtMs: clock.now(),
          closedBy,
          lastOperationId: store.lastOperationId,
          ...this.#counted(businessDate),
          openCount,
        };
        store.insert(close, throughOf(businessDate, today));
        return { kind: 'closed', close };
      });
      if (outcome.kind === 'closed') {
        audit.note({ event: 'day_closed', business_date: businessDate, open: outcome.close.openCount, ...who });
      }
      return outcome;
    } catch (error) {
      return { kind: 'not_saved', message: errorText(error) };
    }
  }

  list(page: { readonly limit: number; readonly before: string | null }): readonly DayClose[] {
    return this.#options.store.closes(page);
  }

  async #learn(): Promise<void> {
    while (this.#options.store.learn()) await this.#options.pause();
  }

  #open(businessDate: string, today: string): OpenCounts {
    const counts = this.#options.store.openCounts(throughOf(businessDate, today));
    const sum = (states: readonly OperationState[]) =>
      states.reduce((part, state) => part + (counts.get(state) ?? 0), 0);
    return { waiting: sum(waitingStates), attention: sum(attentionStates) };
  }

  #lateComers(close: DayClose): LateComers {
    const { store } = this.#options;
    const tallies = store.tally(close.businessDate, store.rowIdOf(close.lastOperationId));
    const lines = dayLines(tallies);
    return { count: countOf(lines), lines, cashiers: cashierDays(tallies) };
  }

  #counted(businessDate: string): Pick<DayClose, 'lines'> & { readonly cashiers: readonly CashierDay[] } {
    const { store, holds, calendar } = this.#options;
    const tallies = store.tally(businessDate);
    const held = heldOn(holds(), { businessDate, dateOf: (epochMs) => calendar.dateOf(epochMs) });
    return { lines: dayLines(tallies), cashiers: cashierDays(tallies, held) };
  }

  #carriedOver({ businessDate }: DayClose): CarriedOver {
    const { store } = this.#options;
    return {
      businessDate,
      states: store.carriedStates(businessDate),
      operations: store.carried(businessDate, mostCarriedTold),
    };
  }
}

/** Today's closing takes everything that is open, also what a POS program has dated ahead. */
function throughOf(businessDate: string, today: string): string | null {
  return businessDate === today ? null : businessDate;
}
