import {
  copyFileSync as copyOnce,
  openSync as openOnce,
  type PathLike,
  readFileSync as readOnce,
  rmSync as removeOnce,
  renameSync as renameOnce,
  writeFileSync as writeOnce,
} from 'node:fs';
import { errorCode } from '../../shared/lib/error-code.ts';
import { monotonicMs } from './monotonic.ts';

/**
 * On Windows a virus scanner, an indexer or a backup opens a file that was just written, and nobody else can open, rename
 * or remove it for a moment. So everything that the agent opens, renames and removes in a data folder goes through here,
 * and is tried again for some seconds. Elsewhere the same codes mean that this user has no right: those are told at once.
 */
const longestWaitMs = 3_000;
/** A file that was waited for in vain is not waited for again so soon: nobody waits longer for each part of a start. */
const noWaitAfterMs = 30_000;
const firstPauseMs = 10;
const longestPauseMs = 250;

const fileCodes: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);

const sqliteHold = /^SQLITE_(CANTOPEN|READONLY|PERM|IOERR_(ACCESS|DELETE|LOCK|UNLOCK|RDLOCK|SHM|TRUNCATE))/;

/** A file that cannot be used now. What stands in it is not known, and may be as it should be. */
export class HeldFileError extends Error {
  /** As the system or SQLite calls it. */
  readonly code: string;

  constructor(path: string, cause: unknown) {
    const code = errorCode(cause);
    super(
      `${path} cannot be used (${code}). Another program may have it open, for example a virus scanner, or this user has no access. Exclude the data folder from scans, or give this user access. Then try again.`,
      { cause },
    );
    this.name = 'HeldFileError';
    this.code = code;
  }
}

/** Whether the reason is that a file cannot be used now, on every system: it says nothing of what stands in the file. */
export function isNoAccess(error: unknown): boolean {
  return fileCodes.has(errorCode(error)) || error instanceof HeldFileError;
}

/**
 * The one line about a file that cannot be used now, wherever it stands in a chain of causes.
 *
 * @returns null when that is not the reason
 */
export function heldFileIn(error: unknown): HeldFileError | null {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    if (current instanceof HeldFileError) return current;
  }
  return null;
}

/** What a wait for a file needs of the machine. */
interface HoldWaitOptions {
  readonly platform: () => NodeJS.Platform;
  readonly monotonicMs: () => number;
  /** Stops this thread. */
  readonly pause: (ms: number) => void;
}

/** Waits for files that another program holds. */
export class HoldWait {
  readonly #options: HoldWaitOptions;
  readonly #givenUpAtMs = new Map<string, number>();

  constructor(options: HoldWaitOptions) {
    this.#options = options;
  }

  /**
   * Does something with a file, and once more while another program holds it. It must leave everything as it was where it
   * fails.
   *
   * @throws HeldFileError when it was held all the time; everything else that `act` throws, at once
   */
  during<Value>(path: PathLike, act: () => Value): Value {
    const { platform, monotonicMs, pause } = this.#options;
    if (platform() !== 'win32') return act();
    const file = String(path);
    const beganAtMs = monotonicMs();
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        const value = act();
        this.#givenUpAtMs.delete(file);
        return value;
      } catch (error) {
        // Given up by a part of it: it has waited long enough.
        if (error instanceof HeldFileError || !isHold(error)) throw error;
        const nowMs = monotonicMs();
        if (this.#isGivenUp(file, nowMs)) throw new HeldFileError(file, error);
        if (nowMs - beganAtMs >= longestWaitMs) {
          this.#givenUpAtMs.set(file, nowMs);
          throw new HeldFileError(file, error);
        }
      }
      pause(pauseMs);
    }
  }

  #isGivenUp(file: string, nowMs: number): boolean {
    const atMs = this.#givenUpAtMs.get(file);
    return atMs !== undefined && nowMs - atMs < noWaitAfterMs;
  }
}

/**
 * SQLite waits by itself for about a second; what it says then. It opens a file that cannot be written for reading alone,
 * and says so with the first write.
 */
function isHold(error: unknown): boolean {
  const code = errorCode(error);
  return fileCodes.has(code) || sqliteHold.test(code);
}

const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));

const systemWait = new HoldWait({
  platform: () => process.platform,
  monotonicMs,
  pause: (ms) => void Atomics.wait(nobodyWakes, 0, 0, ms),
});

/** See HoldWait. @throws HeldFileError */
export function whileHeld<Value>(path: PathLike, act: () => Value): Value {
  return systemWait.during(path, act);
}

// As Node's own, for files of a data folder or of backups. @throws HeldFileError, and what the file system says

export function openSync(path: PathLike, flags: string | number, mode?: number): number {
  return whileHeld(path, () => openOnce(path, flags, mode));
}

export function readFileSync(path: PathLike): Buffer {
  return whileHeld(path, () => readOnce(path));
}

export function writeFileSync(path: PathLike, text: string, options: { readonly mode: number }): void {
  whileHeld(path, () => writeOnce(path, text, options));
}

export function rmSync(path: PathLike, options: { readonly force?: boolean } = {}): void {
  whileHeld(path, () => removeOnce(path, options));
}

/** The one that is held may be either. */
export function renameSync(from: PathLike, to: PathLike): void {
  whileHeld(from, () => renameOnce(from, to));
}

export function copyFileSync(from: PathLike, to: PathLike): void {
  whileHeld(from, () => copyOnce(from, to));
}

/**
 * Gives files new names, all of them or none: a database is never left without its log.
 *
 * @throws HeldFileError, and what the file system says, when none has its new name
 */
export function renameTogether(pairs: readonly (readonly [from: string, to: string])[]): void {
  const done: (readonly [from: string, to: string])[] = [];
  try {
    for (const [from, to] of pairs) {
      renameSync(from, to);
      done.push([from, to]);
    }
  } catch (error) {
    for (const [from, to] of done.toReversed()) renameSync(to, from);
    throw error;
  }
}
