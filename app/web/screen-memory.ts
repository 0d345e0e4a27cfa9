import { join } from 'node:path';
import { z } from 'zod';
import { readTextFile, writePrivateFile } from '../machine/files.ts';

const keptSessionSchema = z.lazy(() =>
  z.object({
    /** Tells nothing: the secret is made from it with a key that is kept elsewhere. */
    id: z.string(),
    /** The kiosk's name; null for a browser that nobody named. */
    kiosk: z.string().nullable(),
    made_at_ms: z.number(),
    seen_at_ms: z.number(),
  }),
);
export type KeptSession = z.infer<typeof keptSessionSchema>;

// Older versions kept digests of cookies there: such a browser needs a new address.
const memorySchema = z.lazy(() =>
  z.object({
    port: z.int().min(1).max(65535),
    sessions: z.array(keptSessionSchema).default([]),
  }),
);

/** More browsers than one till has: of those that nobody named, the ones that were seen longest ago are forgotten. */
const mostUnnamed = 16;

/** What a kiosk browser needs to find its screen again after the agent was restarted. */
export interface ScreenMemory {
  /** Where the screen was served last; null at first. */
  readonly port: number | null;
  /** Oldest first. */
  readonly sessions: readonly KeptSession[];
  keep(port: number, sessions: readonly KeptSession[]): void;
}

/**
 * In a file of the data folder; deleting it ends every session at the next start.
 *
 * @param name `screen.json` is the cashier's
 */
export function screenMemory(dataDir: string, name = 'screen.json'): ScreenMemory {
  const path = join(dataDir, name);
  const kept = read(path);
  return {
    port: kept?.port ?? null,
    sessions: kept?.sessions ?? [],
    keep(port, sessions) {
      writePrivateFile(path, `${JSON.stringify({ port, sessions: remembered(sessions) })}\n`);
    },
  };
}

/** Each kiosk, which store IT has named, however many browsers come after it. */
function remembered(sessions: readonly KeptSession[]): readonly KeptSession[] {
  const unnamed = sessions.filter(({ kiosk }) => kiosk === null).toReversed();
  const forgotten = new Set(unnamed.toSorted((one, other) => other.seen_at_ms - one.seen_at_ms).slice(mostUnnamed));
  return sessions.filter((session) => !forgotten.has(session));
}

function read(path: string): z.infer<typeof memorySchema> | null {
  try {
    return memorySchema.parse(JSON.parse(readTextFile(path) ?? 'null'));
  } catch {
    return null; // The screen is opened by a new address then.
  }
}
