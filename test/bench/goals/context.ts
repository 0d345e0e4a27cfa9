import type { LongQueue } from '../long-queue.ts';
import type { GoalLine } from '../measure.ts';
import type { SyncShim } from '../sync-shim.ts';
import type { WorkFolder } from '../work-folder.ts';

/** What every goal is measured with. */
export interface GoalContext {
  readonly work: WorkFolder;
  readonly shim: SyncShim;
  /** Alternating rounds of each comparison. */
  readonly rounds: number;
  /** Fewer rows: a look while one works on the code. Its figures are not for the record. */
  readonly isQuick: boolean;
  /** The waiting sales of a till that was offline for weeks: a queue as long as it may be, made once for all goals. */
  readonly longQueue: LongQueue;
  /** One line to the person who waits. */
  readonly say: (line: string) => void;
}

export type MeasureGoal = (context: GoalContext) => Promise<readonly GoalLine[]>;
