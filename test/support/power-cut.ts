import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A file system of its own whose power can be cut: what was not synced is gone. */
interface CuttableDisk {
  readonly path: string;
  /** Nothing more reaches the disk, and what is only in memory is lost. */
  cut(): void;
  /** Mounts it again, as after the power came back. */
  comeBack(): void;
  remove(): void;
}

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH; Node has no ioctl. */
const shutDown = `import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack('I', 2))`;

const run = (command: string, ...args: readonly string[]) => execFileSync(command, args, { stdio: 'ignore' });

/** @returns null where this user may not mount one, or the tools for it are missing */
export function cuttableDisk(): CuttableDisk | null {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return null;
  // Not in memory, where temporary files may be: there is nothing that a sync could reach.
  const folder = mkdtempSync('/var/tmp/tillbridge-power-');
  const image = join(folder, 'image');
  const path = join(folder, 'disk');
  mkdirSync(path);
  const disk: CuttableDisk = {
    path,
    cut: () => run('python3', '-c', shutDown, path),
    comeBack() {
      run('umount', '-l', path);
      run('mount', '-o', 'loop', image, path);
    },
    remove() {
      try {
        run('umount', '-l', path);
      } catch {
        // It was never mounted.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    run('truncate', '-s', '48M', image);
    run('mkfs.ext4', '-q', '-F', image);
    run('mount', '-o', 'loop', image, path);
    disk.cut();
    disk.comeBack();
    return disk;
  } catch {
    disk.remove();
    return null;
  }
}
