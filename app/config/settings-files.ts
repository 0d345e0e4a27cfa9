import { statSync } from 'node:fs';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';

/** How soon a file is told of that store IT has deployed to a running till. */
export const lookEveryMs = 15_000;

interface SettingsFilesOptions {
  readonly paths: readonly string[];
  /** What was wrong with them at the start. */
  readonly faults: readonly string[];
  readonly readFaults: () => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly onChanged: () => void;
}

/** Watches the settings files of a running agent. They are read again only when one of them was written. */
export class SettingsFiles {
  readonly #options: SettingsFilesOptions;
  #faults: readonly string[];
  #stamps: string;
  #cancel: CancelTimer = () => undefined;

  constructor(options: SettingsFilesOptions) {
    this.#options = options;
    this.#faults = options.faults;
    this.#stamps = stampsOf(options.paths);
    this.#wait();
  }

  /** One line each; empty when the files are in order. */
  get faults(): readonly string[] {
    return this.#faults;
  }

  close(): void {
    this.#cancel();
  }

  #wait(): void {
    this.#cancel = this.#options.clock.setTimer(() => {
      this.#wait();
      void this.#look();
    }, lookEveryMs);
  }

  async #look(): Promise<void> {
    const { paths, readFaults, onChanged } = this.#options;
    const stamps = stampsOf(paths);
    if (stamps === this.#stamps) return;
    try {
      const faults = await readFaults();
      this.#stamps = stamps;
      if (faults.join('\n') === this.#faults.join('\n')) return;
      this.#faults = faults;
      onChanged();
    } catch {
      // The secrets cannot be read at this moment: they are read again at the next look.
    }
  }
}

function stampsOf(paths: readonly string[]): string {
  return paths.map(stampOf).join(' ');
}

function stampOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? 'none' : `${found.mtimeMs}/${found.size}/${found.ino}`;
  } catch {
    return 'unreadable';
  }
}
