import { basename, dirname, join } from 'node:path';

/** The folder of the built cashier screen: beside the built program, or in `dist/` when the sources run directly. */
export const rendererDir = builtRendererDir(import.meta.dirname);

/** @param moduleDir where the running code stands: `dist/app`, `dist/app/chunks`, or `app/commands` */
export function builtRendererDir(moduleDir: string): string {
  for (let folder = moduleDir; dirname(folder) !== folder; folder = dirname(folder)) {
    if (basename(folder) === 'dist') return join(folder, 'renderer');
  }
  return join(moduleDir, '..', '..', 'dist', 'renderer');
}
