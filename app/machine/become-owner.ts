import { statSync } from 'node:fs';

/**
 * Goes on as the owner of a data folder where the administrator has started this process: what it makes there is then the
 * owner's, who has to read it, and no link that the owner puts there leads the administrator elsewhere. There is no way
 * back.
 */
export function becomeOwnerOf(dataDir: string): boolean {
  if (process.getuid?.() !== 0) return false;
  const owner = statSync(dataDir, { throwIfNoEntry: false });
  if (owner === undefined || owner.uid === 0) return false;
  process.setgroups?.([owner.gid]);
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
  return true;
}
