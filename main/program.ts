import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import type { TillState } from '../shared/till/views.ts';
import type { LoginProgram } from './autostart.ts';
import { isWatchedWindow, restartWay } from './restart-way.ts';

const resources = app.isPackaged ? process.resourcesPath : join(app.getAppPath(), 'packaging');

/** The icon of the window and the tray. */
export const iconPath = join(resources, 'icons', '64x64.png');

export function preloadPath(rendererDir: string): string {
  return join(dirname(rendererDir), 'main', 'preload.cjs');
}

/** The launcher, in packages that have one. It watches the first start after an update (packaging/linux/tillbridge). */
const launcher = join(resources, 'tillbridge');

/** An AppImage runs from a temporary folder, so the path of its own file is used. */
const executable = process.env.APPIMAGE ?? process.execPath;

/**
 * The program to start at login. At a kiosk that is the agent's program, which starts the window and restarts it after
 * a crash.
 *
 * @param folder the flags that name the data folder
 */
export function loginProgram(folder: readonly string[], { kiosk }: TillState['desktop']): LoginProgram {
  if (!app.isPackaged) return { executable, args: [app.getAppPath(), '--', ...folder] };
  const isWatched = kiosk && process.platform === 'linux' && process.env.APPIMAGE === undefined;
  if (isWatched) return { executable: join(resources, 'agent', 'tillbridge-agent'), args: ['window', ...folder] };
  const isLaunched = process.platform === 'linux' && process.env.APPIMAGE === undefined && existsSync(launcher);
  return { executable: isLaunched ? launcher : executable, args: folder };
}

/** Has this app started again, with the same flags, once this process has ended. The caller ends it. */
export function startAfterThis(): void {
  const way = restartWay({
    resources,
    appImage: process.env.APPIMAGE,
    flags: process.argv.slice(1),
    isWatched: isWatchedWindow(process.ppid),
  });
  if (way.kind === 'relaunch') {
    app.relaunch(way.execPath === null ? {} : { execPath: way.execPath });
    return;
  }
  const env = { ...process.env, LAUNCH_AFTER: String(process.pid) };
  spawn(way.executable, way.args, { detached: true, stdio: 'ignore', env }).unref();
}
