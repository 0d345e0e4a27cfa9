import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { readTextFile } from '../machine/files.ts';
import {
  feedName,
  maxFeedBytes,
  type PackageKind,
  packageKinds,
  type Release,
  readFeed,
  signatureName,
} from './feed.ts';
import { compareVersions } from './version-order.ts';

interface PackageInstaller {
  /** Of the installed package. */
  readonly version: string;
  readonly platform: string;
  readonly packageKind: PackageKind;
  readonly feedKeys: readonly string[];
  readonly mayGoDown: boolean;
  /** Where packages are kept that can be gone back to: root's alone. */
  readonly kept: string;
  /** Runs the system's package manager. @throws when it fails */
  readonly install: (file: string) => void;
}

/** Another program installs something: nothing is wrong with the package. */
export class PackageManagerBusyError extends Error {}

/** By it the window learns of that. The usual one for a failure that passes. */
export const busyExitCode = 75;

const busyWaitMs = 20_000;
const busyLookMs = 1_000;

/**
 * Runs dpkg or rpm, in English. dpkg does not wait while another one runs, such as the system's own updates: it is asked again.
 *
 * @throws PackageManagerBusyError, Error with what it said last
 */
export function runPackageManager(
  run: () => { readonly status: number | null; readonly stderr: string },
  { program, pause }: { readonly program: string; readonly pause: (ms: number) => void },
): void {
  for (let waitedMs = 0; ; waitedMs += busyLookMs) {
    const { status, stderr } = run();
    if (status === 0) return;
    const said = `${program} ended with ${status}: ${stderr.trim().split('\n').join('; ')}`;
    if (!stderr.includes('locked by another process')) throw new Error(said);
    if (waitedMs >= busyWaitMs) throw new PackageManagerBusyError(said);
    pause(busyLookMs);
  }
}

type InstallOutcome =
  | { readonly kind: 'installed'; readonly version: string }
  | { readonly kind: 'refused'; readonly line: string };

/**
 * The half of an update that runs as root. It believes nothing that it is handed: what it installs is its own copy of the
 * package, and only after the feed's signature and the sum of that copy.
 *
 * @param given.folder with the feed and its signature
 * @throws what the file system and the package manager say
 */
export function installUpdate(
  given: { readonly folder: string; readonly file: string },
  installer: PackageInstaller,
): InstallOutcome {
  const { version, platform, packageKind, feedKeys, mayGoDown, kept, install } = installer;
  const feed = join(given.folder, feedName(platform));
  const bytes = firstBytes(feed, maxFeedBytes);
  const signature = readTextFile(signatureName(feed)) ?? '';
  const outcome = readFeed({ bytes, signature }, { keys: feedKeys, platform, packageKind });
  if (outcome.kind === 'refused') return outcome;
  const { release } = outcome;
  if (compareVersions(release.version, version) < 0 && !mayGoDown) {
    return { kind: 'refused', line: `${release.version} is older than ${version}, which is installed` };
  }
  const end = packageKinds[packageKind];
  mkdirSync(kept, { recursive: true });
  chmodSync(kept, 0o755);
  const next = join(ownFolder(kept), `next${end}`);
  try {
    if (copyAndSum(given.file, next, release.package.byteCount) !== release.package.sha512) {
      return { kind: 'refused', line: `${given.file} is not the package that the feed names` };
    }
    keepBefore(installer);
    try {
      install(next);
    } catch (error) {
      const before = keptAs(kept, 'before', packageKind);
      if (readTextFile(before.version)?.trim() === version) move(before, keptAs(kept, 'installed', packageKind));
      throw error;
    }
    keepInstalled(kept, { next, end, release });
    return { kind: 'installed', version: release.version };
  } finally {
    rmSync(dirname(next), { recursive: true, force: true });
  }
}

/**
 * A folder that no other run has ever had: one that writes into its own copy still, as of a file that comes slowly, never
 * writes into what was proven here. What a power cut has left of an earlier one is removed.
 */
function ownFolder(kept: string): string {
  const left = readdirSync(kept).filter((name) => name.startsWith('next'));
  for (const name of left) rmSync(join(kept, name), { recursive: true, force: true });
  return mkdtempSync(join(kept, 'next-'));
}

/** The package of the version that runs becomes the one to go back to. One that is not kept leaves no way back. */
function keepBefore({ kept, version, packageKind }: PackageInstaller): void {
  const [installed, before] = [keptAs(kept, 'installed', packageKind), keptAs(kept, 'before', packageKind)];
  // One that was cut off between its two files is finished.
  if (existsSync(before.file) && !existsSync(before.version) && !existsSync(installed.file))
    moveVersion(installed, before);
  const isInstalledKept = existsSync(installed.file) && readTextFile(installed.version)?.trim() === version;
  // It was there already when an installation was cut off.
  if (!isInstalledKept && readTextFile(before.version)?.trim() === version) return;
  rmSync(before.version, { force: true });
  rmSync(before.file, { force: true });
  if (isInstalledKept) move(installed, before);
}

interface KeptAs {
  readonly file: string;
  readonly version: string;
}

function keptAs(kept: string, name: string, kind: PackageKind): KeptAs {
  return { file: join(kept, `${name}${packageKinds[kind]}`), version: join(kept, `${name}.version`) };
}

function move(from: KeptAs, to: KeptAs): void {
  renameSync(from.file, to.file);
  moveVersion(from, to);
}

function moveVersion(from: KeptAs, to: KeptAs): void {
  if (existsSync(from.version)) renameSync(from.version, to.version);
}

function keepInstalled(
  kept: string,
  { next, end, release }: { readonly next: string; readonly end: string; readonly release: Release },
): void {
  renameSync(next, join(kept, `installed${end}`));
  const said = join(kept, 'installed.version');
  writeFileSync(said, `${release.version}\n`);
  // Whoever is at the till may know which version can be gone back to.
  chmodSync(said, 0o644);
}

/** Of a file alone: a pipe that nobody writes to would keep every other update waiting. @throws what the file system says */
function openGiven(path: string): number {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new Error(`${path} is no file`);
}

/** @throws what the file system says */
function firstBytes(path: string, mostBytes: number): Uint8Array {
  const file = openGiven(path);
  try {
    const buffer = Buffer.alloc(mostBytes);
    return buffer.subarray(0, readSync(file, buffer));
  } finally {
    closeSync(file);
  }
}

/**
 * Copies to the end, or until it is more than it may be, which nobody's sum fits.
 *
 * @returns the base64 SHA-512 of what was written
 */
function copyAndSum(from: string, to: string, mostBytes: number): string {
  const sum = createHash('sha512');
  const buffer = Buffer.alloc(1024 * 1024);
  const source = openGiven(from);
  try {
    const target = openSync(to, 'w', 0o644);
    try {
      for (let copied = 0; copied <= mostBytes; ) {
        const count = readSync(source, buffer);
        if (count === 0) break;
        copied += count;
        sum.update(buffer.subarray(0, count));
        for (let written = 0; written < count; ) written += writeSync(target, buffer, written, count - written);
      }
      fsyncSync(target);
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
  return sum.digest('base64');
}
