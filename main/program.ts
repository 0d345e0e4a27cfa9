import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import type { TillState } from '../shared/till/views.ts';
import type { LoginProgram } from './autostart.ts';
import type { Leaving } from './leaving.ts';

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

/** Ends this app and starts it again with the same flags. */
export function relaunch(leaving: Leaving): void {
  app.relaunch(process.env.APPIMAGE === undefined ? {} : { execPath: process.env.APPIMAGE });
  leaving.bySystem();
}
