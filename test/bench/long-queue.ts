import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillBacklog } from './sample-earns.ts';
import type { WorkFolder } from './work-folder.ts';

/** A queue as long as it may be. */
export interface LongQueue {
  /** Sales that wait. */
  readonly rows: number;
  /** Puts a copy of the queue into a new data folder. */
  newDataDir(): string;
}

/** Filled when it is asked for first: that takes longer than what is measured on it. */
export function createLongQueue(
  work: WorkFolder,
  { isQuick, say }: { readonly isQuick: boolean; readonly say: (line: string) => void },
): LongQueue {
  const rows = isQuick ? 100_000 : 1_000_000;
  let file: string | null = null;
  function filled(): string {
    if (file !== null) return file;
    say(`  filling a queue with ${rows.toLocaleString('en')} sales …`);
    file = fillBacklog(work.folder('long-queue'), { mode: 'production', rows, savedAtMs: Date.now(), isSealed: false });
    return file;
  }
  return {
    rows,
    newDataDir() {
      const dataDir = work.folder('long-queue');
      copyFileSync(filled(), join(dataDir, 'production.sqlite'));
      return dataDir;
    },
  };
}
