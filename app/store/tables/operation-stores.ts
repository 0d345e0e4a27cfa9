import type { OperationStore } from './operation-store.ts';
import type { RowStore } from './row-store.ts';

/** What holds the operations: most of what changes one of them asks both. */
export interface OperationStores {
  /** Their life: saving, the queue, the states. */
  readonly operations: OperationStore;
  /** What is asked of single rows. */
  readonly rows: RowStore;
}
