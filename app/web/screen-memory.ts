import { join } from 'node:path';
import { z } from 'zod';
import { readTextFile, writePrivateFile } from '../machine/files.ts';

const memorySchema = z.object({ port: z.int().min(1).max(65535), session_digests: z.array(z.string()) });

/** More screens than one till has; the oldest is forgotten. */
const maxSessions = 16;

/** What a kiosk browser needs to find its screen again after the agent was restarted. */
export interface ScreenMemory {
  /** Where the screen was served last; null at first. */
  readonly port: number | null;
  /** Digests of the sessions that were opened, oldest first; a session itself is nowhere kept. */
  readonly sessionDigests: readonly string[];
  keep(port: number, sessionDigests: readonly string[]): void;
}

/** In `screen.json` of the data folder; deleting it ends every session at the next start. */
export function screenMemory(dataDir: string): ScreenMemory {
  const path = join(dataDir, 'screen.json');
  const kept = read(path);
  return {
    port: kept?.port ?? null,
    sessionDigests: kept?.session_digests ?? [],
    keep(port, sessionDigests) {
      const memory = { port, session_digests: sessionDigests.slice(-maxSessions) };
      writePrivateFile(path, `${JSON.stringify(memory)}\n`);
    },
  };
}

function read(path: string): z.infer<typeof memorySchema> | null {
  try {
    return memorySchema.parse(JSON.parse(readTextFile(path) ?? 'null'));
  } catch {
    return null; // The screen is opened by a new address then.
  }
}
