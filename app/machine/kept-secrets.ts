import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import { isFolder, readTextFile, writePrivateFile } from './files.ts';
import { readJsonFile } from './json-file.ts';

/** What an agent of this process knows of the file of its folder, by the file's path. */
interface Kept {
  /** As the agent wrote it last. What others write is read, and is not kept. */
  text: string | null;
  /** Writes the file again where nothing stands in its place. */
  readonly putBack: () => void;
}
const keptFiles = new Map<string, Kept>();

/** Somebody may delete the file while the agent runs. */
const lookAfterMs = 60_000;

/** The secret that no till shares with another, and that stays the same: whose file it is, is told by it. */
export const tillKeyName = 'till_key';

/**
 * Keeps what stands in `secrets.json` for as long as the agent of the folder runs, and writes it again when somebody
 * deletes it: with the file's last copy the till would lose its tokens, its keys, and what proves the sales that wait. A
 * file with another till's key is left as it is, and not believed.
 *
 * @param parts.onAgain told null when it was written again; else what was in the way, once of each time from which on it
 *   cannot be written
 * @param parts.onAnothers told once when such a file has come
 * @returns looks a last time, and keeps it no longer
 */
export function keepSecretsFile(
  dataDir: string,
  parts: {
    readonly clock: Pick<Clock, 'setTimer'>;
    readonly onAgain: (error: unknown) => void;
    readonly onAnothers: () => void;
  },
): () => void {
  const path = join(dataDir, 'secrets.json');
  let isFailing = false;
  let wasAnothers = false;
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
    const text = textAt(path);
    const isAnothers = text !== null && isAnothersText(path, text);
    if (isAnothers && !wasAnothers) parts.onAnothers();
    wasAnothers = isAnothers;
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

/** Tells what the agent itself has written. */
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

/** Whether a text has not the till key that the agent of this process keeps: another till's file, or nobody's. */
export function isAnothersText(path: string, text: string): boolean {
  const own = keptFiles.get(path)?.text ?? null;
  const key = own === null ? null : tillKeyIn(own);
  return key !== null && tillKeyIn(text) !== key;
}

const withTillKey = z.lazy(() => z.object({ [tillKeyName]: z.string() }));

function tillKeyIn(text: string): string | null {
  const read = readJsonFile(text);
  const parsed = read.kind === 'read' ? withTillKey.safeParse(read.value) : null;
  return parsed?.success === true ? parsed.data[tillKeyName] : null;
}

/** What cannot be read is told by whoever needs it. */
function textAt(path: string): string | null {
  try {
    return readTextFile(path);
  } catch {
    return null;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
