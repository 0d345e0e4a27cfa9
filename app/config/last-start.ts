import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { modes } from '../../shared/till/modes.ts';
import { hasDatabase } from '../machine/data-files.ts';
import { isFolder, readTextFile, writePrivateFile } from '../machine/files.ts';
import { type Settings, settingsSchema } from './settings.ts';

/** What a till goes on with when its settings files can no longer be read: without it, sales would go astray. */
const lastStartSchema = z.object({
  mode: z.enum(modes),
  base_url: settingsSchema.shape.base_url,
  currency: settingsSchema.shape.currency,
  tls: settingsSchema.shape.tls,
});
type LastStart = z.output<typeof lastStartSchema>;

/** Apart from the settings files, so that what damages them does not damage it. */
export function lastStartPath(dataDir: string): string {
  return join(dataDir, 'last-start.json');
}

/** @returns null for a folder in which no agent ever ran */
export function readLastStart(dataDir: string): (Partial<LastStart> & Pick<LastStart, 'mode'>) | null {
  try {
    return lastStartSchema.parse(JSON.parse(readTextFile(lastStartPath(dataDir)) ?? 'null'));
  } catch {
    // Real sales in the sandbox would be lost, so a till that ever was in production is taken for one that is.
    const mode = (['production', 'sandbox'] as const).find((one) => hasDatabase(dataDir, one));
    return mode === undefined ? null : { mode };
  }
}

/** Whether an agent has run here, and not only a backup was put here. */
export function hasStarted(dataDir: string): boolean {
  return existsSync(lastStartPath(dataDir));
}

/** Where the settings files are lost, it must not become the built-in sandbox: what waits would go astray. */
export function hadService(dataDir: string): boolean {
  const { mode = null, base_url = null } = readLastStart(dataDir) ?? {};
  return mode === 'production' || base_url !== null;
}

export function keepLastStart(dataDir: string, settings: Settings): void {
  const { mode, base_url, currency, tls } = settings;
  const text = `${JSON.stringify({ mode, base_url, currency, tls })}\n`;
  try {
    if (readTextFile(lastStartPath(dataDir)) !== text) writePrivateFile(lastStartPath(dataDir), text);
  } catch {
    // A folder that cannot be written is found, and said, when the database is opened.
  }
}

/**
 * The same for a running agent: it makes its other files anew where somebody has emptied the folder or moved it away, and
 * the next start must know the service.
 */
export function keepLastStartAgain(dataDir: string, settings: Settings): void {
  // A folder that is gone is made again by what saves the database.
  if (isFolder(dataDir) && !hasStarted(dataDir)) keepLastStart(dataDir, settings);
}
