import type { Clock } from '../../../shared/lib/clock.ts';
import { diskRetryMs, type Writer } from '../../store/database/writer.ts';
import type { OperationStore } from '../../store/tables/operation-store.ts';
import { recover, type SentRow } from '../settlement/settlement.ts';
import { Wakeups } from '../settlement/wakeups.ts';

interface CrashRecoveryOptions {
  readonly operations: OperationStore;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly keyFingerprint: string;
  /** Told after each commit. */
  readonly onChanged: () => void;
  readonly onWriteFailed: (error: unknown) => void;
}

/** So many rows in one commit. */
const pageSize = 1_000;

/**
 * Rows that a crash left marked as being sent may have reached the service: they become unknown, and go on from there.
 * While the disk takes no change they stay marked, so that nothing of them is sent. The change is tried until it is written.
 */
export class CrashRecovery {
  readonly #options: CrashRecoveryOptions;
  readonly #wakeups: Wakeups;
  /** The rows that are left, by id. Null until they could be read. Rows that this run marks itself are not among them. */
  #left: Map<number, SentRow> | null = null;
  #isClosed = false;
  #working: Promise<void> = Promise.resolve();

  constructor(options: CrashRecoveryOptions) {
    this.#options = options;
    this.#wakeups = new Wakeups(options.clock);
  }

  /** Resolves when other rows may be sent: after the first try, whether the disk took it or not. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#working = this.#work(resolve).finally(resolve);
    });
  }

  /** Whether a crash left the row marked, and it could not be written yet that its outcome is not known. */
  isLeft(rowId: number): boolean {
    return this.#left?.has(rowId) ?? false;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wakeups.wakeAll();
    await this.#working;
  }

  async #work(onOthersMayGo: () => void): Promise<void> {
    while (!(await this.#isDone())) {
      if (this.#left !== null) onOthersMayGo();
      if (this.#isClosed) return;
      await this.#wakeups.pause(diskRetryMs);
      if (this.#isClosed) return;
    }
  }

  async #isDone(): Promise<boolean> {
    const { operations, writer, keyFingerprint, onChanged, onWriteFailed } = this.#options;
    try {
      this.#left ??= new Map(operations.sending().map((row) => [row.rowId, row]));
      while (this.#left.size > 0) await this.#recoverPage(this.#left);
      await writer.urgent(() => operations.releaseWithheld(keyFingerprint));
      onChanged();
      return true;
    } catch (error) {
      onWriteFailed(error);
      return false;
    }
  }

  async #recoverPage(left: Map<number, SentRow>): Promise<void> {
    const { operations, writer, clock } = this.#options;
    const rows = [...left.values()].slice(0, pageSize);
    await writer.urgent(() => {
      for (const row of rows) operations.change(recover(row, clock.now()));
    });
    for (const { rowId } of rows) left.delete(rowId);
  }
}
