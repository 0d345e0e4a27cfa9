import { errorText } from '../../shared/lib/error-code.ts';
import { DataFolderInUseError } from '../machine/lock.ts';
import { BackupUncheckedError } from '../store/copies/backup.ts';
import { noteNotInstalled, removeTrial } from './update-files.ts';

/** Another program is installing something at this moment. */
export class InstallerBusyError extends Error {}

/** `starts_by_itself`: the installer ends this program and starts the new version, as on Windows. */
export type AfterInstaller = 'start_again' | 'starts_by_itself';

/**
 * Ends the agent and installs. Whatever is in the way of that, a version starts again: without it, a window that nobody
 * sees would keep the data folder, and nothing would sell.
 */
export async function closeAndInstall(parts: {
  readonly dataDir: string;
  /** The one that is installed. */
  readonly version: string;
  readonly endAgent: () => Promise<void>;
  /** Nothing was installed when it throws. */
  readonly install: () => Promise<AfterInstaller>;
  readonly startAgain: () => void;
  /** @param line for whoever looks why it was not installed */
  readonly tell: (line: string) => void;
  readonly nowMs: () => number;
}): Promise<void> {
  const { dataDir, version, tell, nowMs } = parts;
  let after: AfterInstaller = 'start_again';
  try {
    await parts.endAgent();
    after = await parts.install();
  } catch (error) {
    const reason = errorText(error);
    tell(`The update was not installed: ${reason}`);
    const isPassing = passing.some((kind) => error instanceof kind);
    try {
      removeTrial(dataDir);
      noteNotInstalled(dataDir, { version, reason, isPassing, nowMs: nowMs() });
    } catch (noteError) {
      tell(`That could not be noted: ${errorText(noteError)}`);
    }
  }
  if (after === 'start_again') parts.startAgain();
}

/** What the next try may not meet again. */
const passing = [DataFolderInUseError, InstallerBusyError, BackupUncheckedError];
