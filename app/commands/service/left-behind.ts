import { type Mode, modes } from '../../../shared/till/modes.ts';
import { countWaiting } from '../../agent/draining.ts';
import { namedDataDir, ownDataDir } from '../../config/data-dir.ts';
import { databasePath, hasDatabase } from '../../machine/data-files.ts';
import { typed } from '../../machine/installed.ts';
import { servicePlaces } from '../../machine/service-places.ts';
import { asStartingLogin } from '../../machine/starting-login.ts';

/** Operations that a service does not send, because they wait in the folder that a login's own agent has. */
interface LeftBehind {
  readonly dataDir: string;
  /** Null: the database of this mode cannot be read, and may hold some. */
  readonly waiting: Readonly<Record<Mode, number | null>>;
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
    const folders = new Set(named === null ? [own] : [named, own]);
    // What waits there the service sends.
    folders.delete(servicePlaces(environment).dataDir);
    return [...folders].map(waitingIn).filter(({ waiting }) => modes.some((mode) => waiting[mode] !== 0));
  });
}

function waitingIn(dataDir: string): LeftBehind {
  const inMode = (mode: Mode) => (hasDatabase(dataDir, mode) ? countWaiting(databasePath(dataDir, mode)) : 0);
  return { dataDir, waiting: { sandbox: inMode('sandbox'), production: inMode('production') } };
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
  const parts = modes.flatMap((mode) => {
    const count = waiting[mode];
    if (count === 0) return [];
    return [`${count ?? 'nobody knows how many'} ${count === 1 ? 'operation' : 'operations'} of ${mode} mode`];
  });
  return `${parts.join(' and ')} waiting in ${dataDir}, the folder of this login's own agent. The service does not send them.`;
}
