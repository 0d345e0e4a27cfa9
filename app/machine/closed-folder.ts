import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolderError } from './lock.ts';

const others = 0o077;
const othersMayWrite = 0o022;
const sticky = 0o1000;

/** What an agent puts into its data folder. Anything else there is somebody's own, and is not touched. */
const ours =
  /^(?:(?:production|sandbox|sandbox-service)[.-].*|(?:agent|attach|backups|databases|last-start|screen|secrets|settings|settings\.last-good|window)\.json.*|agent\.lock.*|audit(?:\.\d+)?\.jsonl|crashes|logs|support|window)$/;

/** How a data folder stands to the other users of this machine. */
type FolderStanding =
  /** `open`: what others may read or write, and its own user can close. */
  | { readonly kind: 'usable'; readonly open: readonly string[] }
  /** Only a person can repair it. */
  | { readonly kind: 'unfit'; readonly path: string; readonly why: string; readonly advice: string };

/** Looks at a data folder and what is ours in it; changes nothing. Windows keeps rights in another way. */
export function standingOfFolder(dataDir: string): FolderStanding {
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (process.platform === 'win32' || folder === undefined) return { kind: 'usable', open: [] };
  const names = readdirSync(dataDir);
  const foreign = names.filter((name) => !ours.test(name));
  if ((folder.mode & sticky) !== 0 && (folder.mode & othersMayWrite) !== 0) {
    const why = 'every user of this machine may write to the folder';
    return { kind: 'unfit', path: dataDir, why, advice: 'Name a folder of its own with --data-dir.' };
  }
  if ((folder.mode & othersMayWrite) !== 0 && (foreign.length > 0 || !isOwn(folder))) {
    const what = foreign.length > 0 ? `and ${foreign[0]} in it is not Tillbridge's` : 'and another user owns it';
    const advice = `Find out who needs the folder. Then close it (chmod go= ${dataDir}), or name another with --data-dir.`;
    return { kind: 'unfit', path: dataDir, why: `other users may change its files, ${what}`, advice };
  }
  const found = names.filter((name) => ours.test(name)).flatMap((name) => entriesUnder(join(dataDir, name)));
  const anothers = found.find(({ stats }) => !isOwn(stats));
  if (anothers !== undefined) {
    const why = `${anothers.path} belongs to another user, who may have put it there`;
    return {
      kind: 'unfit',
      path: dataDir,
      why,
      advice: `Find out what the file is. Then delete it, or give it to this user.`,
    };
  }
  // Open secrets may have been read: they are refused, not repaired (secrets.ts).
  const open = found.filter(({ path, stats }) => (stats.mode & others) !== 0 && path !== join(dataDir, 'secrets.json'));
  const isOpen = (folder.mode & others) !== 0 && foreign.length === 0;
  return { kind: 'usable', open: [...(isOpen ? [dataDir] : []), ...open.map(({ path }) => path)] };
}

/**
 * Takes what an agent keeps away from the other users of this machine: an older version, a copy or a person may have
 * left it open.
 *
 * @returns what was open
 * @throws DataFolderError where only a person can repair it
 */
export function closeToOthers(dataDir: string): readonly string[] {
  const standing = standingOfFolder(dataDir);
  if (standing.kind === 'unfit') throw new DataFolderError(standing.path, standing.why, ` ${standing.advice}`);
  for (const path of standing.open) {
    try {
      chmodSync(path, statSync(path).mode & 0o700);
    } catch (error) {
      throw new DataFolderError(path, error, ` Other users may read or write it: chmod go= ${path}`);
    }
  }
  return standing.open;
}

interface Entry {
  readonly path: string;
  readonly stats: Stats;
}

/** A link is left alone: what it leads to is not ours to change. */
function entriesUnder(path: string): readonly Entry[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink()) return [];
  const below = stats.isDirectory() ? readdirSync(path).flatMap((name) => entriesUnder(join(path, name))) : [];
  return [{ path, stats }, ...below];
}

/** The administrator can change every file anyway, and so is no other user here. */
function isOwn({ uid }: Stats): boolean {
  const user = process.getuid?.();
  return user === 0 || uid === user || uid === 0;
}
