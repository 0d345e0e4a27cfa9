import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from './core-rows.ts';

const ballastKilobytes = [1_024, 64, 4, 1] as const;
const filesOfEach = 100;

/** A disk of twelve megabytes. */
export interface SmallDisk {
  readonly path: string;
  /** To the last kilobyte. */
  readonly fill: () => void;
  readonly empty: () => void;
  readonly unmount: () => void;
}

/** @returns null where this user may not mount one */
export function smallDisk(): SmallDisk | null {
  const folder = temporaryFolder();
  const path = folder.file('disk');
  const ballast = (kilobytes: number, index: number) => `${path}/ballast-${kilobytes}-${index}`;
  mkdirSync(path);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    folder.remove();
    return null;
  }
  return {
    path,
    fill() {
      for (const kilobytes of ballastKilobytes) {
        for (let index = 0; index < filesOfEach; index += 1) {
          try {
            writeFileSync(ballast(kilobytes, index), Buffer.alloc(kilobytes * 1024, 1));
          } catch {
            break;
          }
        }
      }
    },
    empty() {
      for (const kilobytes of ballastKilobytes) {
        for (let index = 0; index < filesOfEach; index += 1) rmSync(ballast(kilobytes, index), { force: true });
      }
    },
    unmount() {
      execFileSync('umount', ['-l', path], { stdio: 'ignore' });
      folder.remove();
    },
  };
}
