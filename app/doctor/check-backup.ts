import { accessSync, constants, statSync } from 'node:fs';
import { ageInWords } from '../backups/backup-age.ts';
import { checkBackupFolder } from '../backups/backup-files.ts';
import { isBackupLate } from '../backups/backup-plan.ts';
import type { Settings } from '../config/settings.ts';
import { readLastBackup } from '../last-backup.ts';
import { type Finding, problem, warning, well } from './finding.ts';

/** Whether backups are made, where, and how old the last one is. */
export function checkBackup(
  dataDir: string,
  { mode, backup }: Pick<Settings, 'mode' | 'backup'>,
  nowMs: number,
): readonly Finding[] {
  const last = readLastBackup(dataDir, mode);
  const age =
    last === null
      ? 'none was ever made here'
      : `the last one is ${ageInWords(nowMs - last.made_at_ms)} old: ${last.file}`;
  const { folder } = backup;
  if (folder === null) {
    const says = `none is made by itself; ${age}`;
    return [
      mode === 'production'
        ? warning('backup', says, 'Set backup.folder to a folder on another disk')
        : well('backup', says),
    ];
  }
  const findings: Finding[] = [];
  try {
    checkBackupFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (statSync(folder).dev === statSync(dataDir).dev) {
      const says = `${folder} is on the same disk as the data`;
      findings.push(warning('backup', says, 'Choose one on another disk: this one is lost with the till'));
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    findings.push(
      problem('backup', `cannot be made: ${reason}`, 'Mount the share, or name another folder in backup.folder'),
    );
  }
  const isLate = isBackupLate({ lastAtMs: last?.made_at_ms ?? null, sinceMs: nowMs, nowMs });
  findings.push(isLate ? warning('backup', age, 'Look whether the agent runs, and at its log') : well('backup', age));
  return findings;
}
