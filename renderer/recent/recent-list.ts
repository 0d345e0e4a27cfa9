import type { Clock } from '../../shared/lib/clock.ts';
import type { OperationView } from '../../shared/till/views.ts';
import { isOlder } from '../operation/older.ts';
import { sinceSavedMs } from '../operation/standing.ts';
import { isToMind, recentLimit } from './recent-rows.ts';

export interface RecentListParts {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** The till's time in epoch milliseconds. */
  readonly nowMs: () => number;
}

/** Decides which operations the page keeps. */
interface RecentList {
  /** @returns the list with the newest view of each operation, newest first, and without what nobody would repeat */
  readonly withNews: (known: readonly OperationView[], heard: readonly OperationView[]) => readonly OperationView[];
  /** Whether an operation of the list is a redemption that must not be repeated unasked. */
  readonly isToMind: (operation: OperationView) => boolean;
}

export function createRecentList({ clock, nowMs }: RecentListParts): RecentList {
  /**
   * When each operation of the list was saved, by the page's own time: the till's clock may be set at any moment. What was
   * saved in its future counts as saved when the page first heard of it. A request under a number that was refused before
   * comes under the same id, with a time of its own.
   */
  const saved = new Map<string, { readonly savedAt: string; readonly pageMs: number }>();
  const note = (operation: OperationView): void => {
    const { operation_id, saved_at: savedAt } = operation;
    if (saved.get(operation_id)?.savedAt === savedAt) return;
    saved.set(operation_id, { savedAt, pageMs: clock.monotonicMs() - Math.max(0, sinceSavedMs(operation, nowMs())) });
  };
  const isStillToMind = (operation: OperationView): boolean => {
    const pageMs = clock.monotonicMs();
    return isToMind(operation, pageMs - (saved.get(operation.operation_id)?.pageMs ?? pageMs));
  };
  return {
    isToMind: isStillToMind,
    withNews(known, heard) {
      const newest = heard.reduce(withOperation, known);
      for (const operation of newest) note(operation);
      const next = newest.filter((operation, index) => index < recentLimit || isStillToMind(operation));
      const keptIds = new Set(next.map(({ operation_id }) => operation_id));
      for (const id of saved.keys()) if (!keptIds.has(id)) saved.delete(id);
      return next;
    },
  };
}

/** The list with one operation added or replaced by its newest view, newest first. */
function withOperation(list: readonly OperationView[], operation: OperationView): readonly OperationView[] {
  const known = list.find((other) => other.operation_id === operation.operation_id);
  if (known !== undefined && isOlder(operation, known)) return list;
  const others = list.filter((other) => other.operation_id !== operation.operation_id);
  return [...others, operation].sort(
    (left, right) =>
      right.row_id - left.row_id ||
      right.saved_at.localeCompare(left.saved_at) ||
      right.external_ref.localeCompare(left.external_ref),
  );
}
