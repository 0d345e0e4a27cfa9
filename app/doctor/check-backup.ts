import { statSync } from 'node:fs';
import type { Notice } from '../../shared/till/views.ts';
import { ageInWords } from '../backups/backup-age.ts';
import { isBackupLate } from '../backups/backup-plan.ts';
import { readLastBackup } from '../backups/last-backup.ts';
import type { Settings } from '../config/settings.ts';
import { lookAtFolder } from '../machine/folder-look.ts';
import { type Finding, problem, warning, well } from './finding.ts';
import { noticeInWords } from './notice-words.ts';

const folderAdvice = 'Mount the share, or name another folder in backup.folder';

/**
 * Whether backups are made, where, and how old the last one is.
 *
 * @param facts.told what a running agent says: it makes them, so what it says of them holds. Null: none runs
 */
export async function checkBackup(
  dataDir: string,
  { mode, backup }: Pick<Settings, 'mode' | 'backup'>,
  { nowMs, told }: { readonly nowMs: number; readonly told: readonly Notice[] | null },
): Promise<readonly Finding[]> {
  const { folder } = backup;
  const last = readLastBackup(dataDir, mode, folder ?? undefined);
  const age =
    last === null
      ? `there is no backup ${folder === null ? 'yet' : `in ${folder}`}`
      : `the last backup is ${ageInWords(nowMs - last.made_at_ms)} old: ${last.file}`;
  if (folder === null) {
    const says = `automatic backup is off; ${age}`;
    return [
      mode === 'production'
        ? warning('backup', says, 'Set backup.folder to a folder on another disk')
        : well('backup', says),
    ];
  }
  const findings: Finding[] = [];
  const notice = told?.find(({ code }) => code === 'backup_late');
  // What the agent tells of it is enough: a share that hangs would keep this program, too.
  const look = notice === undefined ? await lookAtFolder(folder) : null;
  if (look !== null && look.device !== null && look.device === diskOf(dataDir)) {
    const says = `${folder} is on the same disk as the data`;
    findings.push(warning('backup', says, 'Choose a folder on another disk: this folder is lost with the till'));
  }
  const fault = told === null ? (look?.fault ?? null) : null;
  const isLate = told === null && (last === null || isBackupLate({ lastAtMs: last.made_at_ms, sinceMs: nowMs, nowMs }));
  if (notice !== undefined) findings.push(problem('backup', noticeInWords(notice), folderAdvice));
  else if (fault !== null) findings.push(problem('backup', `no backup can be made: ${fault}; ${age}`, folderAdvice));
  else if (isLate) findings.push(warning('backup', age, 'Start the agent, which makes a backup'));
  else findings.push(well('backup', age));
  return findings;
}

function diskOf(path: string): number | null {
  try {
    return statSync(path).dev;
  } catch {
    return null;
  }
}
