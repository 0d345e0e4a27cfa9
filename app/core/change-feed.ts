import type { OperationState } from '../../shared/machines/operation.ts';
import type { WriterSchedule } from '../store/database/writer.ts';
import type { OperationStore } from '../store/tables/operation-store.ts';
import type { AgentChange } from './agent-core.ts';

/** Tells the doors what has changed, each operation once for all that changed together. A door bounds what it passes on. */
export class ChangeFeed {
  readonly #operations: OperationStore;
  readonly #schedule: WriterSchedule;
  readonly #listeners = new Set<(change: AgentChange) => void>();
  readonly #changedRowIds = new Set<number>();
  #isScheduled = false;

  constructor(operations: OperationStore, schedule: WriterSchedule) {
    this.#operations = operations;
    this.#schedule = schedule;
  }

  /** How many operations are in each state, as of the last commit. */
  get counts(): Readonly<Record<OperationState, number>> {
    return this.#operations.counts.read();
  }

  subscribe(listener: (change: AgentChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
  }

  /** Something changed: these operations, the line, or both. */
  changed(rowIds: readonly number[] = []): void {
    if (this.#listeners.size === 0) return;
    for (const rowId of rowIds) this.#changedRowIds.add(rowId);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#schedule.soon(() => this.#tell());
  }

  #tell(): void {
    this.#isScheduled = false;
    const rowIds = [...this.#changedRowIds].sort((one, other) => one - other);
    this.#changedRowIds.clear();
    if (!this.#operations.isOpen) return;
    for (const rowId of rowIds) {
      for (const listener of this.#listeners) listener({ type: 'operation', rowId });
    }
    for (const listener of this.#listeners) listener({ type: 'status' });
  }
}
