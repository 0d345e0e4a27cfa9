import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import { isFolder, readTextFile, writePrivateFile } from './files.ts';

/** What an agent of this process knows of the file of its folder, by the file's path. */
interface Kept {
  text: string | null;
  /** Writes the file again where nothing stands in its place. */
  readonly putBack: () => void;
}
const keptFiles = new Map<string, Kept>();

/** Somebody may delete the file while the agent runs. */
const lookAfterMs = 60_000;

/**
 * Keeps what stands in `secrets.json` for as long as the agent of the folder runs, and writes it again when somebody
 * deletes it: with the file's last copy the till would lose its tokens, its keys, and what proves the sales that wait.
 *
 * @param parts.onAgain told null when it was written again; else what was in the way, once of each time from which on it
 *   cannot be written
 * @returns looks a last time, and keeps it no longer
 */
export function keepSecretsFile(
  dataDir: string,
  parts: { readonly clock: Pick<Clock, 'setTimer'>; readonly onAgain: (error: unknown) => void },
): () => void {
  const path = join(dataDir, 'secrets.json');
  let isFailing = false;
  const kept: Kept = {
    text: readTextFile(path),
    putBack() {
      try {
        if (kept.text === null || !isFolder(dataDir) || isThere(path)) return;
        writePrivateFile(path, kept.text);
        isFailing = false;
        parts.onAgain(null);
      } catch (error) {
        if (!isFailing) parts.onAgain(error);
        isFailing = true;
      }
    },
  };
  keptFiles.set(path, kept);
  let cancel: CancelTimer = () => undefined;
  const look = (): void => {
    kept.putBack();
    cancel = parts.clock.setTimer(look, lookAfterMs);
  };
  look();
  return () => {
    cancel();
    if (keptFiles.get(path) !== kept) return;
    kept.putBack();
    keptFiles.delete(path);
  };
}

/** Tells what stands in the file now. */
export function noteSecretsText(path: string, text: string): void {
  const kept = keptFiles.get(path);
  if (kept !== undefined) kept.text = text;
}

/** What stood in a file that is gone, which is written again; null where no agent of this process keeps it. */
export function keptSecretsText(path: string): string | null {
  const kept = keptFiles.get(path);
  kept?.putBack();
  return kept?.text ?? null;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
