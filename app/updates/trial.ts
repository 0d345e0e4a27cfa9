import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RandomSource } from '../../shared/lib/random.ts';
import { type Mode, modes } from '../../shared/till/modes.ts';
import { databasePath, hasDatabase } from '../machine/data-files.ts';
import { rmSync } from '../machine/held-files.ts';
import { isTooNew, newestRowId } from '../store/copies/after-trial.ts';
import { backUp, restoreBackup } from '../store/copies/backup.ts';
import {
  changeUpdateMemory,
  copiesFolder,
  readUpdateMemory,
  readWentBack,
  type Trial,
  wentBackPath,
  writeTrial,
} from './update-files.ts';

interface TrialStart extends Trial {
  readonly dataDir: string;
  /** Of the window that installs. */
  readonly pid: number;
  readonly tillKey: Uint8Array;
  readonly nowMs: number;
}

/**
 * Before the new version is installed, while no agent runs: copies each database, then says that the next start is a trial.
 *
 * @throws BackupError, StoreError, what the file system says: nothing may be installed then
 */
export async function prepareTrial({ dataDir, from, to, pid, tillKey, nowMs }: TrialStart): Promise<void> {
  const folder = copiesFolder(dataDir);
  removeCopies(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const mode of modes.filter((one) => hasDatabase(dataDir, one))) {
    await backUp(databasePath(dataDir, mode), copyOf(dataDir, mode), { mode, nowMs, tillKey });
  }
  writeTrial(dataDir, { from, to }, pid);
}

/** Once a trial is over they are needed no more, and would keep what is to be erased of customers. */
export function removeCopies(dataDir: string): void {
  const folder = copiesFolder(dataDir);
  for (const name of existsSync(folder) ? readdirSync(folder) : []) rmSync(join(folder, name));
}

function copyOf(dataDir: string, mode: Mode): string {
  return join(copiesFolder(dataDir), `${mode}.backup`);
}

export type WayBack =
  | { readonly kind: 'none' }
  | { readonly kind: 'went_back'; readonly from: string; readonly to: string }
  | { readonly kind: 'refused'; readonly line: string };

/**
 * The first start of the version before, after a new one has failed its trial. A database that the new one has changed so
 * that this program would misread it gives way to the copy; what may have been sent since is looked up. A version that has
 * taken an operation has passed its trial, so there is none in between; that is looked at all the same, and where there is
 * one, nothing is put back.
 *
 * @param options.dataDir held by the caller
 * @throws what the database and the file system say
 */
export function settleWayBack(options: {
  readonly dataDir: string;
  readonly tillKey: Uint8Array | null;
  readonly nowMs: number;
  readonly random: RandomSource;
}): WayBack {
  const { dataDir, tillKey, nowMs, random } = options;
  const back = readWentBack(dataDir);
  if (back === null) return { kind: 'none' };
  const { from, to, why } = back;
  const unread = modes.filter((mode) => hasDatabase(dataDir, mode) && isTooNew(databasePath(dataDir, mode)));
  for (const mode of unread) {
    const taken = newestRowId(databasePath(dataDir, mode)) - newestRowId(copyOf(dataDir, mode));
    if (taken > 0) {
      return {
        kind: 'refused',
        line: `Version ${to} has taken ${taken} operations before it failed, and ${from} cannot read its database. Nothing was changed. Install ${to} or a newer version again: the operations are sent then.`,
      };
    }
  }
  for (const mode of unread) {
    restoreBackup(copyOf(dataDir, mode), databasePath(dataDir, mode), {
      random,
      nowMs,
      mode,
      trust: { kind: 'proven', tillKey },
    });
  }
  const { failed_versions: failed } = readUpdateMemory(dataDir);
  changeUpdateMemory(dataDir, {
    failed_versions: [...new Set([...failed, to])].slice(-20),
    went_back: { from: to, to: from, why, at_ms: nowMs, restored: unread.length > 0, noted: false },
  });
  rmSync(wentBackPath(dataDir), { force: true });
  removeCopies(dataDir);
  return { kind: 'went_back', from: to, to: from };
}
