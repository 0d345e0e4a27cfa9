import { chmodSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileStanding, FolderAccess, Writers } from './folder-access.ts';

const others = 0o077;
const othersMayWrite = 0o022;
const sticky = 0o1000;

/** A user and the bits of a mode. */
export const posixAccess: FolderAccess = {
  isInherited: false,
  isClosedPlace: () => false,
  whyNoPlace(dataDir) {
    const { mode } = statSync(dataDir);
    const isForAll = (mode & sticky) !== 0 && (mode & othersMayWrite) !== 0;
    return isForAll ? 'every user of this machine may write to the folder' : null;
  },
  look: (dataDir, names) => [dataDir, ...names.map((name) => join(dataDir, name))].map(fileStandingOf),
  close(_dataDir, open) {
    for (const { path } of open) chmodSync(path, statSync(path).mode & 0o700);
  },
  howToClose: (path) => `chmod go= ${path}`,
};

/** Whether the administrator alone can change a file. */
export function posixWriters(path: string): Writers {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) return { kind: 'administrators' };
  if (file.uid !== 0) return { kind: 'others', why: 'its owner is not root' };
  if (mayOthersWrite(file)) return { kind: 'others', why: 'other users may write it' };
  const folder = statSync(dirname(path));
  return folder.uid !== 0 || mayOthersWrite(folder)
    ? { kind: 'others', why: `other users may write ${dirname(path)}` }
    : { kind: 'administrators' };
}

function mayOthersWrite({ mode, gid }: Stats): boolean {
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== 0);
}

function fileStandingOf(path: string): FileStanding {
  const stats = statSync(path, { throwIfNoEntry: false });
  // A running agent has removed it meanwhile.
  if (stats === undefined) return { path, isOwn: true, othersMay: 'nothing', others: [], listed: [] };
  const { mode } = stats;
  const othersMay = (mode & othersMayWrite) !== 0 ? 'write' : (mode & others) !== 0 ? 'read' : 'nothing';
  return { path, isOwn: isOwn(stats), othersMay, others: [], listed: [] };
}

/** The administrator can change every file anyway, and so is no other user here. */
function isOwn({ uid }: Stats): boolean {
  const user = process.getuid?.();
  return user === 0 || uid === user || uid === 0;
}
