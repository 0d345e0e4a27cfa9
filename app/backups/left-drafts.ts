import { rmSync } from 'node:fs';
import { errorText } from '../../shared/lib/error-code.ts';
import type { Log } from '../machine/log.ts';
import { type BackupDraft, draftIn } from '../store/copies/backup-draft.ts';
import { ownDevices, pathsIn } from './made-backups.ts';

/**
 * Half backups of this till that stand in some folders: one is being made, or was cut off. Another till's are not ours to
 * remove.
 */
export function ownDrafts(dataDir: string, folders: readonly string[]): readonly BackupDraft[] {
  const own = ownDevices(dataDir);
  return folders.flatMap(pathsIn).flatMap((path) => {
    const draft = draftIn(path);
    return draft !== null && own.has(draft.deviceId ?? '') ? [draft] : [];
  });
}

/**
 * Removes from one folder what a run that was cut off has left: it holds customers. What cannot be removed stays, and is
 * logged; nobody waits for it, as no sale could be made meanwhile.
 */
export function removeLeftDrafts(dataDir: string, folder: string, log: Log): void {
  for (const { path, isWritten } of ownDrafts(dataDir, [folder])) {
    if (isWritten) continue;
    try {
      rmSync(path, { force: true });
    } catch (error) {
      const reason = errorText(error);
      log.warn({ reason }, 'Half a backup cannot be removed; that is tried again before the next one');
    }
  }
}
