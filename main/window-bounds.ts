import { join } from 'node:path';
import type { BrowserWindow, Rectangle } from 'electron';
import { z } from 'zod';
import { readTextFile, writePrivateFile } from '../app/machine/files.ts';

const boundsSchema = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int(), maximized: z.boolean() });
type KeptBounds = z.infer<typeof boundsSchema>;

/** Where the window was last; null at the first start, or when it was on a screen that is not there any more. */
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
  return (
    bounds.x < area.x + area.width &&
    bounds.x + bounds.width > area.x &&
    bounds.y < area.y + area.height &&
    bounds.y + bounds.height > area.y
  );
}
