import type { Clock } from '../../../shared/lib/clock.ts';
import type { Audit } from '../../audit/audit-events.ts';
import type { Line } from '../../line/line.ts';
import type { Writer } from '../../store/database/writer.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import type { CrashRecovery } from '../delivery/crash-recovery.ts';
import type { Ownership } from '../ownership/ownership.ts';
import type { BusinessCalendar } from '../requests/business-date.ts';
import type { NewRows } from '../requests/new-rows.ts';
import type { LimitWatch } from '../requests/value-limits.ts';

export interface DeskOptions extends OperationStores {
  readonly writer: Writer;
  readonly clock: Clock;
  /** By which waits are kept (`evenClock`). */
  readonly waits: Pick<Clock, 'now'>;
  readonly line: Line;
  readonly limits: LimitWatch;
  readonly audit: Audit;
  readonly keyFingerprint: string;
  /** After this time a POS program was answered that the outcome is unknown (`bridge.answer_within_ms`). */
  readonly answerWithinMs: number;
  readonly calendar: BusinessCalendar;
  /** Tells our own records from those of others under the same reference. */
  readonly ownership: Ownership;
  readonly newRows: NewRows;
  /** Knows the rows that a crash left marked as being sent: nothing is sent of them until that is written down. */
  readonly crashRecovery: Pick<CrashRecovery, 'isLeft'>;
  /** Told after the commit. */
  readonly onChanged: (rowIds: readonly number[]) => void;
  readonly onWriteFailed: (error: unknown) => void;
}

export interface ServePlan {
  readonly waitMs: number;
  readonly first: 'send' | 'read';
  /** The caller asks once more: an outcome that the books show is that of the first request. */
  readonly isRepeat: boolean;
}
