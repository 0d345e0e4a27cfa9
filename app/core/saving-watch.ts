import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import { errorCode, errorText } from '../../shared/lib/error-code.ts';
import type { SavingTrouble } from '../../shared/till/views.ts';
import { isDiskFull } from '../machine/disk-room.ts';
import { isDamage } from '../store/database/open.ts';
import { StoreError } from '../store/versions/store-error.ts';

/** While nothing can be saved, it is tried again this often: the trouble may end while nobody sells. */
const tryEveryMs = 5_000;

export interface NotSaving {
  readonly why: SavingTrouble;
  readonly sinceMs: number;
  /** What SQLite or the file system says. */
  readonly reason: string;
}

/** Knows whether what is handed to the database is saved now. */
export class SavingWatch {
  readonly #options: ConstructorParameters<typeof SavingWatch>[0];
  #trouble: NotSaving | null = null;
  #cancel: CancelTimer = () => undefined;

  constructor(options: {
    readonly clock: Clock;
    /** Saves something that matters to nobody. @throws what hinders it */
    readonly trySaving: () => void;
    readonly onChanged: (trouble: NotSaving | null) => void;
  }) {
    this.#options = options;
  }

  /** Null: what was handed in last was saved. */
  get trouble(): NotSaving | null {
    return this.#trouble;
  }

  saved(): void {
    if (this.#trouble !== null) this.#change(null);
  }

  /** @param error of a commit; one that concerns its own content alone, or a damaged page, is told elsewhere */
  failed(error: unknown): void {
    const why = troubleOf(error);
    if (why === null || why === this.#trouble?.why) return;
    const reason = errorText(error);
    this.#change({ why, reason, sinceMs: this.#trouble?.sinceMs ?? this.#options.clock.now() });
  }

  /** A sale was refused by the database or the disk: somebody has to be told. @param reason when no other is known */
  refused(reason: string): void {
    if (this.#trouble !== null) return;
    this.#change({ why: 'disk_refuses', reason, sinceMs: this.#options.clock.now() });
  }

  close(): void {
    this.#cancel();
  }

  #change(trouble: NotSaving | null): void {
    this.#cancel();
    this.#trouble = trouble;
    if (trouble !== null) this.#tryLater();
    this.#options.onChanged(trouble);
  }

  #tryLater(): void {
    this.#cancel = this.#options.clock.setTimer(() => {
      this.#tryLater();
      this.#tryAgain();
    }, tryEveryMs);
  }

  #tryAgain(): void {
    if (this.#trouble === null) return;
    try {
      this.#options.trySaving();
    } catch (error) {
      this.failed(error);
      return;
    }
    this.saved();
  }
}

/** @returns null for what is no trouble of the disk or the file */
function troubleOf(error: unknown): SavingTrouble | null {
  if (isDiskFull(error)) return 'disk_full';
  if (isDamage(error)) return null;
  const code = errorCode(error);
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'locked';
  const isDisk = /^SQLITE_(IOERR|READONLY|CANTOPEN|PERM)/.test(code) || error instanceof StoreError;
  return isDisk ? 'disk_refuses' : null;
}
