import { lstatSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import { readTextFile, writePassingFile } from '../machine/files.ts';
import { rmSync } from '../machine/held-files.ts';
import { openProvenLine } from './proven-line.ts';

const runningAgentSchema = z.object({
  port: z.int().min(1).max(65_535),
  pid: z.int(),
  /** Which folder it is: a copy of the folder is another one. Missing in what older versions wrote. */
  folder: z.string().optional(),
});
/** Where the agent of a data folder can be reached; left behind when it was killed. */
type RunningAgentFacts = z.infer<typeof runningAgentSchema>;

const tellAgainAfterMs = 10_000;
/** Somebody may delete the file, or damage it, while the agent runs. */
const lookAfterMs = 60_000;

function path(dataDir: string): string {
  return join(dataDir, 'agent.json');
}

/**
 * Tells store IT's commands where the agent is, and again when that does not stand there any more. An agent that cannot
 * tell it sells all the same: it is tried again until it works.
 *
 * @param parts.onFailed told once of each time from which on it cannot be told
 * @returns takes it back
 */
export function tellRunningAgent(
  dataDir: string,
  facts: Omit<RunningAgentFacts, 'folder'>,
  { clock, onFailed }: { readonly clock: Pick<Clock, 'setTimer'>; readonly onFailed: (error: unknown) => void },
): () => void {
  let cancel: CancelTimer = () => undefined;
  let seen: { readonly text: string; readonly file: Stats } | null = null;
  let isFailing = false;
  const tryToTell = (): void => {
    try {
      const text = `${JSON.stringify({ ...facts, folder: folderIdentity(dataDir) })}\n`;
      if (seen?.text !== text || !isUntouched(path(dataDir), seen.file)) {
        if (readTextFile(path(dataDir)) !== text) writePassingFile(path(dataDir), text);
        seen = { text, file: statSync(path(dataDir)) };
      }
      isFailing = false;
      cancel = clock.setTimer(tryToTell, lookAfterMs);
    } catch (error) {
      if (!isFailing) onFailed(error);
      isFailing = true;
      cancel = clock.setTimer(tryToTell, tellAgainAfterMs);
    }
  };
  tryToTell();
  return () => {
    cancel();
    // What is no file was not told by us.
    if (lstatSync(path(dataDir), { throwIfNoEntry: false })?.isFile() === true) rmSync(path(dataDir), { force: true });
  };
}

/** To read a file writes its time of reading to the disk, and a till at rest writes nothing. */
function isUntouched(file: string, seen: Stats): boolean {
  const now = statSync(file, { throwIfNoEntry: false });
  return (
    now?.ino === seen.ino && now.size === seen.size && now.mtimeMs === seen.mtimeMs && now.ctimeMs === seen.ctimeMs
  );
}

/**
 * What a killed agent has left is found, too: who has to know that it lives asks it (see isAgentAnswering).
 *
 * @returns null when no agent says that it runs on that folder; one that says so of another was copied with its file
 */
export function findRunningAgent(dataDir: string): RunningAgentFacts | null {
  try {
    const told = runningAgentSchema.parse(JSON.parse(readTextFile(path(dataDir)) ?? 'null'));
    return told.folder === undefined || told.folder === folderIdentity(dataDir) ? told : null;
  } catch {
    return null;
  }
}

/**
 * Asks the agent that says that it runs on a folder: the folder's lock may have been deleted under it, and what a killed one
 * has said is still there.
 *
 * @param secret of this folder's office, which no other agent has; null where none ever started there
 */
export async function isAgentAnswering(dataDir: string, secret: string | null): Promise<boolean> {
  const told = findRunningAgent(dataDir);
  if (told?.folder === undefined || secret === null) return false;
  const line = await openProvenLine(told, secret);
  line?.close();
  return line !== null;
}

function folderIdentity(dataDir: string): string {
  const { dev, ino } = statSync(dataDir);
  return `${dev}:${ino}`;
}
