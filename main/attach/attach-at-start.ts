import { userInfo } from 'node:os';
import { exitCodes } from '../../app/commands/exit-codes.ts';
import { DataFolderError, isDataFolderLocked } from '../../app/machine/lock.ts';
import { version } from '../../app/machine/version.ts';
import { type AttachedTill, type AttachState, attachTill, newWindowName } from './attached-till.ts';
import type { WindowPlace } from './window-place.ts';

type AttachOutcome =
  /** No agent runs there, so this process starts its own. */
  | { readonly kind: 'host' }
  | { readonly kind: 'attached'; readonly till: AttachedTill }
  /** The problems, one line each, for the person who started it. */
  | { readonly kind: 'refused'; readonly exitCode: number; readonly problems: readonly string[] };

/**
 * How long to wait at the start. A starting agent cannot be reached yet, and a command of store IT holds the folder
 * while it works. When a service is away, the window opens and waits for it.
 */
const usualWaitMs = { ofService: 2_000, ofLogin: 20_000 } as const;
const folderLookMs = 200;

/**
 * Decides at the start whether the window connects to an agent that runs already.
 *
 * @param waitMs how long the agent may take to answer or to free the folder
 */
export async function attachAtStart(
  place: WindowPlace,
  waitMs: number = usualWaitMs[place.isOfService ? 'ofService' : 'ofLogin'],
): Promise<AttachOutcome> {
  if (!place.isOfService && !isLocked(place.dataDir)) return { kind: 'host' };
  const till = attachTill({ folder: place.attachFolder, version, name: newWindowName(userInfo().username) });
  const isFree = () => !place.isOfService && till.state.kind === 'lost' && !isLocked(place.dataDir);
  const state = await firstState(till, { waitMs, isFree });
  const problem = state === 'free' ? null : problemOf(state, place);
  if (problem === null && state !== 'free') return { kind: 'attached', till };
  till.close();
  if (problem === null) return { kind: 'host' };
  return { kind: 'refused', exitCode: exitCodes.outOfReach, problems: [problem] };
}

function isLocked(dataDir: string): boolean {
  try {
    return isDataFolderLocked(dataDir);
  } catch (error) {
    // The agent's own start reports what is wrong with the folder.
    if (error instanceof DataFolderError) return false;
    throw error;
  }
}

/** @returns `free`: the program that had the folder has ended, and was no agent for windows */
function firstState(
  till: AttachedTill,
  { waitMs, isFree }: { readonly waitMs: number; readonly isFree: () => boolean },
): Promise<AttachState | 'free'> {
  return new Promise((resolve) => {
    const done = (state: AttachState | 'free'): void => {
      clearTimeout(patience);
      clearInterval(looks);
      endListening();
      resolve(state);
    };
    const patience = setTimeout(() => done(till.state), waitMs);
    const looks = setInterval(() => {
      if (isFree()) done('free');
    }, folderLookMs);
    const endListening = till.onState(done);
  });
}

function problemOf(state: AttachState, { isOfService, dataDir }: WindowPlace): string | null {
  switch (state.kind) {
    case 'open':
      return null;
    case 'lost':
      return isOfService
        ? null
        : `${dataDir} is in use: by a command of store IT, or by an agent that lets no window in or does not answer. Wait for the command, or stop the agent. Then start Tillbridge again.`;
    case 'denied':
      return `This user may not open the Tillbridge of this machine. Ask store IT: ${joinGroup()}. Then sign out and in again.`;
    case 'other_version':
      return `The Tillbridge of this machine is version ${state.version}, and this window is version ${version}. Close it and open it again. Still there? Ask store IT to install one version.`;
  }
}

function joinGroup(): string {
  const { username } = userInfo();
  if (process.platform === 'win32') return `net localgroup Tillbridge "${username}" /add`;
  if (process.platform === 'darwin') return `sudo dseditgroup -o edit -a ${username} -t user _tillbridge`;
  return `sudo usermod -aG tillbridge ${username}`;
}
