import type { TransactionList } from '../../shared/contract/transaction.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { CallOutcome } from '../client/outcome.ts';
import type { Gate, PausingCause } from '../line/connectivity.ts';
import type { SendableOperation } from '../store/delivery.ts';
import type { ImmediateStore } from '../store/immediate-store.ts';
import type { OperationStore } from '../store/operation-store.ts';
import type { Writer } from '../store/writer.ts';
import type { WriteAnswer } from './immediate-settlement.ts';
import type { Ownership } from './ownership.ts';
import type { UndoRow } from './reversal-row.ts';
import type { LimitWatch } from './value-limits.ts';

export interface DeskLine {
  readonly gate: Gate;
  /** Why nothing gets through now; null while something may. */
  readonly downCause: PausingCause | null;
}

export interface DeskOptions {
  readonly store: OperationStore;
  readonly immediate: ImmediateStore;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly line: DeskLine;
  readonly limits: LimitWatch;
  readonly keyFingerprint: string;
  readonly businessDateOf: (epochMs: number) => string;
  readonly clockSkewMs: () => number | null;
  /** Both tell the line what they met, and never reject. */
  readonly transmit: (row: SendableOperation) => Promise<CallOutcome<WriteAnswer>>;
  readonly lookUp: (externalRef: string) => Promise<CallOutcome<TransactionList>>;
  /** Tells our own records from those of others under the same reference. */
  readonly ownership: Ownership;
  /** The reversal of a redemption that somebody was told would not happen. */
  readonly undoRow: UndoRow;
  readonly newOperationId: () => string;
  /** Of a row that is still marked from before a crash: nothing is sent for it until that is written down. */
  readonly isLeftByCrash: (rowId: number) => boolean;
  /** Told after the commit. */
  readonly onChanged: (rowIds: readonly number[]) => void;
  readonly onWriteFailed: (error: unknown) => void;
}

export interface ServePlan {
  readonly waitMs: number;
  readonly first: 'send' | 'read';
  /** It was asked for before: what the books show then is the first one's. */
  readonly isRepeat: boolean;
}
