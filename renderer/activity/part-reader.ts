import type { TillAnswer, TillApi, TillError, TillReply } from '../../shared/till/api.ts';
import type { OperationView } from '../../shared/till/views.ts';
import { type ActivityFilter, questionOf } from './filter.ts';
import { appended, type Pages, partAt, refilled } from './pages.ts';

const rowsPerPart = 200;
/** How many rows below the view are read before they are needed. */
const readAhead = 400;
/** A longer list would be higher than a browser can draw. A day's filter leads to the older rows. */
export const mostRows = 250_000;

/** The index of a dropped part that is to be read again; `end` where the list is to be read further. */
type MissingPart = number | 'end';

/** `outdated`: the list is another one by now, and what was read is not of it. */
type PartRead =
  /** `change` puts what was read into the pages as they are then: events may have changed them meanwhile. */
  | { readonly kind: 'read'; readonly change: (pages: Pages) => Pages }
  | { readonly kind: 'failed'; readonly error: TillError }
  | { readonly kind: 'outdated' };

const outdated: PartRead = { kind: 'outdated' };

interface ListRead {
  /** The list as far as it is known. */
  readonly pages: Pages;
  readonly filter: ActivityFilter;
  /** Whether the list that is shown is still the one with this filter. */
  readonly isWanted: () => boolean;
}

interface PartReaderParts {
  readonly api: Pick<TillApi, 'call'>;
  /** Takes how often each sale was tried that was refused more than once, by operation. */
  readonly onTries: (tries: TillAnswer<'activity.list'>['tries']) => void;
}

/** Makes what reads one part of the activity list after the other (`activity.list` of the till's interface). */
export function createPartReader({ api, onTries }: PartReaderParts) {
  /** Repeated tries of one sale are one row, unless the filter is a state. */
  const ask = async (
    filter: ActivityFilter,
    limit: number,
    before: number | null,
  ): Promise<TillReply<TillAnswer<'activity.list'>>> => {
    const fold_tries = filter.state === null && filter.kind !== 'customer';
    const reply = await api.call('activity.list', { ...questionOf(filter, limit, before), fold_tries });
    if (reply.ok) onTries(reply.value.tries);
    return reply;
  };

  const readEnd = async ({ pages, filter, isWanted }: ListRead): Promise<PartRead> => {
    const reply = await ask(filter, rowsPerPart, pages.parts.at(-1)?.next ?? null);
    if (!isWanted()) return outdated;
    if (!reply.ok) return { kind: 'failed', error: reply.error };
    const { operations: rows, before_row: next } = reply.value;
    return { kind: 'read', change: (now) => appended(now, { rows, next }) };
  };

  /** Reads all rows between the two ends of a dropped part. */
  const readDropped = async ({ pages, filter, isWanted }: ListRead, at: number): Promise<PartRead> => {
    const part = pages.parts[at];
    if (part === undefined) return outdated;
    const rows: OperationView[] = [];
    let before = part.before;
    for (;;) {
      const reply = await ask(filter, Math.min(Math.max(1, part.count), rowsPerPart), before);
      if (!isWanted()) return outdated;
      if (!reply.ok) return { kind: 'failed', error: reply.error };
      rows.push(...reply.value.operations.filter(({ row_id }) => part.next === null || row_id >= part.next));
      before = reply.value.before_row;
      if (part.next === null) {
        // The last part may hold more rows than before: what is behind these is read as its own part.
        const next = before;
        if (next === null || rows.length >= part.count)
          return { kind: 'read', change: (now) => refilled(now, at, { rows, next }) };
      } else if (before === null || before <= part.next) {
        const { next } = part;
        return { kind: 'read', change: (now) => refilled(now, at, { rows, next }) };
      }
    }
  };

  return (missing: MissingPart, read: ListRead): Promise<PartRead> =>
    missing === 'end' ? readEnd(read) : readDropped(read, missing);
}

/** What is to be read next for the rows from `first` to `last`; null when all of them are there. */
export function firstMissing(pages: Pages, [first, last]: readonly [first: number, last: number]): MissingPart | null {
  if (pages.parts.length === 0) return 'end';
  const lastPart = partAt(pages, Math.min(last, pages.count - 1));
  for (let at = partAt(pages, first); at <= lastPart; at += 1) {
    const part = pages.parts[at];
    if (part !== undefined && part.rows === null) return at;
  }
  const isNearEnd = last + readAhead >= pages.count && pages.count < mostRows;
  return isNearEnd && !pages.isWhole ? 'end' : null;
}
