import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Beside the packages, so on the disk that the project is on: a temporary folder may be memory, where a sync is free. */
const parent = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'bench');
/** A file for each run of the bench; they stay. */
export const keptRunsFolder = join(parent, 'runs');
/** `f_type` of tmpfs and ramfs. */
const memoryFilesystems: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);

export interface WorkFolder {
  readonly path: string;
  /** A new empty folder in it. */
  folder(name: string): string;
  remove(): void;
}

/** A folder for the data of one run, on a real disk; also removed when the process ends by itself or by Ctrl-C. */
export function createWorkFolder(): WorkFolder {
  mkdirSync(parent, { recursive: true });
  if (memoryFilesystems.has(statfsSync(parent).type)) {
    throw new Error(`${parent} is in memory, where durability costs nothing; put the project on a disk.`);
  }
  const path = mkdtempSync(join(parent, 'run-'));
  const remove = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  return { path, folder: (name) => mkdtempSync(join(path, `${name}-`)), remove };
}

/** What kind of disk a path is on, as well as the system tells: `ext4 on /dev/nvme0n1p2`. */
export function diskOf(path: string): string {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .filter(([, at = '']) => at !== '' && `${path}/`.startsWith(at.endsWith('/') ? at : `${at}/`))
      .sort(([, a = ''], [, b = '']) => a.length - b.length);
    const [device = '?', , type = '?'] = mounts.at(-1) ?? [];
    return `${type} on ${device}`;
  } catch {
    return 'unknown';
  }
}
