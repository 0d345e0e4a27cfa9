import type { z } from 'zod';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import type { TillReply } from '../../shared/till/api.ts';
import { dayCommands } from '../../shared/till/day-commands.ts';
import type { CashierDay } from '../../shared/till/day-line.ts';
import type { DayOutcome } from '../../shared/till/day-names.ts';
import type { Carried, CashierDayView, DayCloseView, DayView } from '../../shared/till/day-views.ts';
import type { Settings } from '../config/settings.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { CarriedOver, ClosedByWhom, DayCommands, DayFacts, LateComers } from '../operations/days/day-books.ts';
import { outcomeOf } from '../operations/days/day-lines.ts';
import type { Person } from '../store/people/people-store.ts';
import type { DayClose } from '../store/tables/day-store.ts';
import { command, type Handlers } from './command.ts';
import { asManager } from './manager-pin.ts';
import { operationView } from './operation-view.ts';
import { failed, succeeded } from './replies.ts';

interface Books {
  readonly days: DayCommands;
  /** The people whose names are shown with each cashier's figures. */
  readonly people: Pick<AgentCore['people'], 'list'>;
  readonly settings: Pick<Settings, 'day_starts_at'>;
}

/** The result of closing a day. */
type Closed =
  | { readonly kind: 'closed'; readonly day: DayView }
  | { readonly kind: 'already_closed'; readonly close: DayCloseView; readonly day: DayView }
  | { readonly kind: 'needs_acknowledgement'; readonly open: DayView['open'] }
  | { readonly kind: 'not_begun'; readonly today: string };

/** The commands of business days. @param cashier the signed-in cashier */
export function dayHandlers(
  books: Books & Pick<AgentCore, 'people'>,
  cashier: () => { readonly name: string } | null,
): Handlers<keyof typeof dayCommands> {
  return {
    'day.read': command(dayCommands['day.read'], async ({ business_date }) =>
      succeeded(await readDay(books, business_date ?? null)),
    ),
    'day.close': command(dayCommands['day.close'], (input) => closeSigned(books, cashier()?.name ?? null, input)),
    'day.list': command(dayCommands['day.list'], (input) => succeeded(listCloses(books, input))),
  };
}

/** A business day, counted; today when no date is named. */
export async function readDay(books: Books, businessDate: string | null): Promise<DayView> {
  return dayView(await books.days.read(businessDate), books.settings.day_starts_at, namesOf(books.people.list()));
}

/**
 * Closes a day in the name of the signed-in cashier or of the PIN's manager. When nobody can sign in, the typed name is
 * used.
 */
async function closeSigned(
  books: Books & Pick<AgentCore, 'people'>,
  signedIn: string | null,
  { pin, ...input }: z.output<(typeof dayCommands)['day.close']['input']>,
): Promise<TillReply<Closed>> {
  const closedBy = (name: string) => closeDay(books, { ...input, closed_by: name }, { by: name });
  const closedUnasked = () => closeDay(books, input, { by: null });
  if (signedIn !== null) return closedBy(signedIn);
  if (books.people.hasManagers) {
    return asManager(books, pin, (manager) => (manager === null ? closedUnasked() : closedBy(manager)));
  }
  if (!books.people.hasCashiers) return closedUnasked();
  return failed('sign_in_needed', 'Sign in first: the closing is saved with a name.');
}

/** @param who the person's name for the audit log */
export async function closeDay(
  books: Books,
  input: { readonly business_date: string; readonly closed_by: string; readonly acknowledged_open: number },
  who: ClosedByWhom,
): Promise<TillReply<Closed>> {
  const { business_date, closed_by, acknowledged_open } = input;
  const outcome = await books.days.close(business_date, {
    closedBy: closed_by.trim(),
    acknowledgedOpen: acknowledged_open,
    who,
  });
  switch (outcome.kind) {
    case 'closed':
      return succeeded({ kind: 'closed', day: await readDay(books, business_date) });
    case 'already_closed':
      return succeeded({
        kind: 'already_closed',
        close: closeView(outcome.close),
        day: await readDay(books, business_date),
      });
    case 'needs_acknowledgement':
    case 'not_begun':
      return succeeded(outcome);
    case 'not_saved':
      return failed('not_saved', outcome.message);
    default:
      return assertNever(outcome);
  }
}

export function listCloses(
  books: Pick<Books, 'days'>,
  { limit, before }: { readonly limit: number; readonly before?: string | undefined },
): { closes: DayCloseView[] } {
  return { closes: books.days.list({ limit, before: before ?? null }).map(closeView) };
}

type Names = ReadonlyMap<string | null, string>;

function namesOf(people: readonly Person[]): Names {
  return new Map(people.map(({ employeeRef, name }) => [employeeRef, name]));
}

function cashierViews(cashiers: readonly CashierDay[], names: Names): CashierDayView[] {
  return cashiers.map((each) => ({
    ...each,
    name: each.employee_ref === null ? null : (names.get(each.employee_ref) ?? null),
  }));
}

function dayView(facts: DayFacts, startsAt: string, names: Names): DayView {
  return {
    business_date: facts.businessDate,
    today: facts.today,
    starts_at: startsAt,
    counted_at: toInstant(facts.countedAtMs),
    close: facts.close === null ? null : closeView(facts.close),
    lines: [...facts.lines],
    cashiers: facts.cashiers === null ? null : cashierViews(facts.cashiers, names),
    since_closing: facts.sinceClosing === null ? null : lateView(facts.sinceClosing, names),
    open: facts.open,
    carried_in: facts.carriedIn === null ? null : carriedView(facts.carriedIn),
    after_earlier: facts.afterEarlier === null ? null : lateView(facts.afterEarlier, names),
    carried_out: facts.carriedOut === null ? null : carriedView(facts.carriedOut),
  };
}

function closeView({ businessDate, closedAtMs, closedBy, openCount }: DayClose): DayCloseView {
  return {
    business_date: businessDate,
    closed_at: toInstant(closedAtMs),
    closed_by: closedBy,
    open_count: openCount,
  };
}

function lateView({ count, lines, cashiers }: LateComers, names: Names): NonNullable<DayView['since_closing']> {
  return { count, lines: [...lines], cashiers: cashierViews(cashiers, names) };
}

function carriedView({ businessDate, states, operations }: CarriedOver): Carried {
  const outcomes: Record<DayOutcome, number> = { applied: 0, waiting: 0, refused: 0, written_off: 0, taken_back: 0 };
  let count = 0;
  for (const [state, ofState] of states) {
    outcomes[outcomeOf(state)] += ofState;
    count += ofState;
  }
  return {
    business_date: businessDate,
    count,
    outcomes,
    operations: operations.map(({ was, now }) => ({ was, now: operationView(now) })),
  };
}
