import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { errorCode } from '../../shared/lib/error-code.ts';
import { makePrivateFolder } from './files.ts';
import { type FileStanding, type FolderAccess, RightsError } from './folder-access.ts';
import { DataFolderError } from './lock.ts';
import { posixAccess } from './posix-access.ts';
import { windowsAccess } from './windows-access.ts';
import { nameOfSid } from './windows-rights.ts';

/**
 * What an agent puts into its data folder. Anything else there is somebody's own, and is not touched. The rooms above
 * this one name most of them, so a test looks whether an agent that has run left anything else.
 */
const ours =
  /^(?:(?:production|sandbox|sandbox-service)[.-].*|(?:agent|attach|backups|customer-screen|databases|last-start|screen|secrets|settings|settings\.last-good|window)\.json.*|agent\.lock.*|audit(?:\.\d+)?\.jsonl|crashes|logs|support|updates|window)$/;

const thisSystem: FolderAccess = process.platform === 'win32' ? windowsAccess() : posixAccess;

/** How a data folder stands to the other users of this machine. */
type FolderStanding =
  /** `open`: what others may read or write, and its own user can close. */
  | { readonly kind: 'usable'; readonly open: readonly FileStanding[] }
  /** The system does not say who may use it. */
  | { readonly kind: 'unknown'; readonly why: string }
  /** Only a person can repair it. */
  | { readonly kind: 'unfit'; readonly path: string; readonly why: string; readonly advice: string };

/** Of something else that is named as the data folder. */
export const notAFolder = { why: 'it is not a folder', advice: 'Name a folder with --data-dir.' } as const;

/** Looks at a data folder and what is ours in it; changes nothing. */
export function standingOfFolder(dataDir: string, access: FolderAccess = thisSystem): FolderStanding {
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (folder === undefined || access.isClosedPlace(dataDir)) return { kind: 'usable', open: [] };
  if (!folder.isDirectory()) return { kind: 'unfit', path: dataDir, ...notAFolder };
  const noPlace = access.whyNoPlace(dataDir);
  if (noPlace !== null) {
    return { kind: 'unfit', path: dataDir, why: noPlace, advice: 'Name a folder of its own with --data-dir.' };
  }
  const names = readdirSync(dataDir);
  const foreign = names.filter((name) => !ours.test(name));
  const paths = names.filter((name) => ours.test(name)).flatMap((name) => pathsUnder(join(dataDir, name)));
  try {
    const [own, ...found] = access.look(
      dataDir,
      paths.map((path) => relative(dataDir, path)),
    );
    return own === undefined ? { kind: 'usable', open: [] } : judge({ folder: own, found, foreign, access });
  } catch (error) {
    if (error instanceof RightsError) return { kind: 'unknown', why: error.message };
    throw error;
  }
}

function judge({
  folder,
  found,
  foreign,
  access,
}: {
  readonly folder: FileStanding;
  readonly found: readonly FileStanding[];
  /** Names of what is not Tillbridge's. */
  readonly foreign: readonly string[];
  readonly access: FolderAccess;
}): FolderStanding {
  const { path } = folder;
  const isOpen = folder.othersMay !== 'nothing';
  const mustClose = folder.othersMay === 'write' || (isOpen && access.isInherited);
  if ((mustClose && foreign.length > 0) || (!folder.isOwn && (mustClose || access.isInherited))) {
    const may = folder.othersMay === 'read' ? 'read' : 'change';
    const what = folder.isOwn ? `and ${foreign[0]} in it is not Tillbridge's` : 'and another user owns it';
    const advice = `Find out who needs the folder. Then close it (${access.howToClose(path)}), or name another with --data-dir.`;
    return { kind: 'unfit', path, why: `other users${inBrackets(folder)} may ${may} its files, ${what}`, advice };
  }
  const anothers = found.find(({ isOwn }) => !isOwn);
  if (anothers !== undefined) {
    const why = `${anothers.path} belongs to another user, who may have put it there`;
    return { kind: 'unfit', path, why, advice: `Find out what the file is. Then delete it, or give it to this user.` };
  }
  // Modes that were opened by hand may have let somebody read the secrets: they are refused, not repaired (secrets.ts).
  const left = access.isInherited ? null : join(path, 'secrets.json');
  const open = found.filter((one) => one.othersMay !== 'nothing' && one.path !== left);
  return { kind: 'usable', open: [...(isOpen && foreign.length === 0 ? [folder] : []), ...open] };
}

function inBrackets({ others }: FileStanding): string {
  return others.length === 0 ? '' : ` (${others.map(nameOfSid).join(', ')})`;
}

/** What was done at the start about other users of this machine. */
interface ClosedFolder {
  /** What was open, and is not any more. */
  readonly wereOpen: readonly string[];
  /** One line where nobody knows who may use the folder; else null. */
  readonly unknown: string | null;
}

/**
 * Takes what an agent keeps away from the other users of this machine: an older version, a copy or a person may have
 * left it open.
 *
 * @throws DataFolderError where only a person can repair it
 */
export function closeToOthers(dataDir: string, access: FolderAccess = thisSystem): ClosedFolder {
  // It would be made later with the rights of the folder above.
  if (access.isInherited && !access.isClosedPlace(dataDir)) makePrivateFolder(dataDir);
  const standing = standingOfFolder(dataDir, access);
  switch (standing.kind) {
    case 'unfit':
      throw new DataFolderError(standing.path, standing.why, ` ${standing.advice}`);
    case 'unknown':
      return { wereOpen: [], unknown: unknownInWords(dataDir, standing.why, access) };
    case 'usable':
      break;
  }
  const wereOpen = standing.open.map(({ path }) => path);
  if (wereOpen.length === 0) return { wereOpen, unknown: null };
  const advice = ` Other users may read or write it: ${access.howToClose(wereOpen[0] ?? dataDir)}`;
  try {
    access.close(dataDir, standing.open);
  } catch (error) {
    // Its rights are not what has to change there.
    const how =
      errorCode(error) === 'EROFS' ? ' Let its disk be written, or name another folder with --data-dir.' : advice;
    throw new DataFolderError(wereOpen[0] ?? dataDir, error, how);
  }
  return { wereOpen, unknown: access.isInherited ? stillOpen(dataDir, access, advice) : null };
}

/** Whether a program of the system has closed it is seen, and not assumed. @returns a line where that is not known */
function stillOpen(dataDir: string, access: FolderAccess, advice: string): string | null {
  const standing = standingOfFolder(dataDir, access);
  switch (standing.kind) {
    case 'unfit':
      throw new DataFolderError(standing.path, standing.why, ` ${standing.advice}`);
    case 'unknown':
      return unknownInWords(dataDir, standing.why, access);
    case 'usable': {
      const [first] = standing.open;
      if (first === undefined) return null;
      throw new DataFolderError(first.path, `it could not be closed to other users${inBrackets(first)}`, advice);
    }
  }
}

/** What a person types to close a folder to the other users of this machine. */
export function howToClose(path: string, access: FolderAccess = thisSystem): string {
  return access.howToClose(path);
}

function unknownInWords(dataDir: string, why: string, access: FolderAccess): string {
  return `${dataDir} may be open to other users of this machine: ${why}. Look at its rights. To close it: ${access.howToClose(dataDir)}`;
}

/** A link is left alone: what it leads to is not ours to change. */
function pathsUnder(path: string): readonly string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink()) return [];
  return [path, ...(stats.isDirectory() ? readdirSync(path).flatMap((name) => pathsUnder(join(path, name))) : [])];
}
