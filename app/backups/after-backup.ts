import { errorText } from '../../shared/lib/error-code.ts';
import type { Mode } from '../../shared/till/modes.ts';
import type { Log } from '../machine/log.ts';

interface AfterBackupOptions<Subject> {
  /** @throws what is in its way now */
  readonly act: (mode: Mode, subject: Subject) => void;
  /** What is logged when it fails. */
  readonly failed: string;
  readonly log: Log;
}

/** What follows a backup that was made. It is tried again until it succeeds. */
export class AfterBackup<Subject> {
  readonly #options: AfterBackupOptions<Subject>;
  readonly #pending = new Map<Mode, Subject>();
  #failure: string | null = null;

  constructor(options: AfterBackupOptions<Subject>) {
    this.#options = options;
  }

  /** Why it is not done; null when nothing is left to do. */
  get failure(): string | null {
    return this.#failure;
  }

  /** Of a backup after which it is not done yet. */
  pending(mode: Mode): Subject | null {
    return this.#pending.get(mode) ?? null;
  }

  /** In the place of what was pending after the backup before. */
  add(mode: Mode, subject: Subject): void {
    this.#pending.set(mode, subject);
    this.tryAgain();
  }

  /** @returns whether its failure is another one now */
  tryAgain(): boolean {
    const { act, failed, log } = this.#options;
    let failure: string | null = null;
    for (const [mode, subject] of this.#pending) {
      try {
        act(mode, subject);
        this.#pending.delete(mode);
      } catch (error) {
        failure = errorText(error);
      }
    }
    if (failure === this.#failure) return false;
    if (failure !== null) log.warn({ reason: failure }, failed);
    this.#failure = failure;
    return true;
  }
}
