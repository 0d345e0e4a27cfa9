import { errorText } from '../../../shared/lib/error-code.ts';
import { StoreError } from '../../store/versions/store-error.ts';

/** Nothing of what was asked for is written down. */
export interface NotSaved {
  readonly kind: 'not_saved';
  /** What SQLite, the file system or the program says. */
  readonly message: string;
  /** The program's own fault: the disk and the database take what they are given. */
  readonly isFault?: boolean;
}

/** @param error of a commit that was rolled back */
export function notSaved(error: unknown): NotSaved {
  const message = errorText(error);
  return { kind: 'not_saved', message, ...(isOfDisk(error) ? {} : { isFault: true }) };
}

/** Whether SQLite or the file system says it. */
function isOfDisk(error: unknown): boolean {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    if (current.name === 'SqliteError' || current instanceof StoreError || 'syscall' in current) return true;
  }
  return false;
}
