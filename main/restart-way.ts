import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type RestartWay =
  /** A program of the package, which waits until this process has ended. */
  | { readonly kind: 'program'; readonly executable: string; readonly args: readonly string[] }
  /** Electron starts the program itself. */
  | { readonly kind: 'relaunch'; readonly execPath: string | null };

/**
 * How this window starts again. A watched one starts with its watching program, which ends with it. Else the launcher
 * starts it, so that a trial is watched; an AppImage, Windows and a program that is not packaged have none.
 *
 * @param facts.appImage the path of its file, as the AppImage tells it
 * @param facts.flags of this process
 */
export function restartWay(facts: {
  readonly resources: string;
  readonly appImage: string | undefined;
  readonly flags: readonly string[];
  readonly isWatched: boolean;
}): RestartWay {
  const { resources, appImage, flags, isWatched } = facts;
  if (appImage !== undefined) return { kind: 'relaunch', execPath: appImage };
  if (isWatched) {
    // The watching program adds this flag itself.
    const own = flags.filter((flag) => flag !== '--no-sandbox');
    return { kind: 'program', executable: join(resources, 'agent', 'tillbridge-agent'), args: ['window', ...own] };
  }
  const launcher = join(resources, 'tillbridge');
  if (existsSync(launcher)) return { kind: 'program', executable: launcher, args: flags };
  return { kind: 'relaunch', execPath: null };
}

/**
 * Whether `tillbridge-agent window` has started this window, as at a kiosk. Since a trial its launcher stands between
 * them.
 *
 * @param pid of this window's parent
 * @param processes where Linux tells of processes; elsewhere there is no such folder
 */
export function isWatchedWindow(pid: number, processes = '/proc'): boolean {
  try {
    for (let above = pid; above > 1; ) {
      if (readFileSync(join(processes, String(above), 'cmdline'), 'utf8').includes('/cli.js\0window\0')) return true;
      above = Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(join(processes, String(above), 'status'), 'utf8'))?.[1] ?? 0);
    }
  } catch {
    // One that has ended meanwhile, or no Linux.
  }
  return false;
}
