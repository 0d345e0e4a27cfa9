import type { Clock } from '../../shared/lib/clock.ts';
import type { OperationChange, OperationStore } from '../store/operation-store.ts';
import type { Writer } from '../store/writer.ts';

/** A change that cannot be written now is tried again after this long: the disk may have room again. */
const retryMs = 2_000;

export interface SettlerOptions {
  readonly store: OperationStore;
  readonly writer: Writer;
  readonly clock: Clock;
  /** Told after the commit. */
  readonly onChanged: (rowIds: readonly number[]) => void;
  readonly onWriteFailed: (error: unknown) => void;
}

/**
 * Records what attempts and polls have learned, many in one commit. Losing one costs a repetition only: the service
 * is idempotent on the reference. So it may wait for company, and it is never given up while the agent runs.
 */
export class Settler {
  readonly #options: SettlerOptions;
  readonly #underWay = new Set<Promise<void>>();
  #isClosing = false;

  constructor(options: SettlerOptions) {
    this.#options = options;
  }

  /** Resolves when the change is durable, or was not allowed by the table, or the agent goes down. */
  record(change: OperationChange): Promise<void> {
    const recording = this.#record(change).finally(() => this.#underWay.delete(recording));
    this.#underWay.add(recording);
    return recording;
  }

  /** Waits for what is under way; what cannot be written is found again at the next start. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#options.writer.flush();
    await Promise.all(this.#underWay);
  }

  async #record(change: OperationChange): Promise<void> {
    const { store, writer, clock, onChanged, onWriteFailed } = this.#options;
    for (;;) {
      try {
        const state = await writer.lazy(() => store.change(change));
        if (state !== null) onChanged([change.rowId]);
        return;
      } catch (error) {
        onWriteFailed(error);
        if (this.#isClosing) return;
        await new Promise<void>((resolve) => {
          clock.setTimer(resolve, retryMs);
        });
        if (this.#isClosing) return;
      }
    }
  }
}
