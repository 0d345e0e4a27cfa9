import { toInstant } from '../../shared/lib/clock.ts';
import type { Notice } from '../../shared/till/views.ts';
import { leastFreeBytes } from '../machine/disk-watch.ts';
import { type Recovery, toldNotes } from '../store/carrying/carrying.ts';
import type { NotSaving } from './saving-watch.ts';

/** From this part of the queue's limit on it is said. */
const fullShare = 0.9;

export interface NoticeFacts {
  readonly nowMs: number;
  /** Null when the system does not say. */
  readonly freeBytes: number | null;
  readonly waitingCount: number;
  readonly maxQueue: number;
  /** Null: what was handed in last was saved. */
  readonly notSaving: NotSaving | null;
  readonly recovery: Recovery | null;
  /** Null: none was ever made here. */
  readonly lastBackupAtMs: number | null;
  /** SQLite has met a page that it cannot read. */
  readonly isDamaged: boolean;
  /** The run before had another API key. */
  readonly hasOtherKey: boolean;
}

/** What a person should know before it stops sales. */
export function noticesOf(facts: NoticeFacts): readonly Notice[] {
  const { nowMs, freeBytes, waitingCount, maxQueue, notSaving, recovery, isDamaged, hasOtherKey } = facts;
  const notices: Notice[] = [];
  if (notSaving !== null) {
    const { why, sinceMs, reason } = notSaving;
    notices.push({ code: 'not_saving', why, since: toInstant(sinceMs), reason });
  }
  if (isDamaged) notices.push({ code: 'database_damaged' });
  for (const note of toldNotes(recovery, nowMs)) {
    const { atMs, aside, why, carried, renewed, unreadable, gaveWay = [], leftBehind = [] } = note;
    notices.push({
      code: 'database_recovered',
      at: toInstant(atMs),
      aside,
      why,
      carried: carried + renewed,
      unreadable,
      ...(gaveWay.length === 0 ? {} : { left_out_references: [...gaveWay] }),
      ...(leftBehind.length === 0 ? {} : { left_behind_references: [...leftBehind] }),
      last_backup_at: facts.lastBackupAtMs === null ? null : toInstant(facts.lastBackupAtMs),
    });
  }
  // Once the disk is full, that is the one thing to say of it.
  if (notSaving?.why !== 'disk_full' && freeBytes !== null && freeBytes < leastFreeBytes) {
    notices.push({ code: 'disk_nearly_full', free_bytes: freeBytes });
  }
  if (hasOtherKey && waitingCount > 0) notices.push({ code: 'key_changed', waiting: waitingCount });
  if (waitingCount >= maxQueue * fullShare) {
    notices.push({ code: 'queue_nearly_full', waiting: waitingCount, limit: maxQueue });
  }
  return notices;
}
