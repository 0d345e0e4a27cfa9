import type { Store } from '../store/store.ts';

/** What the requests of operations are sealed with (see SealStore). */
export interface SealOptions {
  readonly key: Uint8Array;
  /** False: operations from before there were seals get theirs now. */
  readonly isBegun: boolean;
  /** Told once they have, and how many they were. */
  readonly onBegun: (count: number) => void;
}

/** Before anything is sent. Together or not at all: a start that is cut off does it again. */
export function beginSeals(store: Pick<Store, 'sealFirst'>, seal: SealOptions | undefined): void {
  if (seal === undefined || seal.isBegun) return;
  try {
    seal.onBegun(store.sealFirst());
  } catch {
    // A disk that takes nothing is told by the first sale. The next start tries again; what has no seal waits meanwhile.
  }
}
