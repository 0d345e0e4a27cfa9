import { modes } from '../../../shared/till/modes.ts';
import type { WaitingByMode } from '../../../shared/till/settings-views.ts';
import { namedDataDir, ownDataDir } from '../../config/data-dir.ts';
import { typed } from '../../machine/installed.ts';
import { servicePlaces } from '../../machine/service-places.ts';
import { asStartingLogin } from '../../machine/starting-login.ts';
import { waitingIn } from '../../store/copies/waiting-counts.ts';
import { waitingOperations } from '../waiting-words.ts';

/** Operations that a service does not send, because they wait in the folder that a login's own agent has. */
interface LeftBehind {
  readonly dataDir: string;
  readonly waiting: WaitingByMode;
}

/**
 * What waits in the folders that the login's agent has where no service is installed: the one that the environment names,
 * and the platform's own.
 */
export function lookForLeftBehind(environment: Readonly<Record<string, string | undefined>>): readonly LeftBehind[] {
  return asStartingLogin(environment, (home) => {
    if (home === null) return [];
    const named = namedDataDir(environment);
    const own = ownDataDir(environment, process.platform, home);
    const folders = new Set([named, own].filter((folder) => folder !== null));
    // What waits there the service sends.
    folders.delete(servicePlaces(environment).dataDir);
    const found = [...folders].map((dataDir) => ({ dataDir, waiting: waitingIn(dataDir) }));
    return found.filter(({ waiting }) => modes.some((mode) => waiting[mode] !== 0));
  });
}

/**
 * Whether an installation has to wait for them. Those of practice are no customer's. Where the service is installed
 * already, they were left behind before, and to refuse its repair keeps nothing.
 */
export function isInTheWay({ waiting }: LeftBehind, install: { readonly isFirst: boolean }): boolean {
  return install.isFirst && waiting.production !== 0;
}

/** Why nothing is installed, in one line. */
export function inTheWayWords(left: LeftBehind): string {
  return `Not installed: ${whatWaits(left)} ${sendFirst(left)}, then install the service. --yes installs it, and leaves them there.`;
}

/** What to do about them once the service is there, in one line. */
export function leftBehindWords(left: LeftBehind): string {
  return `Left behind: ${whatWaits(left)} ${sendFirst(left)}.`;
}

/** The folder is named: the environment may name another one. */
function sendFirst({ dataDir }: LeftBehind): string {
  return `As this login, open Tillbridge with --port 0 --data-dir "${dataDir}", until ${typed('status')} with this --data-dir shows Waiting 0`;
}

function whatWaits({ dataDir, waiting }: LeftBehind): string {
  return `${waitingOperations(waiting)} waiting in ${dataDir}, the folder of this login's own agent. The service does not send them.`;
}
