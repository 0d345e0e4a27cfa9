import { isDeepStrictEqual } from 'node:util';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import { stampsOf } from '../machine/file-stamps.ts';

/** How soon a file is told of that store IT has deployed to a running till. */
export const lookEveryMs = 15_000;

interface FileFindings {
  /** One line each; empty when the files are in order. */
  readonly faults: readonly string[];
  /** What could not be checked of them: one line; else null. */
  readonly doubt: string | null;
}

interface SettingsFilesOptions {
  /** The files, and what else says whether they are used. */
  readonly paths: readonly string[];
  /** What was found at the start. */
  readonly found: FileFindings;
  /** Puts back what the agent itself keeps beside them: at each look, before they are read, and at the end. */
  readonly putBack: () => void;
  readonly read: () => Promise<FileFindings>;
  readonly clock: Clock;
  readonly onChanged: () => void;
}

/** Watches the settings files of a running agent. They are read again only when one of them has changed. */
export class SettingsFiles {
  readonly #options: SettingsFilesOptions;
  #found: FileFindings;
  #stamps: string;
  #cancel: CancelTimer = () => undefined;

  constructor(options: SettingsFilesOptions) {
    this.#options = options;
    this.#found = options.found;
    this.#stamps = stampsOf(options.paths);
    this.#wait();
  }

  get found(): FileFindings {
    return this.#found;
  }

  close(): void {
    this.#cancel();
    this.#options.putBack();
  }

  #wait(): void {
    this.#cancel = this.#options.clock.setTimer(() => {
      this.#wait();
      void this.#look();
    }, lookEveryMs);
  }

  async #look(): Promise<void> {
    const { paths, putBack, read, onChanged } = this.#options;
    putBack();
    const stamps = stampsOf(paths);
    if (stamps === this.#stamps) return;
    try {
      const found = await read();
      this.#stamps = stamps;
      if (isDeepStrictEqual(found, this.#found)) return;
      this.#found = found;
      onChanged();
    } catch {
      // The secrets cannot be read at this moment: they are read again at the next look.
    }
  }
}
