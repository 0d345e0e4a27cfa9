import { join } from 'node:path';
import type { BrowserWindow, Rectangle } from 'electron';
import { z } from 'zod';
import { readTextFile, writePrivateFile } from '../app/machine/files.ts';

const boundsSchema = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int(), maximized: z.boolean() });
type KeptBounds = z.infer<typeof boundsSchema>;

/** So much of a window has to be on one screen: by less nobody finds it, or takes hold of it. */
const leastSeen = { width: 200, height: 100 };

/** Where the window was last; null at the first start, or when that place is on no screen that is there now. */
export function readBounds(dataDir: string, workAreas: readonly Rectangle[]): KeptBounds | null {
  try {
    const bounds = boundsSchema.parse(JSON.parse(readTextFile(path(dataDir)) ?? 'null'));
    return workAreas.some((area) => overlaps(area, bounds)) ? bounds : null;
  } catch {
    return null;
  }
}

/** Keeps the window's place when it closes. */
export function keepBounds(dataDir: string, window: BrowserWindow): void {
  window.on('close', () => {
    try {
      const bounds: KeptBounds = { ...window.getNormalBounds(), maximized: window.isMaximized() };
      writePrivateFile(path(dataDir), `${JSON.stringify(bounds)}\n`);
    } catch {
      // A window that opens in the middle next time is no loss.
    }
  });
}

function path(dataDir: string): string {
  return join(dataDir, 'window.json');
}

function overlaps(area: Rectangle, bounds: Rectangle): boolean {
  const shared = (start: 'x' | 'y', length: 'width' | 'height'): number =>
    Math.min(area[start] + area[length], bounds[start] + bounds[length]) - Math.max(area[start], bounds[start]);
  // Its upper edge has to be there, too: a window is moved by it.
  return shared('x', 'width') >= leastSeen.width && shared('y', 'height') >= leastSeen.height && bounds.y >= area.y;
}
