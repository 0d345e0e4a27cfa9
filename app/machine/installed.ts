import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';

const manifestSchema = z.object({ installed: z.boolean().default(false) });

/** Whether this program was installed from a package. A checkout runs from its sources, and its commands are npm's. */
export const isInstalled = isInstalledAt(import.meta.dirname);

/**
 * A package says so in the package.json beside its `dist` (electron-builder.yml writes it there).
 *
 * @param moduleDir where the running code stands: `dist/app`, `dist/main/chunks`, or `app/machine`
 */
function isInstalledAt(moduleDir: string): boolean {
  for (let folder = moduleDir; dirname(folder) !== folder; folder = dirname(folder)) {
    if (basename(folder) !== 'dist') continue;
    try {
      return manifestSchema.parse(JSON.parse(readFileSync(join(dirname(folder), 'package.json'), 'utf8'))).installed;
    } catch {
      return false;
    }
  }
  return false;
}

/** What starts the agent without a window, and the sandbox alone; all others look after an agent. */
const programs: ReadonlySet<string> = new Set(['agent', 'sandbox']);

/**
 * A command as its user has to type it.
 *
 * @param command its words and flags: `settings set api_key -`
 */
export function typed(command: string, installed = isInstalled): string {
  if (installed) return `tillbridge-agent ${command}`;
  const [name = '', ...rest] = command.split(' ');
  return programs.has(name) ? ['npm run', name, '--', ...rest].join(' ') : `npm run --silent tillbridge -- ${command}`;
}

/** A path as a part of a command that somebody types. */
export function quoted(path: string): string {
  return /[^\w./:\\~-]/.test(path) ? `"${path}"` : path;
}
