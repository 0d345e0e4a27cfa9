import type { Clock } from '../../../shared/lib/clock.ts';
import { diskRetryMs, type Writer } from '../../store/database/writer.ts';
import type { OperationChange } from '../../store/rows/delivery.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import { changeWithConsequences } from '../settlement/consequences.ts';
import { withOwnWait } from '../settlement/even-clock.ts';
import { Wakeups } from '../settlement/wakeups.ts';
import type { TillRush } from './till-rush.ts';

/** So many changes make a batch full: it is committed without waiting for more. */
const fullBatch = 512;
const fullBatchInRush = 64;
/**
 * When a batch had so many changes, a backlog is being sent. The next batch then waits for the marks that follow soon, and
 * makes no commit of its own: a disk that takes 5 ms for a commit would be waited for twice as often.
 */
const backlogBatch = 8;
const backlogDelayMs = 100;

interface SettlerOptions extends OperationStores {
  readonly writer: Writer;
  readonly clock: Clock;
  /** The clock by which waits are reckoned (`evenClock`). */
  readonly waits: Pick<Clock, 'now'>;
  readonly rush: Pick<TillRush, 'isOn'>;
  /** Told after the commit. */
  readonly onChanged: (rowIds: readonly number[]) => void;
  readonly onWriteFailed: (error: unknown) => void;
}

/**
 * Records what attempts and polls have learned, many changes in one commit. A lost change costs only a repetition, because
 * the service is idempotent on the reference. So a change may wait for others, but none is dropped while the agent runs.
 */
export class Settler {
  readonly #options: SettlerOptions;
  readonly #underWay = new Set<Promise<void>>();
  /** The changes that gather until the next commit. */
  #gathering: { readonly changes: OperationChange[]; readonly recording: Promise<void> } | null = null;
  /** Pauses that end early when the agent goes down: a clock that stands still must not keep it. */
  readonly #pauses: Wakeups;
  #lastBatch = 0;
  #isClosing = false;

  constructor(options: SettlerOptions) {
    this.#options = options;
    this.#pauses = new Wakeups(options.clock);
  }

  /** Resolves when the change is durable, or was not allowed by the table, or the agent goes down. */
  record(change: OperationChange): Promise<void> {
    this.#gathering ??= this.#startBatch();
    const { changes, recording } = this.#gathering;
    changes.push(withOwnWait(change, this.#options));
    const { writer, rush } = this.#options;
    if (changes.length >= (rush.isOn ? fullBatchInRush : fullBatch)) writer.hurry();
    return recording;
  }

  /** Commits a backlog's batch: no answer is on its way that could join it. While sales are taken, their commits take it. */
  nothingFollows(): void {
    if (this.#gathering !== null && this.#lastBatch >= backlogBatch && !this.#options.rush.isOn)
      this.#options.writer.hurry();
  }

  /** Waits for what is under way; what cannot be written is found again at the next start. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#pauses.wakeAll();
    this.#options.writer.flush();
    await Promise.all(this.#underWay);
  }

  #startBatch() {
    const changes: OperationChange[] = [];
    const recording = this.#write(changes).finally(() => this.#underWay.delete(recording));
    this.#underWay.add(recording);
    return { changes, recording };
  }

  async #write(changes: readonly OperationChange[]): Promise<void> {
    const { writer, rush, onChanged, onWriteFailed } = this.#options;
    for (;;) {
      let changed: readonly number[];
      try {
        const isOfBacklog = this.#lastBatch >= backlogBatch && !rush.isOn;
        changed = await writer.lazy(
          () => {
            this.#endGathering(changes);
            return changes.flatMap((change) => changeWithConsequences(this.#options, change));
          },
          isOfBacklog ? backlogDelayMs : undefined,
        );
      } catch (error) {
        this.#endGathering(changes);
        // A change that cannot be written must not keep the others back.
        if (changes.length > 1) {
          await Promise.all(changes.map((change) => this.#write([change])));
          return;
        }
        onWriteFailed(error);
        if (this.#isClosing) return;
        await this.#pauses.pause(diskRetryMs);
        if (this.#isClosing) return;
        continue;
      }
      if (changed.length > 0) onChanged(changed);
      return;
    }
  }

  #endGathering(changes: readonly OperationChange[]): void {
    if (this.#gathering?.changes !== changes) return;
    this.#gathering = null;
    this.#lastBatch = changes.length;
  }
}
