// Not from node:fs/promises: Node makes these when they are first used, and 3 ms of each start are spared.
import { constants, promises } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { errorText } from '../../shared/lib/error-code.ts';
import { isAbsence } from './files.ts';
import { askedAside } from './thread-calls.ts';

/** What a look at a folder has found. */
interface FolderLook {
  /** Why nothing can be written there now; null when it can. */
  readonly fault: string | null;
  /** The disk that it is on; null where that is not known. */
  readonly device: number | null;
}

const longestLookMs = 2_000;

/** By folder. Each that hangs keeps a thread of the few that the process has for files, so there is one of each folder. */
const underWay = new Map<string, Promise<FolderLook>>();

/**
 * Whether a folder, which may be on a share, can be written to. It is asked beside the program, and for 2 seconds at most: a
 * share that hangs must not stop the till.
 */
export function lookAtFolder(folder: string): Promise<FolderLook> {
  const look = underWay.get(folder) ?? beginLook(folder);
  const fault = `${folder} does not answer. Look whether its share is there`;
  return Promise.race([look, setTimeout(longestLookMs, { fault, device: null }, { ref: false })]);
}

function beginLook(folder: string): Promise<FolderLook> {
  const look = askedAside(looked(folder)).finally(() => underWay.delete(folder));
  underWay.set(folder, look);
  return look;
}

async function looked(folder: string): Promise<FolderLook> {
  let device: number | null = null;
  try {
    const found = await promises.stat(folder).catch(nullWhenAbsent);
    if (found === null) return { fault: `${folder} does not exist. Mount its share, or create the folder`, device };
    device = found.dev;
    if (!found.isDirectory()) return { fault: `${folder} is not a folder`, device };
    await promises.access(folder, constants.W_OK | constants.X_OK);
    return { fault: null, device };
  } catch (error) {
    return { fault: errorText(error), device };
  }
}

function nullWhenAbsent(error: unknown): null {
  if (isAbsence(error)) return null;
  throw error;
}
