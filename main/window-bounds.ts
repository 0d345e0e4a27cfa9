import { join } from 'node:path';
import type { BrowserWindow, Rectangle } from 'electron';
import { z } from 'zod';
import { readTextFile, writePrivateFile } from '../app/machine/files.ts';

const boundsSchema = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int(), maximized: z.boolean() });
type KeptBounds = z.infer<typeof boundsSchema>;

/** How much of a window must be on one screen, so that a person can find it and move it. */
const leastSeen = { width: 200, height: 100 };

/** The last place of the window; null at the first start, or when that place is on no present screen. */
export function readBounds(dataDir: string, workAreas: readonly Rectangle[]): KeptBounds | null {
  try {
    const bounds = boundsSchema.parse(JSON.parse(readTextFile(path(dataDir)) ?? 'null'));
    return workAreas.some((area) => overlaps(area, bounds)) ? bounds : null;
  } catch {
    return null;
  }
}

/** Saves the window's place when it closes. */
export function keepBounds(dataDir: string, window: BrowserWindow): void {
  window.on('close', () => {
    try {
      const bounds: KeptBounds = { ...window.getNormalBounds(), maximized: window.isMaximized() };
      writePrivateFile(path(dataDir), `${JSON.stringify(bounds)}\n`);
    } catch {
      // It is no loss when the window opens in the middle next time.
    }
  });
}

function path(dataDir: string): string {
  return join(dataDir, 'window.json');
}

function overlaps(area: Rectangle, bounds: Rectangle): boolean {
  const shared = (start: 'x' | 'y', length: 'width' | 'height'): number =>
    Math.min(area[start] + area[length], bounds[start] + bounds[length]) - Math.max(area[start], bounds[start]);
  // Its upper edge must be on the screen, because a window is moved by it.
  return shared('x', 'width') >= leastSeen.width && shared('y', 'height') >= leastSeen.height && bounds.y >= area.y;
}
